import type { Instant } from '../../platform/values/values.ts'
import type { Lead } from '../lead.ts'

/** When accepted changes last set a lead's fields: acceptance sequences by field, and by `metadata.` plus key. */
export type FieldTimes = Lead['field_times']

/** Key of one sequence that covers all metadata keys without a sequence of their own. None of those keys was set later. */
const ALL_KEYS = 'metadata'
const PREFIX = `${ALL_KEYS}.`

/** The most keys with their own sequence, latest first. Metadata may have thousands of keys, and the item's size is limited. */
const MOST_KEYS = 1000

/** Keys of this form are stored as they are. Others are stored as a hash: they cannot be attribute names, or would take too much space. */
const PLAIN_KEY = /^[\w .-]{1,100}$/

/** FNV-1a over UTF-16 code units, 32 bits. */
const hash = (text: string, offset: number, prime: number): string => {
  let value = offset
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), prime)
  return (value >>> 0).toString(36)
}

/** Hashed names start with `#`, which no plain key contains. */
const nameOf = (key: string): string =>
  PREFIX + (PLAIN_KEY.test(key) ? key : `#${hash(key, 0x811c9dc5, 0x01000193)}-${hash(key, 0x9e3779b9, 0x85ebca6b)}-${key.length}`)

/** The metadata key of a sequence. Undefined when it is not a key's sequence, or the key is gone. */
export const keyOfTime = (metadata: Lead['metadata'], field: string): string | undefined => {
  if (!field.startsWith(PREFIX)) return undefined
  const plain = field.slice(PREFIX.length)
  return Object.hasOwn(metadata, plain) ? plain : Object.keys(metadata).find((key) => nameOf(key) === field)
}

const latest = (sequences: readonly string[]): string => sequences.toSorted().at(-1) ?? ''

/** The later one of two acceptance sequences. */
export const later = (one: string, other: string): string => (one > other ? one : other)

/** The instant in an acceptance sequence. 0 for an empty one. */
export const acceptedTime = (sequence: string): Instant => Number(sequence.split('-')[0])

/** Whether this or a later change has set the field. */
export const isSetSince = ({ field_times }: Pick<Lead, 'field_times'>, field: string, accepted: string): boolean =>
  (field_times[field] ?? '') >= accepted

type KeyTimes = Pick<Lead, 'field_times' | 'metadata'>

const floorOf = ({ field_times, metadata }: KeyTimes, key: string): string =>
  Object.hasOwn(metadata, key) ? (field_times[ALL_KEYS] ?? '') : ''

/** Like `isSetSince`, for a metadata key. */
export const isKeySetSince = (lead: KeyTimes, key: string, accepted: string): boolean =>
  (lead.field_times[nameOf(key)] ?? '') >= accepted || floorOf(lead, key) === accepted

/** Whether it is unknown if a later change set the key. */
export const isKeyInDoubt = (lead: KeyTimes, key: string, accepted: string): boolean =>
  !isKeySetSince(lead, key, accepted) && floorOf(lead, key) > accepted

/**
 * Whether a metadata key was last set before the lead got its phone number. What the key says about the number, such as a consent to calls,
 * is about the former number.
 */
const isOlderThanPhone = ({ field_times, phone_changed = '' }: Pick<Lead, 'field_times' | 'phone_changed'>, key: string): boolean =>
  (field_times[nameOf(key)] ?? '') < phone_changed

/** Whether a change that was accepted after an instant set the metadata key. */
const isKeySetAfter = ({ field_times }: Pick<Lead, 'field_times'>, key: string, at: Instant): boolean =>
  acceptedTime(field_times[nameOf(key)] ?? '') > at

/** As `isKeySetAfter`, or it is unknown. */
export const mayKeyBeSetAfter = (lead: KeyTimes, key: string, at: Instant): boolean =>
  isKeySetAfter(lead, key, at) || acceptedTime(floorOf(lead, key)) > at

/**
 * Whether the value of a metadata key is a client's. A model may mishear or guess, so what a call collected is no evidence, whatever the
 * lead type said of the key at that time. An update that was accepted before the data was reported may still be applied after it: this
 * counts as collected too.
 */
export const isFromClient = (lead: Pick<Lead, 'field_times' | 'collected_times'>, key: string): boolean => {
  const collected = Object.hasOwn(lead.collected_times, key) ? lead.collected_times[key] : undefined
  return collected === undefined || isKeySetAfter(lead, key, collected)
}

/** Whether what a metadata key says about the lead's phone number may count: a client set it, since the lead has this number. */
export const mayBeEvidence = (lead: Pick<Lead, 'field_times' | 'collected_times' | 'phone_changed'>, key: string): boolean =>
  isFromClient(lead, key) && !isOlderThanPhone(lead, key)

/**
 * The sequence of the last change of each field and metadata key, after one more change of these.
 * @param accepted the sequence of that change. A later one stays.
 */
export const withTimes = (times: FieldTimes, fields: readonly string[], keys: readonly string[], accepted: string): FieldTimes => {
  const set = [...fields, ...keys.map(nameOf)]
  const all: FieldTimes = { ...times, ...Object.fromEntries(set.map((name) => [name, latest([times[name] ?? '', accepted])])) }
  const ofKeys = Object.entries(all).flatMap(([name, time]) => (name.startsWith(PREFIX) ? time : []))
  const dropped = ofKeys.toSorted().slice(0, -MOST_KEYS)
  const floor = latest([...dropped, all[ALL_KEYS] ?? ''])
  const kept = Object.entries(all).filter(([name, time]) => name !== ALL_KEYS && (!name.startsWith(PREFIX) || time > floor))
  return Object.fromEntries(floor === '' ? kept : [...kept, [ALL_KEYS, floor]])
}
