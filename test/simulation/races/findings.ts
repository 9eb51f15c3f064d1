import type { Call } from '#shared/calling/call.ts'
import type { Lead } from '#shared/leads/lead.ts'
import type { AgentRequest } from './agent.ts'
import type { History } from './history.ts'
import { KINDS, type Kind, OF_THREE } from './plan.ts'
import type { Stopped } from './race.ts'
import type { DialTransaction } from './table-weather.ts'

/** The attributes of a call that a fault prints. */
const MILESTONES = [
  'asked_time',
  'accepted_time',
  'heard_time',
  'refused_time',
  'unknown_time',
  'answered_time',
  'ended_time',
  'completed_time',
  'cancel_asked_time',
  'failure',
  'unclear_reason',
] as const

/** The traces of one race. */
export interface Outcome extends Stopped {
  readonly intents: History['intents']
  /** Places of the stop and of the call's outcome in the order of the table's writes. */
  readonly stopped: number | null
  readonly completed: number | null
  readonly dials: readonly DialTransaction[]
  readonly requests: readonly AgentRequest[]
  /** When the table had written that the agent accepted a call of the lead, as `performance.now()`. */
  readonly accepted: number | null
  /** Start of each message run about the lead. `performance.now()`. */
  readonly runs: readonly number[]
  /** The lead and its calls at the end. */
  readonly end: Pick<Lead, 'status' | 'call_dnc' | 'next_call_time' | 'promised_time' | 'due_list'>
  readonly calls: readonly Pick<Call, 'call_id' | (typeof MILESTONES)[number]>[]
}

type Way = 'stop' | 'dial'

const isPause = (kind: Kind): boolean => kind.startsWith('pause')
const IN_CALL: Kind = 'cancelled in the call'

/** The winner in the table: the stop, or the call's intent. For a stop during a call: the stop, or the call's outcome. */
export const wayOf = ({ subject, intents, stopped, completed }: Outcome): Way => {
  if (stopped === null) return 'dial'
  const isEarlier = (place: number | null) => place !== null && place < stopped
  const isDial = subject.race.kind === IN_CALL ? isEarlier(completed) : intents.some(({ place }) => isEarlier(place))
  return isDial ? 'dial' : 'stop'
}

const until = ({ lifted }: Outcome): number => lifted ?? Number.POSITIVE_INFINITY

/** Milliseconds from the acknowledgement to the last dial request while the stop was in force. Null when there was none. */
export const lastRequestAfter = (outcome: Outcome): number | null => {
  const late = outcome.requests.filter(({ kind, arrived }) => kind === 'dial' && arrived > outcome.acknowledged && arrived < until(outcome))
  return late.length === 0 ? null : Math.max(...late.map(({ arrived }) => arrived)) - outcome.acknowledged
}

const intentFaults = (outcome: Outcome): string[] => {
  const { intents, dials, acknowledged, acknowledgedTime } = outcome
  const committed = new Map(dials.flatMap((dial) => (dial.result === 'committed' ? [[dial.callId, dial]] : [])))
  return intents.flatMap(({ callId, against, time }) => {
    const dial = committed.get(callId)
    if (!dial) return [`the intent of ${callId} was written by nobody`]
    if (against !== null) return [`the intent of ${callId} was written against "${against}"`]
    if (dial.answered > until(outcome)) return []
    const isLate = dial.begun > acknowledged || time > acknowledgedTime
    return isLate ? [`the intent of ${callId} was written ${Math.round(dial.begun - acknowledged)} ms after the acknowledgement`] : []
  })
}

/**
 * Dial requests after an instant that no earlier run explains. A run asks at most once, so a run that began before the instant may still
 * ask. Runs are counted, not timed, because a slow machine may take any time over a request.
 */
const unexcused = ({ requests, runs }: Outcome, instant: number, end = Number.POSITIVE_INFINITY): number => {
  const dials = requests.filter(({ kind, arrived }) => kind === 'dial' && arrived < end)
  const after = dials.filter(({ arrived }) => arrived > instant).length
  const begun = runs.filter((begun) => begun <= instant).length
  return Math.max(0, after - Math.max(0, begun - (dials.length - after)))
}

/** Dial requests for a call after the agent had accepted it, and how much later they came. */
export const askedAgain = (outcome: Outcome): { readonly callId: string; readonly after: number }[] => {
  const dials = outcome.requests.filter(({ kind }) => kind === 'dial')
  return dials.flatMap(({ callId, arrived }) => {
    const accepted = dials.flatMap((one) =>
      one.callId === callId && one.answer === 'accepted' && one.answered !== null ? one.answered : [],
    )
    const after = arrived - Math.min(...accepted)
    return after > 0 ? [{ callId, after }] : []
  })
}

const requestFaults = (outcome: Outcome): string[] => {
  const { requests, accepted, acknowledged } = outcome
  const late = requests.filter(({ time, notAfter }) => !(time <= notAfter))
  // Before it is written, an answer may be lost: on a busy machine it comes after the timeout, and the same key is asked again.
  // After a lift, the lead may have another call.
  const again = accepted === null ? 0 : unexcused(outcome, accepted, outcome.parts ? until(outcome) : undefined)
  const after = unexcused(outcome, acknowledged, until(outcome))
  return [
    ...late.map(({ callId, time, notAfter }) => `the agent was asked for ${callId} ${time - notAfter} ms after its not_after`),
    ...(again > 0 ? [`the agent was asked again ${again} times after its acceptance was written`] : []),
    ...(after > 0 ? [`the agent was asked ${after} times by runs that began after the acknowledgement`] : []),
  ]
}

/** Calls that the agent may have placed, as far as the service knows. */
const placed = ({ requests }: Outcome): string[] => [
  ...new Set(requests.filter(({ kind, answer }) => kind === 'dial' && answer !== 'refused').map(({ callId }) => callId)),
]

export const cancelled = ({ requests }: Outcome): Set<string> =>
  new Set(requests.filter(({ kind }) => kind === 'cancel').map(({ callId }) => callId))

/** The answers and milestones of a call. They show whether the service or this check is wrong. */
const traceOf = ({ requests, calls }: Outcome, callId: string): string => {
  const answers = requests.filter((request) => request.callId === callId).map(({ answer, time }) => `${answer} (sent at ${time})`)
  const call = calls.find(({ call_id }) => call_id === callId)
  const milestones = MILESTONES.flatMap((name) => (call?.[name] == null ? [] : `${name} ${call[name]}`))
  return [`answers: ${answers.join(', ')}`, ...milestones].join('; ')
}

const cancelFaults = (outcome: Outcome): string[] => {
  const { kind } = outcome.subject.race
  // A flag may be lifted before the cancel is sent.
  if (isPause(kind) || kind === IN_CALL || outcome.lifted !== null) return []
  const asked = cancelled(outcome)
  return placed(outcome).flatMap((callId) =>
    asked.has(callId) ? [] : [`the agent was not asked to cancel ${callId} (${traceOf(outcome, callId)})`],
  )
}

const isStopped = ({ subject: { race }, end, lifted }: Outcome): boolean => {
  if (isPause(race.kind) || lifted !== null) return true
  const ofStop = race.way === 'bulk update' ? race.patch : { [race.way.includes('cancelled') ? 'status' : 'call_dnc']: null }
  const stop = { ...ofStop, ...(race.kind === OF_THREE && { call_dnc: null }) }
  const isStatus = !('status' in stop) || end.status === (stop['status'] ?? 'CANCELLED')
  const isFlag = !('call_dnc' in stop) || end.call_dnc
  return isStatus && isFlag && end.next_call_time === null && end.promised_time === null && end.due_list === null
}

const endFaults = (outcome: Outcome): string[] => [
  ...(outcome.stopped === null ? ['the table shows no stop'] : []),
  ...(isStopped(outcome) ? [] : [`the lead did not stay stopped: ${JSON.stringify(outcome.end)}`]),
  ...(outcome.subject.race.kind === IN_CALL && outcome.calls.length !== 1 ? [`the lead has ${outcome.calls.length} calls`] : []),
]

/** Whether the consent was acknowledged before the revocation was sent, so that the revocation ends it. */
const isRevoked = ({ consent, revocation }: NonNullable<Outcome['parts']>): boolean => consent.acknowledged < revocation.asked

/** A consent may count once it is sent, and a revocation must count once it is acknowledged, also after a lift of the stops. */
const consentFaults = (outcome: Outcome): string[] => {
  const { parts, subject, requests, intents, dials, lifted } = outcome
  if (!parts) return []
  const { consent, revocation } = parts
  const isMissing = !subject.race.three?.isConsented
  const early = requests.filter(({ kind, arrived }) => isMissing && kind === 'dial' && arrived < consent.asked)
  const forbids = lifted !== null && isRevoked(parts)
  const written = dials.filter(
    ({ result, begun, answered }) => result === 'committed' && begun > revocation.acknowledged && answered > until(outcome),
  )
  const late = intents.filter(({ callId }) => forbids && written.some((dial) => dial.callId === callId))
  const asked = forbids ? unexcused(outcome, lifted) : 0
  return [
    ...early.map(({ callId, arrived }) => `the agent was asked for ${callId} ${Math.round(consent.asked - arrived)} ms before any consent`),
    ...late.map(({ callId }) => `the intent of ${callId} was written after a lift, although no consent follows the revocation`),
    ...(asked > 0 ? [`the agent was asked ${asked} times after a lift, although no consent follows the revocation`] : []),
  ]
}

const raceFaults = (outcome: Outcome): string[] =>
  [...intentFaults(outcome), ...requestFaults(outcome), ...cancelFaults(outcome), ...consentFaults(outcome), ...endFaults(outcome)].map(
    (fault) => `race ${outcome.subject.race.index} (${outcome.subject.race.kind}, lead ${outcome.subject.lead}): ${fault}`,
  )

/** From this many races of a kind on, both orders must have happened. */
const ENOUGH = 40

const missingWays = (outcomes: readonly Outcome[], name: string): string[] =>
  (['stop', 'dial'] as const).flatMap((way) =>
    outcomes.some((outcome) => wayOf(outcome) === way) ? [] : [`${name}: the ${way} never came first, which shows nothing`],
  )

/** Orders that never happened, so that the races prove nothing about them. */
const balanceFaults = (outcomes: readonly Outcome[]): string[] => [
  ...missingWays(
    outcomes.filter(({ subject: { race } }) => race.kind !== IN_CALL),
    'all races',
  ),
  ...KINDS.flatMap((kind) => {
    const ofKind = outcomes.filter(({ subject: { race } }) => race.kind === kind)
    return ofKind.length >= ENOUGH ? missingWays(ofKind, kind) : []
  }),
]

export const faultsOf = (outcomes: readonly Outcome[]): string[] => [...outcomes.flatMap(raceFaults), ...balanceFaults(outcomes)]
