import { requestCancels } from '../backlog/dispatch.ts'
import type { Call } from '../calling/call.ts'
import { recordMilestones } from '../calling/call-store.ts'
import type { ErasedCall } from '../erasure/erased-call-store.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { nextSequence } from '../platform/sequence.ts'
import type { Channel } from './compliance.ts'
import { getPhone, raiseDnc, recordStop } from './phone-store.ts'
import { channelsEnded } from './rules/revocation.ts'
import { stopContacting, stopContactingLater } from './stop.ts'
import { stopHistory } from './stop-history.ts'
import type { StopOrigin } from './stop-record.ts'

/** A stop that a person asked for. */
export interface AskedStop {
  readonly channels: readonly Channel[]
  readonly means: 'call' | 'text'
  /** The person's exact words, if they are known. */
  readonly words: string | null
}

const originOf = ({ call_id, lead, agent }: Call, { means, words }: AskedStop): StopOrigin => ({ means, call_id, lead, agent, words })

/** The channels that a stop on some of them ends now. */
const ended = (channels: readonly Channel[]): readonly Channel[] => channelsEnded(channels, now(), setting('REVOKE_ALL_FROM'))

/** Keeps new words of a person whose stops in the call are noted. A report that the agent sends again has no new words. */
const keepWords = async ({ owner, phone_key }: Call, channels: readonly Channel[], origin: StopOrigin): Promise<void> => {
  const phone = await getPhone(phone_key)
  const stopped = channels.filter((channel) => phone[`${channel}_dnc`])
  if (stopped.length === 0) return
  const past = await stopHistory(phone_key)
  const isKept = past.some(({ means, call_id, words }) => means === origin.means && call_id === origin.call_id && words === origin.words)
  if (!isKept) await recordStop(phone_key, stopped, { accepted: nextSequence(), owner, origin })
}

/**
 * Raises the stop that a person asked for in a call, on all its channels at once. Then notes on the call when it was first reported. A
 * later report finishes what was cut short, and does not undo a lift since then. The stop comes before the note, because the agent may
 * never repeat a report whose handling crashed.
 */
export const stopFromCall = async (call: Call, asked: AskedStop): Promise<void> => {
  const { owner, phone_number, phone_key } = call
  const all = ended(asked.channels)
  const origin = originOf(call, asked)
  for (const channel of all) {
    const first = call[`${channel}_stopped`]
    if (first !== null) await stopContactingLater(owner, phone_number, phone_key, channel, origin, first)
  }
  const unheard = all.filter((channel) => call[`${channel}_stopped`] === null)
  if (unheard.length === 0) return asked.words === null ? undefined : keepWords(call, all, origin)
  const accepted = nextSequence()
  await stopContacting(owner, phone_number, phone_key, unheard, origin, accepted)
  await recordMilestones(call, Object.fromEntries(unheard.map((channel) => [`${channel}_stopped`, accepted])))
}

/** As `stopFromCall`, for a stop in another call with the person. Nothing is noted on this one: it would not be ended. */
export const stopFromOtherCall = (call: Call, asked: AskedStop): Promise<void> =>
  stopContacting(call.owner, call.phone_number, call.phone_key, ended(asked.channels), originOf(call, asked))

/**
 * As `stopFromCall`, for a person who has been erased since. The stop goes on the group's list, where the erasure put their other stops.
 * Other users may have leads with the number. These cannot show the stop, because the number is no longer known. But they are not called
 * or texted.
 */
export const stopFromErasedCall = async ({ owner, phone_key, agent }: ErasedCall, { channels, means }: AskedStop): Promise<void> => {
  const all = ended(channels)
  // The words could name the person.
  const before = await raiseDnc(phone_key, all, { accepted: nextSequence(), owner, origin: { means, agent }, listed: true })
  if (all.includes('call')) await requestCancels(owner, before)
}
