import type { Person } from '../schema/compliance.ts'
import type { Lead } from '../schema/lead.ts'
import { replaceLead, saveLead } from '../storage/leads.ts'
import { replacePerson } from '../storage/persons.ts'
import { pointerWrites } from '../storage/pointers.ts'
import { transact, type Write } from '../storage/transactions.ts'

/**
 * Writes the next version of a lead with all that finds it by its phone, email and external id.
 * @param persons those that change with it, in their next versions
 * @returns false when somebody else has written any of that since it was read
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
