import { useEffect, useRef } from 'preact/hooks'
import { isVisible } from '../visibility.ts'
import type { Query } from './use-query.ts'

/** Reads again when the user comes back to the tab. Other tabs and programs may have changed the data, and the next poll may be far away. */
export const useReturn = (query: Pick<Query<unknown>, 'refresh' | 'isLoading'>): void => {
  const latest = useRef(query)
  latest.current = query
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    const read = (): void => {
      if (isVisible() && !latest.current.isLoading) latest.current.refresh()
    }
    document.addEventListener('visibilitychange', read, { signal })
    addEventListener('focus', read, { signal })
    return () => control.abort()
  }, [])
}
