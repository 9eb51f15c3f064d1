import type { ServiceError } from '../../../platform/values/errors.ts'
import type { Person } from '../../../stops/compliance.ts'
import type { Lead } from '../../lead.ts'
import { emailKey, refusedLead, takenEmail, withEmail, withLead } from '../uniqueness.ts'

/** Whether the lead moves to another person, or its person must record another email. */
export const movesPerson = (before: Lead, after: Lead): boolean =>
  before.phone_number !== after.phone_number || emailKey(before.email) !== emailKey(after.email)

const withoutLead = (person: Person, id: number): Person => ({
  ...person,
  leads: person.leads.filter((lead) => lead.id !== id),
  version: person.version + 1,
})

/**
 * The persons after a lead changed its phone or email, or the error when it cannot.
 * @param from the person of its old phone
 * @param to the person of its new phone; the same when the phone has not changed
 */
export const movedPersons = (after: Lead, from: Person, to: Person): { readonly error: ServiceError } | { readonly persons: Person[] } => {
  const { id, email } = after
  if (from.phone_number === to.phone_number) {
    const error = takenEmail(to, email, { except: id })
    return error ? { error } : { persons: [withEmail(to, id, email)] }
  }
  const error = refusedLead(to, email)
  return error ? { error } : { persons: [withoutLead(from, id), withLead(to, id, email)] }
}
