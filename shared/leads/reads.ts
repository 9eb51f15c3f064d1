import type { Person, Phone } from '../stops/compliance.ts'
import { getPhone } from '../stops/phone-store.ts'
import type { Lead } from './lead.ts'
import { getLeads } from './lead-store.ts'
import { type LeadWriter, TABLE_WRITER } from './lead-writer.ts'
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

/**
 * Reads from `first` once, then from the table: stale data in `first` may be why a race was lost. Every read includes what the writer has
 * written.
 */
export const firstFrom = (first: Reads = TABLE_READS, writer: LeadWriter = TABLE_WRITER): (() => Reads) => {
  let next = first
  return () => {
    const reads = next
    next = TABLE_READS
    return writer.over(reads)
  }
}
