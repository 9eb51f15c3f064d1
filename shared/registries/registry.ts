import * as v from 'valibot'
import { DAY } from '../platform/values/durations.ts'
import { absentAsNull, Instant, US_STATES } from '../platform/values/values.ts'

/** The list of the whole country. */
const NATIONAL = 'national'
/** Begins the name of a state's list. */
const STATE = 'state:'

/** The state whose list a name means; undefined for the list of the whole country. */
export const stateOfList = (name: string): string | undefined => (name.startsWith(STATE) ? name.slice(STATE.length) : undefined)

export const isRegistryName = (name: string): boolean =>
  name === NATIONAL || (name.startsWith(STATE) && US_STATES.includes(name.slice(STATE.length)))

/** Whether a list is too old for calls: more than 31 days. @param as_of as YYYY-MM-DD */
export const isListTooOld = (as_of: string, now: Instant): boolean => now - Date.parse(as_of) > 31 * DAY

/** The area code of a number of the North American plan. */
export const areaCodeOf = (phoneNumber: string): string => phoneNumber.slice(2, 5)

/** The head of a do-not-call registry: the version in force. */
export const Registry = v.object({
  list: v.string(),
  /** Names its blocks. */
  version: v.string(),
  blocks: v.number(),
  /** Numbers on the list. Exact after a full list, nearly exact after an interrupted list of changes. */
  numbers: v.number(),
  /** The day, as YYYY-MM-DD, on which the list was as stored. */
  as_of: v.string(),
  imported_time: Instant,
  /** The area codes of the numbers in the full list. Null: unknown, and the list is complete. */
  area_codes: absentAsNull(v.array(v.string())),
  /** How many lines of the full list each area code had. Empty: unknown. */
  numbers_by_area_code: v.optional(v.record(v.string(), v.number()), {}),
  /** The operator said that the full list has all numbers of each area code. */
  is_complete: v.optional(v.boolean(), false),
})
export type Registry = v.InferOutput<typeof Registry>

/** What a list says about a phone. */
export interface RegistryFinding {
  readonly list: string
  /** The day of the list, as YYYY-MM-DD. Null: it was never imported. */
  readonly as_of: string | null
  readonly isListed: boolean
  /** The area codes that it has numbers of. Null: it has all numbers of each area code. */
  readonly area_codes: readonly string[] | null
}

/** A version whose blocks may exist: in force, being written, or left over. */
export const RegistryVersion = v.object({
  version: v.string(),
  blocks: v.number(),
  /** It is being removed, and may no longer come into force. */
  is_removed: v.optional(v.boolean(), false),
})
export type RegistryVersion = v.InferOutput<typeof RegistryVersion>

/** Some of the numbers on a list. */
export const RegistryBlock = v.object({
  /** Packed: see `packHashes`. */
  hashes: v.instance(Uint8Array),
  /** The day, as YYYY-MM-DD, of the latest list of changes that had a number of the block. */
  changed_as_of: absentAsNull(v.string()),
})
export type RegistryBlock = v.InferOutput<typeof RegistryBlock>
