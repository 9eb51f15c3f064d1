import * as v from 'valibot'
import { emailPointerKey, externalIdPointerKey, GUARD_SK, type Key, parsePointerSk, pointerSk } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { query } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import type { Lead } from './lead.ts'

/** Keys of the items, called pointers, that find a lead by its email and external id. */
export const pointersOf = (lead: Lead | undefined): Key[] => [
  ...(lead?.email ? [emailPointerKey(lead.owner, lead.email, lead.id)] : []),
  ...(lead?.external_id ? [externalIdPointerKey(lead.owner, lead.external_id, lead.id)] : []),
]

const isAmong = (keys: readonly Key[], { pk }: Key): boolean => keys.some((key) => key.pk === pk)

/** Writes that update a lead's pointers for a change. They belong in the transaction of that change. */
export const pointerWrites = (before: Lead | undefined, after: Lead): Write[] => {
  const [old, current] = [pointersOf(before), pointersOf(after)]
  return [
    ...current.filter((key) => !isAmong(old, key)).map((key): Write => ({ put: { ...key } })),
    ...old.filter((key) => !isAmong(current, key)).map((key): Write => ({ delete: key })),
  ]
}

const PointerOrGuard = v.object({ sk: v.string(), upserted: v.optional(v.string()) })

const ofValue = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
  ConsistentRead: true,
  ScanIndexForward: false,
})

const idsOf = (found: readonly { readonly sk: string }[]): number[] =>
  found.filter(({ sk }) => sk !== GUARD_SK).map(({ sk }) => parsePointerSk(sk))

/** The most leads with one shared value that are read. */
export const MOST_SHARING = 25

/** The leads found by a value. */
export interface Pointed {
  /** Ids of the leads, largest first: at most MOST_SHARING + 1, so that the caller can see that there are more. */
  readonly leads: readonly number[]
  /** Token of the last upsert that gave a lead the value, or that found no lead with it. */
  readonly guard: string | null
}

/** Strongly consistent. Costs the same however many leads share the value. @param pk of a pointer */
export const pointed = async (pk: string): Promise<Pointed> => {
  // The guard sorts after all pointers. In reverse order it comes first.
  const { items } = await query(PointerOrGuard, { ...ofValue(pk), Limit: 1 + MOST_SHARING + 1 })
  const guard = items.find(({ sk }) => sk === GUARD_SK)?.upserted ?? null
  return { leads: idsOf(items).slice(0, MOST_SHARING + 1), guard }
}

/** The most leads with one value that `leadsByEmail` and `leadsByExternalId` return. */
export const MOST_FOUND = 1000

const leadsAt = async (pk: string): Promise<number[]> => {
  // One more for the guard.
  const { items } = await query(PointerOrGuard, { ...ofValue(pk), Limit: MOST_FOUND + 1 })
  return idsOf(items).slice(0, MOST_FOUND)
}

/** Ids of the owner's leads with an email, ignoring case: at most MOST_FOUND, the largest first. Strongly consistent. */
export const leadsByEmail = (owner: number, email: string): Promise<number[]> => leadsAt(emailPointerKey(owner, email, 0).pk)

/** Ids of the owner's leads with an external id: at most MOST_FOUND, the largest first. Strongly consistent. */
export const leadsByExternalId = (owner: number, externalId: string): Promise<number[]> =>
  leadsAt(externalIdPointerKey(owner, externalId, 0).pk)

/** The leads of the list that have the value. Strongly consistent. @param pk of a pointer */
export const pointedAmong = async (pk: string, leads: readonly number[]): Promise<ReadonlySet<number>> => {
  const keys = leads.map((lead) => ({ pk, sk: pointerSk(lead) }))
  return new Set(idsOf(await batchGet(PointerOrGuard, keys, { consistent: true })))
}
