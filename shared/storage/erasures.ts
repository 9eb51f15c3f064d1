import * as v from 'valibot'
import { erasureKey } from './keys.ts'
import { deleteItem, getItem, updateItem } from './table.ts'

/** An erasure under way: what of it would not be found again when it is cut short. Numbers are in it as hashes alone. */
const Erasure = v.object({ leads: v.optional(v.set(v.number()), new Set<number>()) })

/** Ids of the leads that are being erased, at most 100 of each owner. @param owner whose; undefined: everybody's */
export const leadsBeingErased = async (hash: string, owner: number | undefined): Promise<Set<number>> =>
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
