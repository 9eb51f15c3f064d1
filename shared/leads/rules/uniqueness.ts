import { invalid, type ServiceError } from '../../platform/values/errors.ts'
import type { Person } from '../../stops/compliance.ts'

/** The most leads of one owner with the same phone. */
export const MOST_LEADS_OF_PHONE = 100

/** Emails are stored as sent and compared without case. */
export const emailKey = (email: string | null | undefined): string | null => email?.toLowerCase() ?? null

/** The error when the owner already has a lead with this phone and email. */
export const notUnique = (): ServiceError =>
  invalid({ non_field_errors: ['The fields email, phone_number, company must make a unique set.'] })

/** Whether a lead of the person, other than `except`, has the email. A missing email is never taken. */
export const isEmailTaken = (person: Person, email: string | null | undefined, except?: number): boolean => {
  const key = emailKey(email)
  return key !== null && person.leads.some((lead) => lead.email === key && lead.id !== except)
}

/** Why a person cannot have another lead with this email; undefined when it can. */
export const refusedLead = (person: Person, email: string | null | undefined): ServiceError | undefined => {
  if (isEmailTaken(person, email)) return notUnique()
  if (person.leads.length >= MOST_LEADS_OF_PHONE) {
    return invalid({ phone_number: [`This phone number already has ${MOST_LEADS_OF_PHONE} leads, which is the limit.`] })
  }
  return undefined
}

/** The person with one more lead. */
export const withLead = (person: Person, id: number, email: string | null | undefined): Person => ({
  ...person,
  leads: [...person.leads, { id, email: emailKey(email) }],
  version: person.version + 1,
})

/** The person after one of its leads changed its email. */
export const withEmail = (person: Person, id: number, email: string | null | undefined): Person => ({
  ...person,
  leads: person.leads.map((lead) => (lead.id === id ? { id, email: emailKey(email) } : lead)),
  version: person.version + 1,
})
