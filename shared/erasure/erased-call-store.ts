import * as v from 'valibot'
import type { Call } from '../calling/call.ts'
import { getCall } from '../calling/call-store.ts'
import { now } from '../platform/clock.ts'
import { erasedCallKey, type Key, parseCallId, parseCallKey } from '../platform/keys.ts'
import { expiresAt, isKept } from '../platform/table/expiry.ts'
import { deleteItem, getItem, putItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import { Id, Instant } from '../platform/values/values.ts'

/**
 * Milliseconds. Reports about an erased call are accepted for this long. Agents report calls, and text answers to them, within this time.
 */
export const ERASED_CALL_KEPT = 30 * DAY

/**
 * The remains of an erased person's call: who may report it, and the phone's hash. A stop that is reported later then still takes effect.
 * It holds nothing else of the person.
 */
const ErasedCall = v.object({
  call_id: v.string(),
  owner: Id,
  agent: v.string(),
  /** The phone's partition key. */
  phone_key: v.string(),
  erased_time: Instant,
  expires_at: v.number(),
})
export type ErasedCall = v.InferOutput<typeof ErasedCall>

/** Reads only these fields, so that a malformed call can be erased too. */
const CallHead = v.pick(ErasedCall, ['call_id', 'owner', 'agent', 'phone_key'])

/** Undefined also after its retention time. */
const getErasedCall = async (callId: string): Promise<ErasedCall | undefined> => {
  const parts = parseCallId(callId)
  const erased = parts && (await getItem(ErasedCall, erasedCallKey(parts.lead, parts.attempt)))
  return erased && isKept(erased, now()) ? erased : undefined
}

/** A call, or its remains after the erasure of its person. */
export const getCallEver = async (callId: string): Promise<Call | ErasedCall | undefined> =>
  (await getCall(callId)) ?? getErasedCall(callId)

/**
 * Stores the remains of a call first, for a stop that is reported later, and then removes the call.
 * Safe to repeat. @returns whether the call existed
 */
export const eraseCall = async (key: Key, item: unknown): Promise<boolean> => {
  const { lead, attempt } = parseCallKey(key)
  const head = v.safeParse(CallHead, item)
  if (head.success) {
    const left: ErasedCall = { ...head.output, erased_time: now(), expires_at: expiresAt(now(), ERASED_CALL_KEPT) }
    await putItem({ ...erasedCallKey(lead, attempt), ...left })
  }
  return deleteItem(key)
}
