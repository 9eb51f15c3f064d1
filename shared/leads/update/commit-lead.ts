import { transact, type Write } from '../../platform/table/transactions.ts'
import type { Person } from '../../stops/compliance.ts'
import type { Lead } from '../lead.ts'
import { replaceLead, saveLead } from '../lead-store.ts'
import { replacePerson } from '../person-store.ts'
import { pointerWrites } from '../pointer-store.ts'

/**
 * Writes the next version of a lead, and the items that find it by phone, email and external id.
 * @param persons those that change with it, in their next versions
 * @returns false when another write changed any of these first
 */
export const commitLead = async (
  before: Lead,
  after: Lead,
  persons: readonly Person[],
  others: readonly Write[] = [],
): Promise<boolean> => {
  const beside = [...persons.map(replacePerson), ...pointerWrites(before, after), ...others]
  if (beside.length === 0) return saveLead(after)
  return (await transact([replaceLead(after), ...beside])).committed
}
