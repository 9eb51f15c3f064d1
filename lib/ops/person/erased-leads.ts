import { noteErasedLeads } from '#shared/erasure/erasure-store.ts'
import { now } from '#shared/platform/clock.ts'
import type { PersonItem } from './person-items.ts'

/** The lead that the item belongs to, with its owner. */
const leadOf = ({ type, item }: PersonItem): { owner: number; lead: number }[] => {
  const { owner, id, lead } = item
  const named = type === 'lead' ? id : lead
  return typeof owner === 'number' && typeof named === 'number' ? [{ owner, lead: named }] : []
}

/** Marks the leads as erased. Otherwise events in flight would be stored as deliveries with the old data. */
export const untellLeads = async (items: readonly PersonItem[]): Promise<void> => {
  const byOwner = Map.groupBy(items.flatMap(leadOf), ({ owner }) => owner)
  for (const [owner, leads] of byOwner) await noteErasedLeads(owner, new Set(leads.map(({ lead }) => lead)), now())
}
