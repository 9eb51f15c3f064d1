import type { Lead } from '../../schema/lead.ts'

/** When a lead's fields were last set by what was accepted: acceptance sequences by field, and by `metadata.` and key. */
export type FieldTimes = Lead['field_times']

/** Stands for the metadata keys that have no time of their own and are there: none of them was set later. */
const ALL_KEYS = 'metadata'
const PREFIX = `${ALL_KEYS}.`

/** Keys with a time of their own, at most, the latest first: metadata may have thousands, and the item is limited. */
const MOST_KEYS = 100

/** Other keys are noted together: they could not be attribute names, or would cost more than what they tell. */
const PLAIN_KEY = /^[\w .-]{1,100}$/

const latest = (sequences: readonly string[]): string => sequences.toSorted().at(-1) ?? ''

/** Whether the field was set by what was accepted then, or later. */
export const isSettled = ({ field_times }: Pick<Lead, 'field_times'>, field: string, accepted: string): boolean =>
  (field_times[field] ?? '') >= accepted

/** As `isSettled`, for a key of the metadata. */
export const isKeySettled = ({ field_times, metadata }: Pick<Lead, 'field_times' | 'metadata'>, key: string, accepted: string): boolean =>
  latest([field_times[PREFIX + key] ?? '', Object.hasOwn(metadata, key) ? (field_times[ALL_KEYS] ?? '') : '']) >= accepted

/** The times after fields and metadata keys have been set by what was accepted at `accepted`. None is ever moved back. */
export const withTimes = (times: FieldTimes, fields: readonly string[], keys: readonly string[], accepted: string): FieldTimes => {
  const set = [...fields, ...keys.filter((key) => PLAIN_KEY.test(key)).map((key) => PREFIX + key)]
  const all: FieldTimes = { ...times, ...Object.fromEntries(set.map((name) => [name, latest([times[name] ?? '', accepted])])) }
  const ofKeys = Object.entries(all).flatMap(([name, time]) => (name.startsWith(PREFIX) ? time : []))
  const dropped = ofKeys.toSorted().slice(0, -MOST_KEYS)
  const floor = latest([...dropped, all[ALL_KEYS] ?? '', ...(keys.every((key) => PLAIN_KEY.test(key)) ? [] : [accepted])])
  const kept = Object.entries(all).filter(([name, time]) => name !== ALL_KEYS && (!name.startsWith(PREFIX) || time > floor))
  return Object.fromEntries(floor === '' ? kept : [...kept, [ALL_KEYS, floor]])
}
