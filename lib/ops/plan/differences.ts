import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { View } from '../listings/views.ts'

export interface FieldChange {
  /** `cadence.delays`, `mapping[2].from`. */
  readonly field: string
  /** Undefined when absent. Secrets are masked. */
  readonly old: unknown
  readonly new: unknown
  /** `new` says in a word what happens to a value that is not shown. */
  readonly isWord?: true
  /** A hash of the old secret, when a secret changes. The new secret is left out, since each plan may make another. */
  readonly seen?: string
}

const isPlain = (value: unknown): value is View => typeof value === 'object' && value !== null && !Array.isArray(value)
const isListOfObjects = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0 && value.every(isPlain)

const SECRET = /(^|\.)secrets?$/

const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked)
  return typeof value === 'string' ? 'whsec_…' : value
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

const changed = (field: string, old: unknown, next: unknown): FieldChange[] => {
  if (isDeepStrictEqual(old, next)) return []
  if (isPlain(old) && isPlain(next)) return differences(old, next, `${field}.`)
  if (isListOfObjects(old) && isListOfObjects(next)) {
    const longer = Math.max(old.length, next.length)
    return Array.from({ length: longer }, (_, at) => changed(`${field}[${at}]`, old[at], next[at])).flat()
  }
  const mask = SECRET.test(field) ? masked : withoutSecrets
  const shown = { field, old: mask(old), new: mask(next) }
  return [isDeepStrictEqual(shown.old, old) ? shown : { ...shown, seen: hashOf(old) }]
}

/** The value with its secrets masked. */
const withoutSecrets = (value: unknown): unknown =>
  isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, SECRET.test(name) ? masked(part) : withoutSecrets(part)]))
    : value

/** The differences, one per setting. */
export const differences = (old: View, next: View, prefix = ''): FieldChange[] =>
  [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((name) => changed(`${prefix}${name}`, old[name], next[name]))

/** Merges what a file says into a view. Missing settings stay, also in nested groups; null removes a setting. */
export const merged = (before: View, said: View): View => {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(said)) {
    const old = before[name]
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = isPlain(value) && isPlain(old) ? { ...old, ...value } : value
  }
  return after
}
