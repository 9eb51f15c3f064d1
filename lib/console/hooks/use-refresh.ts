import { useEffect, useRef } from 'preact/hooks'
import type { Query } from './use-query.ts'

/** Reads again what changes with a value. Undefined: the value is not known, which is no change. */
export const useRefresh = (value: string | undefined, ...queries: readonly Pick<Query<unknown>, 'refresh'>[]): void => {
  const last = useRef(value)
  useEffect(() => {
    if (value === undefined) return
    if (last.current !== undefined && last.current !== value) for (const { refresh } of queries) refresh()
    last.current = value
  }, [value])
}
