import type { Explanation } from '../../client/operations.ts'
import { texts } from '../texts.ts'

type Gate = Explanation['gates'][number]

/** The one answer to the question whether a lead is called at an instant. */
export interface LeadVerdict {
  readonly kind: 'good' | 'wait' | 'bad'
  readonly text: string
  /** The check that decides. Undefined: all pass. */
  readonly reason: Gate | undefined
  /** The next instant at which a call is possible, or is planned. Null: nobody knows, or none. */
  readonly next: string | null
}

const ADVICE: ReadonlyMap<string, string> = new Map(Object.entries(texts.actions.advice))

/** Advice for a check that stops a lead for good. */
export const adviceOn = ({ gate, detail }: Pick<Gate, 'gate' | 'detail'>): string =>
  gate === 'status' && / NEW /.test(detail) ? texts.actions.advice.newLead : (ADVICE.get(gate) ?? texts.actions.otherAdvice)

/** Only the end of a call ends such a refusal, and nobody knows when. */
const isBusy = ({ gate }: Gate): boolean => gate === 'call_in_progress' || gate === 'capacity'

/** The checks that stop a lead for longer than another call lasts. */
export const lastingRefusals = ({ gates }: Explanation): readonly string[] =>
  gates.filter((one) => !one.passed && !isBusy(one)).map(({ gate }) => gate)

const latest = (gates: readonly Gate[]): Gate | undefined =>
  gates.toSorted((one, other) => Date.parse(other.next_time ?? '') - Date.parse(one.next_time ?? ''))[0]

const isAfter = (time: string | null, other: string | null): boolean =>
  time !== null && other !== null && Date.parse(time) > Date.parse(other)

const byPlan = (due: Gate | undefined, words: Words): LeadVerdict => {
  if (!due) return { kind: 'good', text: words.callable, reason: undefined, next: null }
  return { kind: 'wait', text: due.next_time === null ? words.unplanned : words.planned, reason: due, next: due.next_time }
}

type Words = (typeof texts.verdict)['now' | 'chosen']

/**
 * Combines the verdicts of all checks. A call in progress comes first, then what somebody must change, and then what time alone changes.
 * @param isNow whether the instant is the present one
 */
export const leadVerdict = ({ callable, gates, next_callable_time: next }: Explanation, isNow: boolean): LeadVerdict => {
  const words: Words = isNow ? texts.verdict.now : texts.verdict.chosen
  const due = gates.find(({ gate, passed }) => gate === 'due' && !passed)
  const refusals = gates.filter(({ gate, passed }) => gate !== 'due' && !passed)
  if (callable) return byPlan(due, words)

  const calling = refusals.find(({ gate }) => gate === 'call_in_progress')
  const lasting = next === null ? (refusals.find((one) => one.next_time === null && !isBusy(one)) ?? refusals[0]) : undefined
  if (calling) return { kind: 'wait', text: words.calling, reason: lasting ?? calling, next: lasting ? null : calling.next_time }
  if (lasting) return { kind: 'bad', text: words.never, reason: lasting, next: null }
  if (refusals.length === 0) return { kind: 'wait', text: words.awaited, reason: due, next }
  const timed = latest(refusals.filter(({ next_time }) => next_time !== null))
  if (isNow && due && isAfter(due.next_time, next)) return byPlan(due, words)
  if (!timed) return { kind: 'wait', text: words.line, reason: refusals[0], next: null }
  return { kind: 'wait', text: words.later, reason: timed, next }
}
