import { CALL_OUTCOMES } from '../../calling/call.ts'
import { LEAD_STATUSES, type LeadStatus } from '../../platform/values/values.ts'

/**
 * How a call ended, for statistics: its outcome; `FAILED` when the agent refused it; `UNKNOWN` also when nobody knows how it ended.
 */
export const COUNTED_OUTCOMES = [...CALL_OUTCOMES, 'FAILED'] as const
export type CountedOutcome = (typeof COUNTED_OUTCOMES)[number]

/** The outcome that counts as a transfer. */
export const TRANSFERRED = 'COMPLETED_CLOSED_LIVE_TRANSFER' satisfies CountedOutcome

/**
 * Names of attributes are short, because an item has one for each hour and outcome, and DynamoDB charges each write by the item's size.
 * A change of a letter is a migration.
 */
const LETTERS: Readonly<Record<CountedOutcome, string>> = {
  COMPLETED: 'c',
  COMPLETED_CLOSED_LIVE_TRANSFER: 't',
  COMPLETED_CLOSED_OTHER: 'o',
  COMPLETED_LAST_CALL: 'l',
  COMPLETED_STOP_CALLING: 's',
  DIAL_BUSY: 'b',
  DIAL_FAILED: 'd',
  DIAL_NO_ANSWER: 'n',
  LEFT_VOICEMAIL: 'v',
  WENT_TO_VOICEMAIL: 'w',
  UNKNOWN: 'u',
  FAILED: 'f',
}
/** A person was reached. */
const CONTACT_LETTER = 'p'

export const HOURS_OF_DAY = 24

/** Attribute with the number of leads that were created on a day. */
export const CREATED = 'created'

const hourPart = (hour: number): string => `h${String(hour).padStart(2, '0')}`

/** Attribute with the number of calls that began in an hour of the day, in UTC, and ended with an outcome. */
export const callsName = (hour: number, outcome: CountedOutcome): string => `${hourPart(hour)}${LETTERS[outcome]}`

/** Attribute with the number of calls that began in an hour of the day and reached a person. */
export const contactsName = (hour: number): string => `${hourPart(hour)}${CONTACT_LETTER}`

/** Numbers of attempts that are counted alone. The last one counts with all further ones. */
export const COUNTED_ATTEMPTS = 10

/** Attribute with the number of calls that were a certain attempt of their lead. */
export const attemptName = (attempt: number): string => `a${Math.min(attempt, COUNTED_ATTEMPTS)}`

/** The meaning of an attribute. */
export type CountAttribute =
  | { readonly kind: 'leads'; readonly status: LeadStatus }
  | { readonly kind: 'created' }
  | { readonly kind: 'calls'; readonly hour: number; readonly outcome: CountedOutcome }
  | { readonly kind: 'contacts'; readonly hour: number }
  | { readonly kind: 'attempts'; readonly attempt: number }

const HOURS = Array.from({ length: HOURS_OF_DAY }, (_, hour) => hour)
const ATTEMPTS = Array.from({ length: COUNTED_ATTEMPTS }, (_, index) => index + 1)

/** All attributes. A request reads the same names in thousands of items, so they are not parsed one by one. */
const ATTRIBUTES: ReadonlyMap<string, CountAttribute> = new Map<string, CountAttribute>([
  ...LEAD_STATUSES.map((status) => [status, { kind: 'leads', status }] as const),
  [CREATED, { kind: 'created' }],
  ...HOURS.map((hour) => [contactsName(hour), { kind: 'contacts', hour }] as const),
  ...HOURS.flatMap((hour) => COUNTED_OUTCOMES.map((outcome) => [callsName(hour, outcome), { kind: 'calls', hour, outcome }] as const)),
  ...ATTEMPTS.map((attempt) => [attemptName(attempt), { kind: 'attempts', attempt }] as const),
])

/** Undefined for an attribute that counts nothing, such as a key. */
export const parseAttribute = (name: string): CountAttribute | undefined => ATTRIBUTES.get(name)
