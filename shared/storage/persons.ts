import { Person } from '../schema/compliance.ts'
import { personKey } from './keys.ts'
import { getItem, type Write } from './table.ts'

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
