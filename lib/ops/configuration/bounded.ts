import * as v from 'valibot'
import { Cadence, Delay, LeadType, LONGEST_DELAY, User } from '#shared/accounts/configuration.ts'
import { REPORTED_OUTCOMES } from '#shared/calling/call.ts'

/** Copies the description of a schema to a narrower one. */
export const meaningOf = (schema: v.GenericSchema) => v.description<never, string>(v.getDescription(schema) ?? '')

/**
 * Upper bounds for numbers in a file. A greater number is a typing error, or exceeds what can be stored. Stored values above a bound stay
 * readable.
 */

/** Most calls to one lead. More than this is harassment, whatever the law says. */
export const MOST_CALLS = 1000
/** Days. A century. */
export const MOST_DAYS = 36_500
/** Seconds. */
export const LONGEST_HOLD = 3600
/** Lines. One item holds a user's calls in progress, and more would overflow it. */
export const MOST_LINES = 10_000

const { entries: cadence } = Cadence
const Seconds = v.pipe(Delay, v.integer(), v.maxValue(LONGEST_DELAY))
const Delays = v.pipe(v.array(Seconds), v.minLength(1))

export const BoundedCadence = v.object({
  delays: v.optional(v.pipe(Delays, meaningOf(cadence.delays.wrapped)), cadence.delays.default),
  delays_by_outcome: v.optional(
    v.pipe(v.partial(v.object(v.entriesFromList(REPORTED_OUTCOMES, Delays))), meaningOf(cadence.delays_by_outcome.wrapped)),
    cadence.delays_by_outcome.default,
  ),
  max_attempts: v.optional(v.pipe(cadence.max_attempts.wrapped, v.maxValue(MOST_CALLS)), cadence.max_attempts.default),
  transfer_unavailable_delay: v.optional(
    v.pipe(Seconds, meaningOf(cadence.transfer_unavailable_delay.wrapped)),
    cadence.transfer_unavailable_delay.default,
  ),
})

const { entries: reengagement } = LeadType.entries.reengagement.wrapped

export const BoundedReengagement = v.object({
  ...reengagement,
  min_days: v.optional(v.pipe(reengagement.min_days.wrapped, v.maxValue(MOST_DAYS)), reengagement.min_days.default),
})

const { entries: handOver } = LeadType.entries.transfer.wrapped.wrapped

export const BoundedHandOver = v.object({
  ...handOver,
  hold_limit_seconds: v.optional(
    v.pipe(handOver.hold_limit_seconds.wrapped, v.maxValue(LONGEST_HOLD)),
    handOver.hold_limit_seconds.default,
  ),
})

/** An escalation always forwards the call blind. */
export const BoundedEscalation = v.object({
  ...BoundedHandOver.entries,
  mode: v.pipe(
    v.picklist(['blind']),
    v.description('Always blind: an escalation forwards the call without asking whether somebody is available.'),
  ),
})

export const LineCount = v.pipe(User.entries.lines.wrapped, v.integer(), v.minValue(0), v.maxValue(MOST_LINES))
