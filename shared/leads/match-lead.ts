import { getLeads } from './lead-store.ts'
import { getPerson } from './person-store.ts'
import { newestFirst } from './rules/newest-first.ts'
import { emailKey } from './rules/uniqueness.ts'

/**
 * The owner's lead with a phone number and an email, whatever its case; no email is that of leads without one.
 * @returns its id, the newest one's when there are several; undefined when there is none
 */
export const matchLead = async (owner: number, phoneNumber: string, email: string | null): Promise<number | undefined> => {
  const person = await getPerson(owner, phoneNumber)
  const ids = person.leads.flatMap((lead) => (lead.email === emailKey(email) ? lead.id : []))
  if (ids.length < 2) return ids[0]
  const leads = await getLeads(ids, { consistent: true })
  return newestFirst(leads.values())[0]?.id
}
