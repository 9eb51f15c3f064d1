import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Calendar } from '../accounts/configuration.ts'
import { dateTimeField } from '../http/fields/date-time.ts'
import { type PostAnswer, signedPost } from '../platform/safe-fetch/signed-post.ts'
import { SECOND } from '../platform/values/durations.ts'
import { JsonObject } from '../platform/values/values.ts'

/** `failed`: the calendar may or may not have acted. `refused`: it certainly did nothing. */
type Failed = { readonly kind: 'failed' | 'refused'; readonly reason: string }

/** The most slots that are passed on, and the most bytes of JSON in a booking that are stored. */
export const MOST_SLOTS = 200
export const BOOKING_BYTES = 4096

/** Milliseconds. Long enough for a calendar that asks another one, and short enough for a person on the phone. */
export const TIMEOUT = 8 * SECOND

const DateTimeText = v.pipe(
  v.string(),
  v.check((text) => v.is(dateTimeField(), text)),
)

/** A free slot. Times stay as the calendar writes them. */
const Slot = v.object({
  start_time: DateTimeText,
  end_time: v.nullish(DateTimeText, null),
  duration_minutes: v.nullish(v.number(), null),
})
export type Slot = v.InferOutput<typeof Slot>

const SlotsAnswer = v.pipe(v.string(), v.parseJson(), v.object({ slots: v.array(Slot) }))

/** The calendar's answer to a booking. A repeat with the same key gets the earlier booking again. */
const Booking = v.pipe(
  v.string(),
  v.parseJson(),
  JsonObject,
  v.check((value) => Buffer.byteLength(JSON.stringify(value)) <= BOOKING_BYTES),
)
const Started = v.object({ start_time: dateTimeField() })

const post = ({ url, secret }: Calendar, path: string, key: string, body: unknown): Promise<PostAnswer> =>
  signedPost({ url: `${url.replace(/\/$/, '')}/${path}`, secrets: secret === null ? [] : [secret], key, body, timeout: TIMEOUT })

/** 4xx answers that do not mean no: timeout, too early, too many requests. */
const AMBIGUOUS = new Set([408, 425, 429])

const failure = (answer: PostAnswer): Failed => {
  if (answer.kind !== 'answered') {
    return { kind: answer.kind === 'unsent' ? 'refused' : 'failed', reason: `The calendar could not be reached: ${answer.reason}` }
  }
  const isDefinite = answer.status >= 300 && answer.status < 500 && !AMBIGUOUS.has(answer.status)
  return { kind: isDefinite ? 'refused' : 'failed', reason: `The calendar answered ${answer.status}.` }
}

const isOk = (answer: PostAnswer): answer is Extract<PostAnswer, { kind: 'answered' }> =>
  answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

/** Asks a calendar for free slots. */
export const findSlots = async (
  calendar: Calendar,
  request: unknown,
): Promise<{ readonly kind: 'found'; readonly slots: Slot[] } | Failed> => {
  const answer = await post(calendar, 'slots', randomUUID(), request)
  if (!isOk(answer)) return failure(answer)
  const read = v.safeParse(SlotsAnswer, answer.text)
  return read.success
    ? { kind: 'found', slots: read.output.slots.slice(0, MOST_SLOTS) }
    : { kind: 'failed', reason: 'The calendar answered without a list of slots.' }
}

export type Booked =
  | { readonly kind: 'booked'; readonly booking: Record<string, unknown> | null; readonly startTime: number | null }
  | { readonly kind: 'taken' }
  | Failed

/**
 * Asks a calendar to book a slot. `key`: the idempotency key. The calendar books once per key; a refusal because the slot is taken leaves
 * the key unused.
 */
export const bookSlot = async (calendar: Calendar, key: string, request: unknown): Promise<Booked> => {
  const answer = await post(calendar, 'book', key, request)
  if (answer.kind === 'answered' && answer.status === 409) return { kind: 'taken' }
  if (!isOk(answer)) return failure(answer)
  // The slot is booked even if the rest of the answer is malformed.
  const parsed = v.safeParse(Booking, answer.text)
  const started = v.safeParse(Started, parsed.success ? parsed.output : undefined)
  return { kind: 'booked', booking: parsed.success ? parsed.output : null, startTime: started.success ? started.output.start_time : null }
}
