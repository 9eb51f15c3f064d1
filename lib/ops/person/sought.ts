import { allNames } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { allOwners } from '#shared/backlog/owners.ts'
import { erasureBegun } from '#shared/erasure/erasure-store.ts'
import { mentionsOf } from '#shared/erasure/rules/mention.ts'
import { getLeads } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import type { Sought } from './person-items.ts'

/** How many users, phones or items an export or an erasure looks at in parallel. */
export const LOOKS_AT_ONCE = 8

/** A person to look for. The survey adds what it finds. */
export interface SoughtPerson extends Sought {
  /** Users whose leads are looked up. */
  readonly users: readonly number[]
  readonly leads: Set<number>
  /** Rows of uploaded files that made the person's leads, by upload. */
  readonly rows: Map<string, Set<number>>
  readonly phonePks: Set<string>
  /** Whether to scan the whole table, instead of what keys lead to. */
  readonly everywhere: boolean
}

/** All users whom the operator has named, or whose leads are called. */
export const usersToAsk = async (owner: number | undefined): Promise<number[]> => {
  if (owner !== undefined) return [owner]
  const [names, owners] = await Promise.all([allNames(), allOwners()])
  return [...new Set([...names.flatMap(({ kind, id }) => (kind === 'USER' ? Number(id) : [])), ...owners])]
}

interface Scope {
  /** Only leads of this user; undefined: of all users. */
  readonly owner: number | undefined
  readonly everywhere: boolean
}

export const soughtPerson = async (phoneNumber: string, { owner, everywhere }: Scope): Promise<SoughtPerson> => {
  const hash = await phoneHash(phoneNumber)
  const begun = await erasureBegun(hash, owner)
  const users = await usersToAsk(owner)
  const persons = await inLanes(LOOKS_AT_ONCE, users, (user) => getPerson(user, phoneNumber))
  const ids = [...new Set([...begun, ...persons.flatMap(({ leads }) => leads.map(({ id }) => id))])]
  const there = await getLeads(ids, { consistent: true })
  // A lead that has another number by now belongs to somebody else.
  const leads = new Set(ids.filter((id) => (there.get(id)?.phone_number ?? phoneNumber) === phoneNumber))
  const found = { leads, rows: new Map<string, Set<number>>(), phonePks: new Set<string>() }
  const sought = { phoneNumber, mentions: mentionsOf(phoneNumber), owner, users, hash, everywhere, ...found }
  await inLanes(LOOKS_AT_ONCE, users, (user) => addGroup(sought, user))
  return sought
}

/** Adds the phone's partition key in the user's DNC group. */
export const addGroup = async ({ phonePks, phoneNumber }: SoughtPerson, user: number): Promise<void> => {
  const found = await readUser(user)
  if (found) phonePks.add(await phonePk(found.dnc_group, phoneNumber))
}
