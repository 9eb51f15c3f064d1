import type { Call } from '#shared/calling/call.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { DialledCall } from './dialled-calls.ts'
import type { LeadEvidence, RoundEvidence } from './round-evidence.ts'

/**
 * A call that was decided on so shortly before the end of the round need not be over: it lasts up to eight minutes, a conversation without
 * an outcome counts half an hour after its end, and the sweep comes later.
 */
const UNFINISHED = 60 * MINUTE

const minutes = (time: number): number => Math.round(time / MINUTE)

const dialFaults = ({ dialled, leads }: RoundEvidence): string[] => {
  const byCall = Map.groupBy(dialled, ({ callId }) => callId)
  const notAfter = new Map(leads.flatMap(({ calls }) => calls.map(({ call_id, not_after }) => [call_id, not_after] as const)))
  const twice = [...byCall].flatMap(([callId, all]) => (all.length > 1 ? [`attempt ${callId} rang ${all.length} phones`] : []))
  const strange = dialled.filter(({ callId }) => !notAfter.has(callId)).map(({ callId }) => `call ${callId} rang without an attempt`)
  const late = dialled.filter(({ callId, rangAt }) => rangAt > (notAfter.get(callId) ?? Number.POSITIVE_INFINITY))
  return [...twice, ...strange, ...late.map(({ callId }) => `call ${callId} rang after its last instant`)]
}

/** Two calls to one phone, of which the second began while the first went on. */
const overlaps = ({ dialled }: RoundEvidence): string[] =>
  [...Map.groupBy(dialled, ({ phone }) => phone).values()].flatMap((calls) =>
    calls.flatMap((one, index) =>
      calls
        .slice(index + 1)
        .filter((other) => other.rangAt < (one.endedAt ?? Number.POSITIVE_INFINITY))
        .map((other) => `call ${other.callId} rang during call ${one.callId} to the same phone`),
    ),
  )

const leadFaults = ({ id, lead, calls, stopped }: LeadEvidence): string[] => {
  if (!lead) return [`lead ${id} is gone`]
  const { status, call_dnc, current_call, next_call_time, due_list, held_by } = lead
  const current = calls.find(({ call_id }) => call_id === current_call)
  const isSafe = current ? current.settled_time === null : next_call_time !== null && due_list !== null && (due_list !== 'HELD' || held_by)
  const late = calls.filter(({ intent_time }) => stopped !== null && intent_time > stopped)
  return [
    ...(isCallable(status) && !call_dnc && !isSafe ? [`lead ${id} is ${status}, and has neither a next call nor one in progress`] : []),
    ...(current_call !== null && !current ? [`lead ${id} is in call ${current_call}, which is not there`] : []),
    ...late.map(({ call_id }) => `call ${call_id} was decided on after a stop`),
    ...calls.filter(({ verdicts }) => Object.keys(verdicts).length === 0).map(({ call_id }) => `call ${call_id} has no verdicts`),
  ]
}

const isOver = (call: Call): boolean => call.settled_time !== null
const isFated = ({ completed_time, refused_time, unknown_time }: Call): boolean =>
  completed_time !== null || refused_time !== null || unknown_time !== null

/** Whether the platform could have reported how the call went. */
const isTold = ({ party, endedAt, isCancelled }: DialledCall, call: Call): boolean =>
  party.isPolled && endedAt !== null && !isCancelled && call.provider_call_id !== null

/** Whether a call was given up that nobody looked for, although its platform can. */
const isForsaken = ({ party }: LeadEvidence, call: Call, searched: ReadonlySet<string>): boolean =>
  party.kind === 'findable' && call.asked_time !== null && call.unknown_time !== null && isUnheard(call) && !searched.has(call.call_id)

const isUnheard = ({ accepted_time, heard_time }: Call): boolean => accepted_time === null && heard_time === null

const callFaults = ({ dialled, ended, searched }: RoundEvidence, lead: LeadEvidence): string[] =>
  lead.calls.flatMap((call) => {
    if (call.intent_time > ended - UNFINISHED) return []
    const { call_id: id, reported_outcome: reported } = call
    if (!isOver(call) || !isFated(call)) return [`call ${id} is not over ${minutes(ended - call.intent_time)} minutes after it began`]
    if (isForsaken(lead, call, searched)) return [`call ${id} was given up, and never looked up`]
    const rang = dialled.find(({ callId }) => callId === id)
    if (!rang) return reported === null ? [] : [`call ${id} never rang, and has the outcome ${reported}`]
    if (call.refused_time !== null) return [`call ${id} rang, and counts as refused`]
    if (reported === null) return isTold(rang, call) ? [`the outcome of call ${id} is lost, although its platform knew it`] : []
    const isRight = rang.isCancelled || rang.outcomes.includes(reported)
    return isRight ? [] : [`call ${id} ended as ${rang.end}, and has the outcome ${reported}`]
  })

/** Broken promises of a round. */
export const roundFaults = (evidence: RoundEvidence): string[] => [
  ...dialFaults(evidence),
  ...overlaps(evidence),
  ...evidence.leads.flatMap((lead) => [...leadFaults(lead), ...callFaults(evidence, lead)]),
  ...evidence.holds.map(({ callId, what, minutes: held }) => `call ${callId} held its ${what} for ${held} minutes after its end`),
  ...(evidence.mostLines > evidence.lines ? [`${evidence.mostLines} calls at once on ${evidence.lines} lines`] : []),
]
