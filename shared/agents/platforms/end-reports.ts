import type { Instant } from '../../platform/values/values.ts'
import { completionOf } from './analysis.ts'
import type { CallEnd, OpenReport } from './open-report.ts'
import { LAST_INSTANT } from './read-answer.ts'

/** Where and when something happened. */
interface Moment {
  readonly platformCallId: string
  readonly time: Instant
}

interface End extends Moment {
  readonly end: CallEnd
  /** Null when the platform does not say. */
  readonly seconds: number | null
}

/** A time that a platform sent. @returns `at` when it sent none */
export const instantOr = (sent: number | null, at: Instant): Instant =>
  sent !== null && sent > 0 && sent < LAST_INSTANT ? Math.round(sent) : at

/**
 * A report whose repeats are recognised, whether they come from a callback or from a poll.
 * @param time an instant, or ISO 8601
 */
export const platformReport = (
  { platformCallId, time }: Pick<Moment, 'platformCallId'> & { readonly time: Instant | string },
  type: OpenReport['type'],
  data?: Readonly<Record<string, unknown>>,
): OpenReport => ({ type, time: new Date(time).toISOString(), event_id: `${type}-${platformCallId}`, ...(data && { data }) })

const duration = (seconds: number | null) => (seconds === null ? {} : { duration_seconds: Math.max(0, seconds) })

/** A call is over, and the event does not show how. Before the outcome is presumed, the platform's record is read, which shows more. */
export const endUnexplained = ({ seconds, ...moment }: Omit<End, 'end'>): readonly OpenReport[] => [
  platformReport(moment, 'call.ended', duration(seconds)),
]

/** A conversation is over. Its outcome is reported later, or never. */
export const endBeforeOutcome = ({ end, seconds, ...moment }: End): readonly OpenReport[] => [
  platformReport(moment, 'call.ended', { ...duration(seconds), presumed_outcome: completionOf(end, undefined)['outcome'] }),
]

/** A call is over, and nothing more will be reported. */
export const endWithOutcome = ({ end, seconds, ...moment }: End, extracted?: unknown, summary?: unknown): readonly OpenReport[] => [
  platformReport(moment, 'call.ended', duration(seconds)),
  platformReport(moment, 'call.completed', completionOf(end, extracted, summary)),
]
