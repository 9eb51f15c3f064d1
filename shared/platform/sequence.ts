import { randomBytes } from 'node:crypto'
import { now } from './clock.ts'
import type { Instant } from './values/values.ts'

const TIME_DIGITS = 15
const COUNT_DIGITS = 6
const last = { time: 0, count: 0 }

/** The instant in a sequence. 0 for an empty one, which is before all others. */
export const timeOfSequence = (sequence: string): Instant => Number(sequence.slice(0, TIME_DIGITS))

/**
 * A text that tells when something was accepted. Texts sort in the order of acceptance: exactly within a sandbox, and between sandboxes as
 * well as their clocks agree.
 */
export const nextSequence = (): string => {
  const time = Math.max(now(), last.time)
  last.count = time === last.time ? last.count + 1 : 0
  last.time = time
  return `${String(time).padStart(TIME_DIGITS, '0')}-${String(last.count).padStart(COUNT_DIGITS, '0')}-${randomBytes(4).toString('hex')}`
}
