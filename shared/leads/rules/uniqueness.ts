import { invalid, type ServiceError } from '../../platform/values/errors.ts'
import type { Person } from '../../stops/compliance.ts'

/** The most leads of one owner with the same phone. */
export const MOST_LEADS_OF_PHONE = 100

/** Emails are stored as sent and compared without case. */
export const emailKey = (email: string | null | undefined): string | null => email?.toLowerCase() ?? null

/** Ids of the person's leads other than this one. */
export const othersOf = ({ leads }: Pick<Person, 'leads'>, id: number): number[] => leads.flatMap((one) => (one.id === id ? [] : one.id))

/** The error when the owner already has a lead with this phone and email. `help`: sentences that name it and tell what to do. */
export const notUnique = (help: string): ServiceError =>
  invalid({ non_field_errors: [`The fields email, phone_number, company must make a unique set. ${help}`] })

/** A sentence with the lead that has the phone and email. */
export const hasBoth = (id: number): string => `Lead ${id} has this phone number and email.`

/** The person's lead, other than `except`, that has the email. A missing email is never taken. */
const holderOf = (person: Person, email: string | null | undefined, except?: number): number | undefined => {
  const key = emailKey(email)
  return key === null ? undefined : person.leads.find((lead) => lead.email === key && lead.id !== except)?.id
}

export const isEmailTaken = (person: Person, email: string | null | undefined, except?: number): boolean =>
  holderOf(person, email, except) !== undefined

const UPDATE_IT = 'Update that lead.'

/** The error when another lead of the person than `except` has the email. `advice`: what to do about it. */
export const takenEmail = (
  person: Person,
  email: string | null | undefined,
  { except, advice = UPDATE_IT }: { readonly except?: number; readonly advice?: string } = {},
): ServiceError | undefined => {
  const holder = holderOf(person, email, except)
  return holder === undefined ? undefined : notUnique(`${hasBoth(holder)} ${advice}`)
}

/** Why a person cannot have another lead with this email; undefined when it can. */
export const refusedLead = (person: Person, email: string | null | undefined, advice = UPDATE_IT): ServiceError | undefined => {
  const taken = takenEmail(person, email, { advice })
  if (taken) return taken
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
