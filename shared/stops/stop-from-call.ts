import { requestCancels } from '../backlog/dispatch.ts'
import type { Call } from '../calling/call.ts'
import { recordMilestones } from '../calling/call-store.ts'
import { isRevokedInCall, revokedAt, revokeInCall } from '../consents/revoke-in-call.ts'
import type { ErasedCall } from '../erasure/erased-call-store.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { nextSequence, timeOfSequence } from '../platform/sequence.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Channel, Phone } from './compliance.ts'
import { noteRevocation, raiseDnc } from './flag-store.ts'
import { failDialsUnderWay, getPhone } from './phone-store.ts'
import { channelsEnded } from './rules/revocation.ts'
import { raisedAt, stopContacting, stopContactingLater } from './stop.ts'
import { stopHistory } from './stop-history.ts'
import type { StopOrigin } from './stop-record.ts'

/** A stop that a person asked for. */
export interface AskedStop {
  readonly channels: readonly Channel[]
  readonly means: 'call' | 'text'
  /** The person's exact words, if they are known. */
  readonly words: string | null
  /** When the person asked, by the agent's clock. Absent: unknown. */
  readonly time?: Instant
}

const originOf = ({ call_id, lead, agent }: Call, { means, words }: AskedStop): StopOrigin => ({ means, call_id, lead, agent, words })

/** The channels that a stop on some of them ends now. */
const ended = (channels: readonly Channel[]): readonly Channel[] => channelsEnded(channels, now(), setting('REVOKE_ALL_FROM'))

/** Raises a stop. If it ends calls, it also revokes the consent to them. */
const raise = async (call: Call, channels: readonly Channel[], asked: AskedStop, accepted = nextSequence()): Promise<void> => {
  const { owner, phone_number, phone_key } = call
  await stopContacting(owner, phone_number, phone_key, channels, originOf(call, asked), { accepted, revoked: revokedAt(call, asked.time) })
  if (channels.includes('call')) await revokeInCall(call, { ...asked, channels })
}

/** Whether a stop in the same call has these words. A report that the agent sends again has no new words. */
const isRecorded = async ({ phone_key }: Call, origin: StopOrigin): Promise<boolean> => {
  const past = await stopHistory(phone_key)
  return past.some(({ means, call_id, words }) => means === origin.means && call_id === origin.call_id && words === origin.words)
}

/**
 * The channels on which the person asked again, after an earlier stop in the call. A repeat of an earlier report has known words, and a
 * time before a lift. So other words are another stop, and a later time is one after a lift.
 */
const askedAgain = async (
  call: Call,
  phone: Phone,
  heard: readonly Channel[],
  { words, time = 0 }: AskedStop,
  origin: StopOrigin,
): Promise<readonly Channel[]> => {
  if (words !== null && !(await isRecorded(call, origin))) return heard
  return heard.filter((channel) => !phone[`${channel}_dnc`] && time > timeOfSequence(phone[`${channel}_lifted`] ?? ''))
}

/**
 * Revokes the consent to calls again, after an earlier stop of calls in the call: a consent may have been recorded since. A repeat of an
 * earlier report changes nothing.
 */
const revokeAgain = async (call: Call, channels: readonly Channel[], asked: AskedStop): Promise<void> => {
  if (await isRevokedInCall(call, asked)) return
  await noteRevocation(call.phone_key, revokedAt(call, asked.time))
  await revokeInCall(call, { ...asked, channels })
  // The stop may be lifted by now.
  await failDialsUnderWay(call.phone_key)
}

/** Finishes what an earlier report of stops in the call began. @returns the channels on which the person asked again */
const finishEarlier = async (call: Call, heard: readonly Channel[], asked: AskedStop, origin: StopOrigin): Promise<readonly Channel[]> => {
  if (heard.length === 0) return []
  const { owner, phone_number, phone_key } = call
  const phone = await getPhone(phone_key)
  const again = await askedAgain(call, phone, heard, asked, origin)
  for (const channel of heard) {
    const first = call[`${channel}_stopped`]
    if (first === null || again.includes(channel)) continue
    const since = phone[`${channel}_dnc`] ? raisedAt(phone, channel) : first
    await stopContactingLater(owner, phone_number, phone_key, channel, origin, since)
  }
  return again
}

/**
 * Raises the stop that a person asked for in a call, on all its channels at once. Then notes on the call when it was first reported. A
 * later report finishes what was cut short. It does not undo a lift since then, unless the person has asked again. The stop comes before
 * the note, because the agent may never repeat a report whose handling crashed.
 */
export const stopFromCall = async (call: Call, asked: AskedStop): Promise<void> => {
  const all = ended(asked.channels)
  if (all.length === 0) return
  const origin = originOf(call, asked)
  const unheard = all.filter((channel) => call[`${channel}_stopped`] === null)
  const heard = all.filter((channel) => !unheard.includes(channel))
  const raised = [...unheard, ...(await finishEarlier(call, heard, asked, origin))]
  if (raised.length > 0) {
    const accepted = nextSequence()
    await raise(call, raised, asked, accepted)
    if (unheard.length > 0) await recordMilestones(call, Object.fromEntries(unheard.map((channel) => [`${channel}_stopped`, accepted])))
  }
  if (all.includes('call') && !raised.includes('call')) await revokeAgain(call, all, asked)
}

/** As `stopFromCall`, for a stop in another call with the person. Nothing is noted on this one: it would not be ended. */
export const stopFromOtherCall = (call: Call, asked: AskedStop): Promise<void> => raise(call, ended(asked.channels), asked)

/**
 * As `stopFromCall`, for a person who has been erased since. The stop goes on the group's list, where the erasure put their other stops.
 * Other users may have leads with the number. These cannot show the stop, because the number is no longer known. But they are not called
 * or texted.
 */
export const stopFromErasedCall = async ({ owner, phone_key, agent }: ErasedCall, { channels, means }: AskedStop): Promise<void> => {
  const all = ended(channels)
  // The words could name the person.
  const before = await raiseDnc(phone_key, all, { accepted: nextSequence(), owner, origin: { means, agent }, listed: true, revoked: now() })
  if (all.includes('call')) await requestCancels(owner, before)
}
