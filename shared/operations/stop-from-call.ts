import { nextSequence } from '../adapters/sequence.ts'
import type { Call } from '../schema/call.ts'
import type { Channel } from '../schema/compliance.ts'
import { tellCall } from '../storage/calls.ts'
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
