import type { Lead } from '../lead.ts'

/** When a lead's fields were last set by what was accepted: acceptance sequences by field, and by `metadata.` and key. */
export type FieldTimes = Lead['field_times']

/** Stands for the metadata keys that have no time of their own any more and are there: none of them was set later. */
const ALL_KEYS = 'metadata'
const PREFIX = `${ALL_KEYS}.`

/** Keys with a time of their own, at most, the latest first: metadata may have thousands, and the item is limited. */
const MOST_KEYS = 1000

/** Other keys are noted by a hash: they could not be attribute names, or would cost more than what they tell. */
const PLAIN_KEY = /^[\w .-]{1,100}$/

/** FNV-1a over UTF-16 code units, 32 bits. */
const hash = (text: string, offset: number, prime: number): string => {
  let value = offset
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), prime)
  return (value >>> 0).toString(36)
}

/** No plain key has a `#`. */
const nameOf = (key: string): string =>
  PREFIX + (PLAIN_KEY.test(key) ? key : `#${hash(key, 0x811c9dc5, 0x01000193)}-${hash(key, 0x9e3779b9, 0x85ebca6b)}-${key.length}`)

/** The key of the metadata that a time is of; undefined: it is of no key, or of one that is not there. */
export const keyOfTime = (metadata: Lead['metadata'], field: string): string | undefined => {
  if (!field.startsWith(PREFIX)) return undefined
  const plain = field.slice(PREFIX.length)
  return Object.hasOwn(metadata, plain) ? plain : Object.keys(metadata).find((key) => nameOf(key) === field)
}

const latest = (sequences: readonly string[]): string => sequences.toSorted().at(-1) ?? ''

/** The later one of two acceptance sequences. */
export const later = (one: string, other: string): string => (one > other ? one : other)

/** Whether the field was set by what was accepted then, or later. */
export const isSettled = ({ field_times }: Pick<Lead, 'field_times'>, field: string, accepted: string): boolean =>
  (field_times[field] ?? '') >= accepted

type KeyTimes = Pick<Lead, 'field_times' | 'metadata'>

const floorOf = ({ field_times, metadata }: KeyTimes, key: string): string =>
  Object.hasOwn(metadata, key) ? (field_times[ALL_KEYS] ?? '') : ''

/** As `isSettled`, for a key of the metadata. */
export const isKeySettled = (lead: KeyTimes, key: string, accepted: string): boolean =>
  (lead.field_times[nameOf(key)] ?? '') >= accepted || floorOf(lead, key) === accepted

/** Whether it can no longer be told if the key was set by what was accepted later. */
export const isKeyInDoubt = (lead: KeyTimes, key: string, accepted: string): boolean =>
  !isKeySettled(lead, key, accepted) && floorOf(lead, key) > accepted

/** The times after fields and metadata keys have been set by what was accepted at `accepted`. None is ever moved back. */
export const withTimes = (times: FieldTimes, fields: readonly string[], keys: readonly string[], accepted: string): FieldTimes => {
  const set = [...fields, ...keys.map(nameOf)]
  const all: FieldTimes = { ...times, ...Object.fromEntries(set.map((name) => [name, latest([times[name] ?? '', accepted])])) }
  const ofKeys = Object.entries(all).flatMap(([name, time]) => (name.startsWith(PREFIX) ? time : []))
  const dropped = ofKeys.toSorted().slice(0, -MOST_KEYS)
  const floor = latest([...dropped, all[ALL_KEYS] ?? ''])
  const kept = Object.entries(all).filter(([name, time]) => name !== ALL_KEYS && (!name.startsWith(PREFIX) || time > floor))
  return Object.fromEntries(floor === '' ? kept : [...kept, [ALL_KEYS, floor]])
}
