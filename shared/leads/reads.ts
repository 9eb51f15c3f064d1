import type { Person, Phone } from '../stops/compliance.ts'
import { getPhone } from '../stops/phone-store.ts'
import type { Lead } from './lead.ts'
import { getLeads, getReadableLeads } from './lead-store.ts'
import { getPerson } from './person-store.ts'
import { type Pointed, pointed } from './pointer-store.ts'

/** Where writers of leads read from: the table, or a batch that was read in advance. All reads are strongly consistent. */
export interface Reads {
  /** @param pk of a value's pointers */
  readonly pointed: (pk: string) => Promise<Pointed>
  readonly person: (owner: number, phoneNumber: string) => Promise<Person>
  readonly phone: (pk: string) => Promise<Phone>
  readonly leads: (ids: readonly number[]) => Promise<ReadonlyMap<number, Lead>>
}

export const TABLE_READS: Reads = {
  pointed,
  person: getPerson,
  phone: getPhone,
  leads: (ids) => getLeads(ids, { consistent: true }),
}

/** For warnings only: one unreadable lead must not hide the warnings about the other rows. */
export const READABLE_READS: Reads = { ...TABLE_READS, leads: async (ids) => (await getReadableLeads(ids)).leads }
