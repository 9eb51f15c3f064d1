import { LOOKUPS, type Lookup } from '../ingestion/rules/target-fields.ts'
import { emailPointerKey, externalIdPointerKey } from '../platform/keys.ts'
import type { Person } from '../stops/compliance.ts'
import type { UpsertLead } from './api/lead-request.ts'
import type { Lead } from './lead.ts'
import { type Pointed, pointersOf } from './pointer-store.ts'
import type { Reads } from './reads.ts'
import { isCreatedLater, type Row } from './rules/row-marks.ts'
import { emailKey, othersOf } from './rules/uniqueness.ts'

/** A value for which no lead was found. */
export interface Missed extends Pointed {
  readonly pk: string
}

/** The values to look leads up by. */
export interface Values {
  readonly owner: number
  readonly input: Pick<UpsertLead, Lookup>
}

interface LookedUp {
  /**
   * Ids of the leads with the value, best match first. For a phone number: the lead with the same email first, then by id, largest first.
   */
  readonly ids: readonly number[]
  /** Whether a lead has the value. */
  readonly isOf: (lead: Lead) => boolean
  readonly missed: readonly Missed[]
  readonly person?: Person
}

/** Partition key of the items that find leads by a value. */
export const pointersPk = (owner: number, lookup: Exclude<Lookup, 'phone_number'>, value: string): string =>
  (lookup === 'email' ? emailPointerKey(owner, value, 0) : externalIdPointerKey(owner, value, 0)).pk

/** @returns undefined when the input has no such value */
export const lookUp = async (lookup: Lookup, { owner, input }: Values, reads: Reads): Promise<LookedUp | undefined> => {
  const value = input[lookup]
  if (!value) return undefined
  if (lookup === 'phone_number') {
    const person = await reads.person(owner, value)
    const isSame = ({ email }: Person['leads'][number]): number => (email !== null && email === emailKey(input.email) ? 1 : 0)
    const leads = person.leads.toSorted((a, b) => isSame(b) - isSame(a) || b.id - a.id)
    return { ids: leads.map(({ id }) => id), isOf: ({ phone_number }) => phone_number === value, missed: [], person }
  }
  const pk = pointersPk(owner, lookup, value)
  const pointed = await reads.pointed(pk)
  return { ids: pointed.leads, isOf: (lead) => pointersOf(lead).some((key) => key.pk === pk), missed: [{ pk, ...pointed }] }
}

/** The owner's leads with these ids. */
export const ownLeads = async (owner: number, ids: readonly number[], reads: Reads): Promise<Lead[]> =>
  ids.length > 0 ? [...(await reads.leads(ids)).values()].filter((lead) => lead.owner === owner) : []

/** Ids of the other leads of a lead's phone, without those that a later row of the file created after `row` had written the lead. */
export const othersBefore = async (lead: Lead, row: Row, reads: Reads): Promise<number[]> => {
  const others = othersOf(await reads.person(lead.owner, lead.phone_number), lead.id)
  const found = await ownLeads(lead.owner, others, reads)
  return found.filter((other) => !isCreatedLater(other, row)).map(({ id }) => id)
}

/** The first lead that satisfies `isOfKind`. It searches by all values of the input that are not in `lookedUp`. */
export const elsewhere = async (
  values: Values,
  lookedUp: readonly Lookup[],
  reads: Reads,
  isOfKind: (lead: Lead) => boolean,
): Promise<Lead | undefined> => {
  for (const lookup of LOOKUPS.filter((one) => !lookedUp.includes(one))) {
    const found = await lookUp(lookup, values, reads)
    const lead = (await ownLeads(values.owner, found?.ids ?? [], reads)).find(isOfKind)
    if (lead) return lead
  }
  return undefined
}
