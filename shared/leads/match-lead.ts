import { getLeads } from './lead-store.ts'
import { getPerson } from './person-store.ts'
import { newestFirst } from './rules/newest-first.ts'
import { emailKey } from './rules/uniqueness.ts'

/**
 * Finds the owner's lead with a phone number and an email, ignoring case. Null means a lead without an email.
 * @returns its id, or the newest one's when there are several; undefined when there is none
 */
export const matchLead = async (owner: number, phoneNumber: string, email: string | null): Promise<number | undefined> => {
  const person = await getPerson(owner, phoneNumber)
  const ids = person.leads.flatMap((lead) => (lead.email === emailKey(email) ? lead.id : []))
  if (ids.length < 2) return ids[0]
  const leads = await getLeads(ids, { consistent: true })
  return newestFirst(leads.values())[0]?.id
}
