import { nextSequence } from '../adapters/sequence.ts'
import type { Call } from '../schema/call.ts'
import type { Channel } from '../schema/compliance.ts'
import { tellCall } from '../storage/calls.ts'
import type { ErasedCall } from '../storage/erased-calls.ts'
import { raiseDnc } from '../storage/phones.ts'
import { requestCancel } from './request-cancel.ts'
import { stopContacting, stopContactingLater } from './stop.ts'

/**
 * Raises the stop that a person asked for in a call, as of when it was first told: told again it finishes what was cut short, and
 * undoes nothing that was lifted since.
 */
export const stopFromCall = async ({ call_id, owner, phone_number, phone_key }: Call, channel: Channel): Promise<void> => {
  const name = `${channel}_stopped` as const
  const accepted = nextSequence()
  const first = (await tellCall(call_id, { [name]: accepted }))?.[name] ?? accepted
  const raise = first === accepted ? stopContacting : stopContactingLater
  await raise(owner, phone_number, phone_key, channel, first)
}

/**
 * As `stopFromCall`, when the person has been erased since: on the group's list, where the erasure has put their other stops. Leads of
 * the number, whose there may be some of others, cannot be told, for nobody knows it; none of them is called or texted any more.
 */
export const stopFromErasedCall = async ({ owner, phone_key }: ErasedCall, channel: Channel): Promise<void> => {
  const { current_call } = await raiseDnc(phone_key, [channel], { accepted: nextSequence(), listed: true })
  if (channel === 'call' && current_call !== null) await requestCancel({ owner, callId: current_call })
}
