import { requestCancels } from '../backlog/dispatch.ts'
import type { Call } from '../calling/call.ts'
import { recordMilestones } from '../calling/call-store.ts'
import type { ErasedCall } from '../erasure/erased-call-store.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { nextSequence } from '../platform/sequence.ts'
import type { Channel } from './compliance.ts'
import { raiseDnc } from './phone-store.ts'
import { channelsEnded } from './rules/revocation.ts'
import { stopContacting, stopContactingLater } from './stop.ts'

/** The channels that a stop on some of them ends now. */
const ended = (channels: readonly Channel[]): readonly Channel[] => channelsEnded(channels, now(), setting('REVOKE_ALL_FROM'))

/**
 * Raises the stop that a person asked for in a call, on all its channels at once. Then notes on the call when it was first reported. A
 * later report finishes what was cut short, and does not undo a lift since then. The stop comes before the note, because the agent may
 * never repeat a report whose handling crashed.
 */
export const stopFromCall = async (call: Call, channels: readonly Channel[]): Promise<void> => {
  const { owner, phone_number, phone_key } = call
  const all = ended(channels)
  for (const channel of all) {
    const first = call[`${channel}_stopped`]
    if (first !== null) await stopContactingLater(owner, phone_number, phone_key, channel, first)
  }
  const unheard = all.filter((channel) => call[`${channel}_stopped`] === null)
  if (unheard.length === 0) return
  const accepted = nextSequence()
  await stopContacting(owner, phone_number, phone_key, unheard, accepted)
  await recordMilestones(call, Object.fromEntries(unheard.map((channel) => [`${channel}_stopped`, accepted])))
}

/** As `stopFromCall`, for a stop in another call with the person. Nothing is noted on this one: it would not be ended. */
export const stopFromOtherCall = ({ owner, phone_number, phone_key }: Call, channels: readonly Channel[]): Promise<void> =>
  stopContacting(owner, phone_number, phone_key, ended(channels))

/**
 * As `stopFromCall`, for a person who has been erased since. The stop goes on the group's list, where the erasure put their other stops.
 * Other users may have leads with the number. These cannot show the stop, because the number is no longer known. But they are not called
 * or texted.
 */
export const stopFromErasedCall = async ({ owner, phone_key }: ErasedCall, channels: readonly Channel[]): Promise<void> => {
  const all = ended(channels)
  const before = await raiseDnc(phone_key, all, { accepted: nextSequence(), listed: true })
  if (all.includes('call')) await requestCancels(owner, before)
}
