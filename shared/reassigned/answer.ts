import * as v from 'valibot'

/**
 * `yes`: the number was permanently disconnected on the day that was asked about, or later. `no`: it was not. `no_data`: the database cannot
 * tell.
 */
export const ANSWERS = ['yes', 'no', 'no_data'] as const
export type Answer = (typeof ANSWERS)[number]

/** An answer of the reassigned numbers database about a number. Its days are written YYYY-MM-DD. */
export const ReassignedAnswer = v.object({
  /** The day that was asked about. */
  date: v.string(),
  answer: v.picklist(ANSWERS),
  /** The day on which the database was asked. */
  asked_on: v.string(),
})
export type ReassignedAnswer = v.InferOutput<typeof ReassignedAnswer>

/** The answers about a phone, at most one for each day that was asked about. */
export const PhoneAnswers = v.object({
  answers: v.array(ReassignedAnswer),
  /** Counts the writes. */
  version: v.optional(v.number(), 0),
})
export type PhoneAnswers = v.InferOutput<typeof PhoneAnswers>
