import { allNames } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { erasureBegun } from '#shared/erasure/erasure-store.ts'
import { mentionsOf } from '#shared/erasure/rules/mention.ts'
import { getLeads } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import type { Sought } from './person-items.ts'

/** A person who is looked for: what is found on the way is added. */
export interface SoughtPerson extends Sought {
  readonly leads: Set<number>
  /** Of uploaded files, the rows that their leads were taken from, by upload. */
  readonly rows: Map<string, Set<number>>
  readonly phonePks: Set<string>
  readonly hash: string
}

/** Users that are looked at before the table is read through, so that less of it is to be read twice. */
const usersToAsk = async (owner: number | undefined): Promise<number[]> =>
  owner === undefined ? (await allNames()).flatMap(({ kind, id }) => (kind === 'USER' ? Number(id) : [])) : [owner]

/** @param owner whose leads; undefined: everybody's */
export const soughtPerson = async (phoneNumber: string, owner: number | undefined): Promise<SoughtPerson> => {
  const hash = await phoneHash(phoneNumber)
  const begun = await erasureBegun(hash, owner)
  const persons = await Promise.all((await usersToAsk(owner)).map((user) => getPerson(user, phoneNumber)))
  const ids = [...begun.leads, ...persons.flatMap(({ leads }) => leads.map(({ id }) => id))]
  const there = await getLeads(ids, { consistent: true })
  // A lead that has another number by now is somebody else's.
  const leads = new Set(ids.filter((id) => (there.get(id)?.phone_number ?? phoneNumber) === phoneNumber))
  const sought = { phoneNumber, mentions: mentionsOf(phoneNumber), leads, rows: begun.rows, phonePks: new Set<string>(), owner, hash }
  for (const user of await usersToAsk(owner)) await addGroup(sought, user)
  return sought
}

/** Notes what the phone is in the DNC group of a user. */
export const addGroup = async ({ phonePks, phoneNumber }: SoughtPerson, user: number): Promise<void> => {
  const found = await readUser(user)
  if (found) phonePks.add(await phonePk(found.dnc_group, phoneNumber))
}
