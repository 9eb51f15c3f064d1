import { invalid } from '../domain/errors.ts'
import { isCreatedLater, markOf, type Row } from '../domain/ingestion/row-marks.ts'
import { newestFirst } from '../domain/leads/newest-first.ts'
import { emailKey } from '../domain/leads/uniqueness.ts'
import type { Person } from '../schema/compliance.ts'
import type { Lookup } from '../schema/ingestion.ts'
import type { Lead } from '../schema/lead.ts'
import type { UpsertLead } from '../schema/requests/create-lead.ts'
import { emailPointerKey, externalIdPointerKey } from '../storage/keys.ts'
import { type Pointed, pointersOf } from '../storage/pointers.ts'
import type { Reads } from './reads.ts'

/** A value by which a lead was looked for in vain. */
export interface Missed extends Pointed {
  readonly pk: string
}

export interface Match {
  readonly lead: Lead | undefined
  /** One that has the value, but was created by a later row of the same file: when this row was handled first, it was not there. */
  readonly later: Lead | undefined
  readonly missed: readonly Missed[]
  /** The person by whose phone number no lead was found, or one of several. */
  readonly person: Person | undefined
}

interface Asked {
  readonly owner: number
  readonly input: UpsertLead
  readonly lookups: readonly Lookup[]
  /** What to do with several leads of one value: take the newest, or refuse the upsert. */
  readonly several: 'newest' | 'refuse'
  readonly row: Row | undefined
}

interface Found {
  readonly ids: readonly number[]
  /** Whether a lead has the value. */
  readonly isOf: (lead: Lead) => boolean
  readonly missed: readonly Missed[]
  readonly person?: Person
}

/** Where the leads with a value are listed. */
export const pointersPk = (owner: number, lookup: Exclude<Lookup, 'phone_number'>, value: string): string =>
  (lookup === 'email' ? emailPointerKey(owner, value, 0) : externalIdPointerKey(owner, value, 0)).pk

/** @returns undefined when the upsert does not say that value */
const findBy = async (lookup: Lookup, { owner, input }: Asked, reads: Reads): Promise<Found | undefined> => {
  const value = input[lookup]
  if (!value) return undefined
  if (lookup === 'phone_number') {
    const person = await reads.person(owner, value)
    return { ids: person.leads.map(({ id }) => id), isOf: ({ phone_number }) => phone_number === value, missed: [], person }
  }
  const pk = pointersPk(owner, lookup, value)
  const pointed = await reads.pointed(pk)
  return { ids: pointed.leads, isOf: (lead) => pointersOf(lead).some((key) => key.pk === pk), missed: [{ pk, ...pointed }] }
}

/** Of a person's leads the one with the same email is meant, if there is one. */
const choose = (leads: readonly Lead[], lookup: Lookup, { input, several, row }: Asked): Lead | undefined => {
  const marked = row && leads.find((lead) => markOf(lead, row) !== undefined)
  if (marked || leads.length < 2) return marked ?? leads[0]
  if (several === 'refuse') throw invalid({ [lookup]: [`There are ${leads.length} leads with this value, and only one can be meant.`] })
  const email = emailKey(input.email)
  const sameEmail = leads.filter((lead) => email !== null && emailKey(lead.email) === email)
  return newestFirst(sameEmail.length > 0 ? sameEmail : leads)[0]
}

/**
 * The lead that an upsert is about: that of the first value that any has.
 * @returns undefined when a lead got another value between the look-up and its reading: it is to be looked for again
 * @throws ServiceError under the value's name when several have it and only one may
 */
export const findMatch = async (asked: Asked, reads: Reads): Promise<Match | undefined> => {
  const missed: Missed[] = []
  let person: Person | undefined
  let later: Lead | undefined
  const { row } = asked
  const isLater = (lead: Lead): boolean => row !== undefined && isCreatedLater(lead, row)
  for (const lookup of asked.lookups) {
    const found = await findBy(lookup, asked, reads)
    if (!found) continue
    person = found.person ?? person
    const leads = found.ids.length > 0 ? [...(await reads.leads(found.ids)).values()].filter(({ owner }) => owner === asked.owner) : []
    if (!leads.every(found.isOf)) return undefined
    later ??= leads.find(isLater)
    const lead = choose(
      leads.filter((one) => !isLater(one)),
      lookup,
      asked,
    )
    if (lead) return { lead, later, missed, person }
    missed.push(...found.missed)
  }
  return { lead: undefined, later, missed, person }
}
