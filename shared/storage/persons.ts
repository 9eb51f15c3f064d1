import { Person } from '../schema/compliance.ts'
import { personKey } from './keys.ts'
import { getItem } from './table.ts'
import type { Write } from './transactions.ts'

/** The person as known so far; an empty one, of version 0, when the phone is new to the owner. */
export const getPerson = async (owner: number, phoneNumber: string): Promise<Person> =>
  (await getItem(Person, personKey(owner, phoneNumber))) ?? { owner, phone_number: phoneNumber, leads: [], version: 0 }

/** A write of a transaction that holds only while the person is of the version before. */
export const replacePerson = (next: Person): Write => ({
  put: { ...personKey(next.owner, next.phone_number), ...next },
  ...(next.version === 1
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'version = :version', values: { ':version': next.version - 1 } }),
})

/**
 * A write of a transaction that adds a lead without an email. Such a lead contradicts no other, so that it holds whatever
 * happens to the person meanwhile, while there are fewer than `most` leads.
 */
export const addLeadWithoutEmail = ({ owner, phone_number }: Person, id: number, most: number): Write => ({
  update: personKey(owner, phone_number),
  expression: 'SET #owner = :owner, phone_number = :phone, leads = list_append(if_not_exists(leads, :none), :lead) ADD version :one',
  condition: 'attribute_not_exists(leads) OR size(leads) < :most',
  names: { '#owner': 'owner' },
  values: { ':owner': owner, ':phone': phone_number, ':none': [], ':lead': [{ id, email: null }], ':one': 1, ':most': most },
})
