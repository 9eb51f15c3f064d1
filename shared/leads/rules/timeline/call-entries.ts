import { transferLegs } from '../../../agents/rules/transfer-legs.ts'
import type { Call } from '../../../calling/call.ts'
import type { Sms } from '../../../events/sms.ts'
import { acceptedTime, entry, type TimelineEntry } from './entry.ts'

const transferEntries = (call: Call): TimelineEntry[] =>
  transferLegs(call).flatMap(({ mode, destination, initiated_time, connected_time, ended_time, reason }) => {
    const to = [mode, destination && `to ${destination}`].filter(Boolean).join(' ')
    const of = (time: number | null, text: string) => entry('call', time, text, call.call_id)
    return [
      ...of(initiated_time, `call ${call.attempt}: transfer begun${to && ` (${to})`}`),
      ...of(connected_time, `call ${call.attempt}: transferred`),
      ...of(ended_time, `call ${call.attempt}: transfer ended${reason ? ` (${reason})` : ''}`),
    ]
  })

const completion = ({ outcome, reported_outcome, summary }: Call): string =>
  [`${outcome ?? 'no outcome'}, reported as ${reported_outcome ?? 'nothing'}`, summary].filter(Boolean).join(': ')

/** The milestones of a call. Each is recorded once. */
export const callEntries = (call: Call): TimelineEntry[] => {
  const { attempt, call_direction, phone_number, agent } = call
  const of = (time: number | null, text: string) => entry('call', time, `call ${attempt}: ${text}`, call.call_id)
  const toOrFrom = call_direction === 'outbound' ? 'to' : 'from'
  return [
    ...of(call.intent_time, `${call_direction}, ${toOrFrom} ${phone_number}, agent ${agent}`),
    ...of(call.accepted_time, 'taken by the agent'),
    ...of(call.answered_time, 'answered'),
    ...transferEntries(call),
    ...of(call.call_stopped === null ? null : acceptedTime(call.call_stopped), 'asked not to be called again'),
    ...of(call.sms_stopped === null ? null : acceptedTime(call.sms_stopped), 'asked not to be sent text messages'),
    ...of(call.cancel_asked_time, 'the agent was asked to cancel it'),
    ...of(call.refused_time, `refused: ${call.failure ?? 'no reason given'}`),
    ...of(call.unknown_time, `fate unknown: ${call.failure ?? 'no reason given'}`),
    ...of(call.ended_time, 'ended'),
    ...of(call.completed_time, completion(call)),
    ...(call.contradictions ?? []).flatMap(({ time, outcome }) => of(time, `reported again, as ${outcome}, which does not count`)),
  ]
}

export const textEntries = ({ time, direction, body, status, sms_id }: Sms): TimelineEntry[] =>
  entry('text', time, `text message, ${direction ?? 'direction unknown'}${status ? `, ${status}` : ''}: ${body ?? ''}`.trimEnd(), sms_id)
