import { personKey } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { getItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { Person } from '../stops/compliance.ts'

const nobody = (owner: number, phone_number: string): Person => ({ owner, phone_number, leads: [], version: 0 })

/** The stored person, or an empty one of version 0 when the phone is new to the owner. */
export const getPerson = async (owner: number, phoneNumber: string): Promise<Person> =>
  (await getItem(Person, personKey(owner, phoneNumber))) ?? nobody(owner, phoneNumber)

/** Like `getPerson` for many phone numbers. The keys are the phone numbers. */
export const getPersons = async (owner: number, phoneNumbers: readonly string[]): Promise<Map<string, Person>> => {
  const keys = phoneNumbers.map((phoneNumber) => personKey(owner, phoneNumber))
  const found = await batchGet(Person, keys, { consistent: true })
  const known = new Map(found.map((person) => [person.phone_number, person]))
  return new Map(phoneNumbers.map((phoneNumber) => [phoneNumber, known.get(phoneNumber) ?? nobody(owner, phoneNumber)]))
}

/** The persons with a phone number, of many owners. An owner without a lead of this number has none. */
export const personsOf = (owners: readonly number[], phoneNumber: string): Promise<Person[]> =>
  batchGet(
    Person,
    owners.map((owner) => personKey(owner, phoneNumber)),
    { consistent: true },
  )

/** Transaction write that fails unless the stored person has the previous version. */
export const replacePerson = (next: Person): Write => ({
  put: { ...personKey(next.owner, next.phone_number), ...next },
  ...(next.version === 1
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'version = :version', values: { ':version': next.version - 1 } }),
})

/**
 * Transaction write that adds a lead without an email. Such a lead contradicts no other, so the write does not check the person's version.
 * It fails when the person already has `most` leads.
 */
export const addLeadWithoutEmail = ({ owner, phone_number }: Person, id: number, most: number): Write => ({
  update: personKey(owner, phone_number),
  expression: 'SET #owner = :owner, phone_number = :phone, leads = list_append(if_not_exists(leads, :none), :lead) ADD version :one',
  condition: 'attribute_not_exists(leads) OR size(leads) < :most',
  names: { '#owner': 'owner' },
  values: { ':owner': owner, ':phone': phone_number, ':none': [], ':lead': [{ id, email: null }], ':one': 1, ':most': most },
})
