import type { Answer, ReassignedAnswer } from '../answer.ts'

/** The most answers that are kept of a phone. An item with them takes no more than 4 KB. */
export const MOST_ANSWERS = 60

/**
 * Order: each `yes`, then by day of asking, the latest first. On one day: each `no`, the earliest day first, because a `no` holds for all
 * later days.
 */
const isBefore = (one: ReassignedAnswer, other: ReassignedAnswer): number =>
  Number(other.answer === 'yes') - Number(one.answer === 'yes') ||
  other.asked_on.localeCompare(one.asked_on) ||
  Number(other.answer === 'no') - Number(one.answer === 'no') ||
  (one.answer === 'no' ? one.date.localeCompare(other.date) : other.date.localeCompare(one.date))

const STRICTNESS: readonly Answer[] = ['no', 'no_data', 'yes']

/** The stricter of two answers to the same question. */
export const stricter = (one: Answer, other: Answer): Answer => (STRICTNESS.indexOf(one) < STRICTNESS.indexOf(other) ? other : one)

/** Whether a known answer stays when another one about the same day comes: it is of a later day, or of the same day and stricter. */
const stays = (known: ReassignedAnswer, { asked_on, answer }: ReassignedAnswer): boolean =>
  known.asked_on > asked_on || (known.asked_on === asked_on && stricter(known.answer, answer) !== answer)

/**
 * Adds an answer to those of a phone. It replaces the one about the same day. Undefined: that one is later or stricter, and
 * stays, or the phone has as many answers as it may have, and they all count more.
 */
export const withAnswer = (answers: readonly ReassignedAnswer[], answer: ReassignedAnswer): ReassignedAnswer[] | undefined => {
  const known = answers.find(({ date }) => date === answer.date)
  if (known && stays(known, answer)) return undefined
  const others = answers.filter(({ date }) => date !== answer.date)
  const kept = [...others, answer].toSorted(isBefore).slice(0, MOST_ANSWERS)
  return kept.includes(answer) ? kept : undefined
}

/** The answer about a number since a day, from the answers about some days. */
export type AnswerFound =
  | { readonly kind: 'reassigned' | 'not_reassigned' | 'too_old' | 'no_data'; readonly answer: ReassignedAnswer }
  | { readonly kind: 'missing' }

const latest = (answers: readonly ReassignedAnswer[]): ReassignedAnswer | undefined =>
  answers.toSorted((one, other) => other.asked_on.localeCompare(one.asked_on))[0]

/**
 * Whether another answer casts doubt on a `no`. A `yes` that was asked for later does, even about an earlier day: the number may have been
 * disconnected in between. So does a `yes` that was asked for on the same day, about the same day or a later one.
 */
const isDoubted = (no: ReassignedAnswer, { answer, asked_on, date }: ReassignedAnswer): boolean =>
  answer === 'yes' && (asked_on > no.asked_on || (asked_on === no.asked_on && date >= no.date))

/**
 * Whether a number was permanently disconnected on a day or later. A `yes` also holds for each earlier day, however old the answer is. A
 * `no` also holds for each later day, but only until the database changes, and only while no `yes` casts doubt on it.
 * @param date the day of the consent
 * @param since the first day on which an answer had to be asked for
 */
export const answerFor = (answers: readonly ReassignedAnswer[], date: string, since: string): AnswerFound => {
  const found = (answer: Answer, isFit: (asked: string) => boolean) => answers.filter((one) => one.answer === answer && isFit(one.date))
  const yes = latest(found('yes', (asked) => asked >= date))
  if (yes) return { kind: 'reassigned', answer: yes }
  const no = latest(found('no', (asked) => asked <= date).filter((one) => answers.every((other) => !isDoubted(one, other))))
  if (no && no.asked_on >= since) return { kind: 'not_reassigned', answer: no }
  const unknown = latest(found('no_data', (asked) => asked >= date))
  if (unknown && unknown.asked_on >= since) return { kind: 'no_data', answer: unknown }
  const old = latest([...(no ? [no] : []), ...(unknown ? [unknown] : [])])
  return old ? { kind: 'too_old', answer: old } : { kind: 'missing' }
}
