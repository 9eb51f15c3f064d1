import { isDictionary } from '../../http/fields/field.ts'

/** Finds what a provider sent, by what the provider calls it. */
export type Read = (from: string) => unknown

/** The whole of what was sent. */
export const ALL = '$'

const PATH = /^[^.[\]]+(\.[^.[\]]+|\[[^[\]]+\])*$/
const STEP = /[^.[\]]+/g

/** `a.b[0].c`, and `a[b][0][c]` as forms write it. @returns undefined when the text is no path */
export const stepsOf = (path: string): readonly string[] | undefined => (PATH.test(path) ? (path.match(STEP) ?? undefined) : undefined)

const INDEX = /^(0|[1-9]\d*)$/

const stepInto = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) return INDEX.test(step) ? value[Number(step)] : undefined
  return isDictionary(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/**
 * Reads places of a payload: a key of its top level that is called just so, dots and all, or else the path. Whatever a key is called, it
 * is only data.
 */
export const pathReader =
  (payload: unknown): Read =>
  (from) => {
    if (from === ALL) return payload
    if (isDictionary(payload) && Object.hasOwn(payload, from)) return payload[from]
    return stepsOf(from)?.reduce(stepInto, payload)
  }
