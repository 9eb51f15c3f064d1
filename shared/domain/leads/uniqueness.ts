import type { Person } from '../../schema/compliance.ts'
import { invalid, type ServiceError } from '../errors.ts'

/** Leads of one owner with the same phone, at most. */
const MOST_LEADS = 100

/** Emails are kept as sent, and are the same whatever their case. */
const emailKey = (email: string | null | undefined): string | null => email?.toLowerCase() ?? null

/** Why a person cannot have a further lead with this email; undefined when nothing stands against it. */
export const refusedLead = (person: Person, email: string | null | undefined): ServiceError | undefined => {
  const key = emailKey(email)
  if (key !== null && person.leads.some((lead) => lead.email === key)) {
    return invalid({ non_field_errors: ['The fields email, phone_number, company must make a unique set.'] })
  }
  if (person.leads.length >= MOST_LEADS) {
    return invalid({ phone_number: [`This phone number has ${MOST_LEADS} leads, the most there may be.`] })
  }
  return undefined
}

/** The person with one more lead. */
export const withLead = (person: Person, id: number, email: string | null | undefined): Person => ({
  ...person,
  leads: [...person.leads, { id, email: emailKey(email) }],
  version: person.version + 1,
})
