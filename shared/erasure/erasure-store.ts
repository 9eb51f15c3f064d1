import * as v from 'valibot'
import { erasedLeadsKey, erasureKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { deleteItem, getItem, updateItem } from '../platform/table/table.ts'
import { dayOf } from '../platform/values/day.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { changeListeners } from '../webhooks/subscription-store.ts'

/** An erasure in progress: leads that a retry after a crash could not find again. Phone numbers appear only as hashes. */
const Erasure = v.object({ leads: v.optional(v.set(v.number()), new Set<number>()) })

/**
 * Ids of the leads that are being erased, at most 100 per owner.
 * @param owner the owner's erasure; undefined: the erasure for all owners
 */
export const erasureBegun = async (hash: string, owner: number | undefined): Promise<ReadonlySet<number>> =>
  (await getItem(Erasure, erasureKey(hash, owner)))?.leads ?? new Set()

export const noteErasure = async (hash: string, owner: number | undefined, leads: ReadonlySet<number>): Promise<void> => {
  if (leads.size === 0) return
  await updateItem(erasureKey(hash, owner), {
    UpdateExpression: 'ADD leads :leads',
    ExpressionAttributeValues: { ':leads': new Set(leads) },
  })
}

export const endErasure = async (hash: string, owner: number | undefined): Promise<void> => {
  await deleteItem(erasureKey(hash, owner))
}

/** Milliseconds. An event is pending for less: a day in the stream, and 14 days in the queue and its dead letters. */
const ON_THE_WAY = 16 * DAY

/** Marks erased leads. Their pending events then show only data that still exists at delivery. */
export const noteErasedLeads = async (owner: number, leads: ReadonlySet<number>, at: Instant): Promise<void> => {
  await updateItem(erasedLeadsKey(owner, dayOf(at)), {
    UpdateExpression: 'ADD erased :leads SET expires_at = :expires',
    ExpressionAttributeValues: { ':leads': new Set(leads), ':expires': expiresAt(at, ON_THE_WAY) },
  })
  await changeListeners(owner)
}
