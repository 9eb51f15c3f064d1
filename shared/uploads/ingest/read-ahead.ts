import { knownUser } from '../../accounts/user-store.ts'
import type { Lookup } from '../../ingestion/rules/target-fields.ts'
import type { CreateLead, UpsertLead } from '../../leads/api/lead-request.ts'
import type { Lead } from '../../leads/lead.ts'
import { getLeads, getReadableLeads } from '../../leads/lead-store.ts'
import { pointersPk } from '../../leads/look-up.ts'
import { getPersons } from '../../leads/person-store.ts'
import { type Pointed, pointed } from '../../leads/pointer-store.ts'
import { type Reads, TABLE_READS } from '../../leads/reads.ts'
import { inLanes } from '../../platform/lanes.ts'
import type { Person } from '../../stops/compliance.ts'
import { getPhones, phonePk } from '../../stops/phone-store.ts'
import { ROWS_AT_ONCE } from './row-pace.ts'

type Wanted = CreateLead | UpsertLead
/** Undefined: no lead has the id. */
type LeadsById = ReadonlyMap<number, Lead | undefined>
type Pointers = ReadonlyMap<string, Pointed>
type Persons = ReadonlyMap<string, Person>

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const phonesOf = (inputs: readonly Wanted[]): string[] => unique(inputs.flatMap((input) => input.phone_number ?? []))

const leadIds = (person: Person | undefined): number[] => person?.leads.map(({ id }) => id) ?? []

/** Partition key of the pointers to the leads that a row may be about. */
const pointersPkOf = (owner: number, lookup: Lookup | undefined, input: Wanted): string[] => {
  if (lookup === undefined || lookup === 'phone_number') return []
  const value = input[lookup]
  return value ? [pointersPk(owner, lookup, value)] : []
}

const leadsForFirstRun = async (lookup: Lookup | undefined, pointers: Pointers, persons: Persons): Promise<LeadsById> => {
  const byPhone = [...persons.values()].map(leadIds)
  const found = lookup === undefined || lookup === 'phone_number' ? byPhone : [...pointers.values()].map(({ leads }) => leads)
  // Several leads with one value refuse its rows, so the leads are not read.
  const ids = unique(found.filter(({ length }) => lookup === undefined || length === 1).flat())
  const leads = await getLeads(ids, { consistent: true })
  return new Map(ids.map((id) => [id, leads.get(id)]))
}

/** A row of a repeat may have written any lead that it finds now. It also reports again which other leads have the phone of its lead. */
const leadsForRepeat = async (pointers: Pointers, persons: Persons, unfound: readonly string[]): Promise<LeadsById> => {
  const pointedTo = [...pointers.values()].flatMap(({ leads }) => leads)
  const ids = new Set([...pointedTo, ...unfound.flatMap((phoneNumber) => leadIds(persons.get(phoneNumber)))])
  const neighbours = unique([...persons.values()].flatMap(leadIds)).filter((id) => !ids.has(id))
  const [leads, { leads: beside }] = await Promise.all([getLeads([...ids], { consistent: true }), getReadableLeads(neighbours)])
  return new Map([...ids, ...neighbours].map((id) => [id, leads.get(id) ?? beside.get(id)]))
}

/**
 * Reads in batches what many rows need: the leads that they may be about, or else what a new lead needs.
 * @param lookup the field that rows are looked up by; undefined: rows only create leads
 * @param isRepeat whether rows may have been handled before. Their leads may have another value by now, but still the row's phone
 */
export const readAhead = async (
  owner: number,
  lookup: Lookup | undefined,
  wanted: readonly Wanted[],
  isRepeat: boolean,
): Promise<Reads> => {
  const { dnc_group } = await knownUser(owner)
  const pksOf = (input: Wanted): string[] => pointersPkOf(owner, lookup, input)
  const pointers = new Map(await inLanes(ROWS_AT_ONCE, unique(wanted.flatMap(pksOf)), async (pk) => [pk, await pointed(pk)] as const))
  const unfound = phonesOf(wanted.filter((input) => !pksOf(input).some((pk) => pointers.get(pk)?.leads.length)))
  const persons = await getPersons(owner, isRepeat ? phonesOf(wanted) : unfound)
  const newPhones = lookup === 'phone_number' ? unfound.filter((phoneNumber) => !persons.get(phoneNumber)?.leads.length) : unfound
  const phonePks = await Promise.all(newPhones.map((phoneNumber) => phonePk(dnc_group, phoneNumber)))
  const [phones, leads] = await Promise.all([
    getPhones(phonePks),
    isRepeat ? leadsForRepeat(pointers, persons, unfound) : leadsForFirstRun(lookup, pointers, persons),
  ])
  return {
    pointed: async (pk) => pointers.get(pk) ?? TABLE_READS.pointed(pk),
    person: async (of, phoneNumber) => persons.get(phoneNumber) ?? TABLE_READS.person(of, phoneNumber),
    phone: async (pk) => phones.get(pk) ?? TABLE_READS.phone(pk),
    leads: async (ids) => (ids.every((id) => leads.has(id)) ? new Map(ids.flatMap((id) => pairOf(leads, id))) : TABLE_READS.leads(ids)),
  }
}

const pairOf = <K, V>(map: ReadonlyMap<K, V | undefined>, key: K): [K, V][] => {
  const value = map.get(key)
  return value === undefined ? [] : [[key, value]]
}
