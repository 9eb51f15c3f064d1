import { isDictionary } from '../../http/fields/field.ts'

/** Reads a value by the provider's name for it. */
export type Read = (from: string) => unknown

/** The whole payload. */
export const ALL = '$'

const PATH = /^[^.[\]]+(\.[^.[\]]+|\[[^[\]]+\])*$/
const STEP = /[^.[\]]+/g

/** Accepts `a.b[0].c`, and `a[b][0][c]` as forms write it. @returns undefined when the text is not a path */
export const stepsOf = (path: string): readonly string[] | undefined => (PATH.test(path) ? (path.match(STEP) ?? undefined) : undefined)

const INDEX = /^(0|[1-9]\d*)$/

const stepInto = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) return INDEX.test(step) ? value[Number(step)] : undefined
  return isDictionary(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/**
 * Reads values from a payload. A top-level key with exactly this name, dots included, goes before the path. Only own keys count, so that a
 * key such as `__proto__` is only data.
 */
export const pathReader =
  (payload: unknown): Read =>
  (from) => {
    if (from === ALL) return payload
    if (isDictionary(payload) && Object.hasOwn(payload, from)) return payload[from]
    return stepsOf(from)?.reduce(stepInto, payload)
  }
