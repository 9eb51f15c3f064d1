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

const HOUR_NAME = /^h(\d\d)([a-z])$/
const ATTEMPT_NAME = /^a([1-9]|10)$/

/** Undefined for an attribute that counts nothing, such as a key. */
export const parseAttribute = (name: string): CountAttribute | undefined => {
  const status = LEAD_STATUSES.find((each) => each === name)
  if (status) return { kind: 'leads', status }
  if (name === CREATED) return { kind: 'created' }
  const [, attempt] = ATTEMPT_NAME.exec(name) ?? []
  if (attempt !== undefined) return { kind: 'attempts', attempt: Number(attempt) }
  const [, hour, letter] = HOUR_NAME.exec(name) ?? []
  if (letter === CONTACT_LETTER) return { kind: 'contacts', hour: Number(hour) }
  const outcome = COUNTED_OUTCOMES.find((each) => LETTERS[each] === letter)
  return outcome && { kind: 'calls', hour: Number(hour), outcome }
}
