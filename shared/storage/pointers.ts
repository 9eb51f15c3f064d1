import * as v from 'valibot'
import type { Lead } from '../schema/lead.ts'
import { emailPointerKey, externalIdPointerKey, type Key } from './keys.ts'
import { queryAll } from './table.ts'
import type { Write } from './transactions.ts'

const pointersOf = (lead: Lead | undefined): Key[] => [
  ...(lead?.email ? [emailPointerKey(lead.owner, lead.email, lead.id)] : []),
  ...(lead?.external_id ? [externalIdPointerKey(lead.owner, lead.external_id, lead.id)] : []),
]

const isAmong = (keys: readonly Key[], { pk }: Key): boolean => keys.some((key) => key.pk === pk)

/** The writes that make a lead found by its email and external id as they are after a change. For the transaction of that change. */
export const pointerWrites = (before: Lead | undefined, after: Lead): Write[] => {
  const [old, current] = [pointersOf(before), pointersOf(after)]
  return [
    ...current.filter((key) => !isAmong(old, key)).map((key): Write => ({ put: { ...key } })),
    ...old.filter((key) => !isAmong(current, key)).map((key): Write => ({ delete: key })),
  ]
}

const Pointer = v.object({
  sk: v.pipe(
    v.string(),
    v.transform((sk) => Number(sk.replace(/^LEAD#0*/, ''))),
    v.integer(),
  ),
})

const leadsAt = async (pk: string): Promise<number[]> => {
  const pointers = await queryAll(Pointer, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
    ScanIndexForward: false,
  })
  return pointers.map(({ sk }) => sk)
}

/** Ids of the owner's leads with an email, whatever its case; the newest first. Strongly consistent. */
export const leadsByEmail = (owner: number, email: string): Promise<number[]> => leadsAt(emailPointerKey(owner, email, 0).pk)

/** Ids of the owner's leads with an external id; the newest first. Strongly consistent. */
export const leadsByExternalId = (owner: number, externalId: string): Promise<number[]> =>
  leadsAt(externalIdPointerKey(owner, externalId, 0).pk)
