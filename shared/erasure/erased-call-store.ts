import * as v from 'valibot'
import { now } from '../platform/clock.ts'
import { erasedCallKey, type Key, parseCallId, parseCallKey } from '../platform/keys.ts'
import { expiresAt, isKept } from '../platform/table/expiry.ts'
import { deleteItem, getItem, putItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import { Id, Instant } from '../platform/values/values.ts'

/** How long after the erasure what is told of a call is listened to: no agent reports of one, or of a text that answers it, for longer. */
export const ERASED_CALL_KEPT = 30 * DAY

/**
 * What is left of a call whose person has been erased: who may tell of it, and the hash of the phone, so that a stop holds that is told
 * only now. Nothing else of the person.
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

/** As much of a call as it takes, also when the rest of it cannot be read. */
const CallHead = v.pick(ErasedCall, ['call_id', 'owner', 'agent', 'phone_key'])

/** Undefined also when it was erased longer ago than it is kept for. */
export const getErasedCall = async (callId: string): Promise<ErasedCall | undefined> => {
  const parts = parseCallId(callId)
  const erased = parts && (await getItem(ErasedCall, erasedCallKey(parts.lead, parts.attempt)))
  return erased && isKept(erased, now()) ? erased : undefined
}

/** Removes a call, once a stop that is told of it later will find what it needs. Safe to repeat. @returns whether it was there */
export const eraseCall = async (key: Key, item: unknown): Promise<boolean> => {
  const { lead, attempt } = parseCallKey(key)
  const head = v.safeParse(CallHead, item)
  if (head.success) {
    const left: ErasedCall = { ...head.output, erased_time: now(), expires_at: expiresAt(now(), ERASED_CALL_KEPT) }
    await putItem({ ...erasedCallKey(lead, attempt), ...left })
  }
  return deleteItem(key)
}
