import { knownUser } from '../../accounts/user-store.ts'
import type { Lookup } from '../../ingestion/rules/target-fields.ts'
import type { CreateLead, UpsertLead } from '../../leads/api/lead-request.ts'
import { getLeads, getReadableLeads } from '../../leads/lead-store.ts'
import { pointersPk } from '../../leads/look-up.ts'
import { getPersons } from '../../leads/person-store.ts'
import { pointed } from '../../leads/pointer-store.ts'
import { type Reads, TABLE_READS } from '../../leads/reads.ts'
import { getPhones, phonePk } from '../../stops/phone-store.ts'
import { asManyAsRows } from './row-pace.ts'

type Wanted = CreateLead | UpsertLead

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

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
  const pkOf = (input: Wanted): string[] => {
    const value = lookup && lookup !== 'phone_number' ? input[lookup] : undefined
    return value && lookup && lookup !== 'phone_number' ? [pointersPk(owner, lookup, value)] : []
  }
  const pks = unique(wanted.flatMap(pkOf))
  const pointers = new Map(await asManyAsRows(pks, async (pk) => [pk, await pointed(pk)] as const))
  const isPointed = (input: Wanted): boolean => pkOf(input).some((pk) => (pointers.get(pk)?.leads.length ?? 0) > 0)
  const phonesOf = (inputs: readonly Wanted[]): string[] => unique(inputs.flatMap((input) => input.phone_number ?? []))
  const unknown = phonesOf(wanted.filter((input) => !isPointed(input)))
  const phonePks = new Map(
    await Promise.all(unknown.map(async (phoneNumber) => [phoneNumber, await phonePk(dnc_group, phoneNumber)] as const)),
  )
  // A repeat tells again which other leads have the phone of a lead that its row created.
  const persons = await getPersons(owner, isRepeat ? phonesOf(wanted) : unknown)
  const hasLead = (phoneNumber: string): boolean => (persons.get(phoneNumber)?.leads.length ?? 0) > 0
  // Several leads with one value refuse its rows, so the leads are not read. A repeat reads them: its row may have written one of them.
  const isRead = (leads: readonly unknown[]): boolean => isRepeat || lookup === undefined || leads.length === 1
  const byPointer = [...pointers.values()].flatMap(({ leads }) => (isRead(leads) ? leads : []))
  const isByPerson = isRepeat || lookup === 'phone_number' || lookup === undefined
  const leadsOf = (phoneNumbers: readonly string[]): number[] =>
    phoneNumbers.flatMap((phoneNumber) => persons.get(phoneNumber)?.leads ?? []).map(({ id }) => id)
  const byPerson = isByPerson ? unknown.filter((phoneNumber) => isRead(persons.get(phoneNumber)?.leads ?? [])) : []
  const ids = new Set([...byPointer, ...leadsOf(byPerson)])
  const neighbours = isRepeat ? unique(leadsOf([...persons.keys()])).filter((id) => !ids.has(id)) : []
  const isNew = (phoneNumber: string): boolean => lookup !== 'phone_number' || !hasLead(phoneNumber)
  const [phones, found, { leads: beside }] = await Promise.all([
    getPhones(unknown.filter(isNew).flatMap((phoneNumber) => phonePks.get(phoneNumber) ?? [])),
    getLeads([...ids], { consistent: true }),
    getReadableLeads(neighbours),
  ])
  const known = new Set([...ids, ...neighbours])
  const leads = new Map([...found, ...beside])
  return {
    pointed: async (pk) => pointers.get(pk) ?? TABLE_READS.pointed(pk),
    person: async (of, phoneNumber) => persons.get(phoneNumber) ?? TABLE_READS.person(of, phoneNumber),
    phone: async (pk) => phones.get(pk) ?? TABLE_READS.phone(pk),
    leads: async (of) => (of.every((id) => known.has(id)) ? new Map(of.flatMap((id) => pairOf(leads, id))) : TABLE_READS.leads(of)),
  }
}

const pairOf = <K, V>(map: ReadonlyMap<K, V>, key: K): [K, V][] => {
  const value = map.get(key)
  return value === undefined ? [] : [[key, value]]
}
