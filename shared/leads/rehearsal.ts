import { bytesOf } from '../http/fields/metadata.ts'
import type { Channel } from '../stops/compliance.ts'
import type { Lead } from './lead.ts'
import { MOST_SHARING, pointersOf } from './pointer-store.ts'
import type { Reads } from './reads.ts'
import { MOST_REMEMBERED } from './rules/remembered.ts'
import { emailKey } from './rules/uniqueness.ts'

/** Greater than every real id and position, as those of a new lead are. */
const FIRST_ID = 2 ** 31

/** Metadata that is remembered at most, well within the memory of the worker. */
const MOST_BYTES = 100 * 1024 * 1024

/**
 * Leads that would have been written, kept in memory instead. Writers of leads that are given a rehearsal take every decision as usual, but
 * write nothing. What they read through the rehearsal includes what earlier writers would have written.
 */
export class Rehearsal {
  readonly #leads = new Map<number, Lead>()
  /** Ids of remembered leads, by phone number and by partition key of a pointer. */
  readonly #byValue = new Map<string, Set<number>>()
  /** By phone number, and by partition key of the phone. */
  readonly #stops = new Map<string, ReadonlySet<Channel>>()
  #nextId = FIRST_ID
  /** The size of the metadata of all remembered leads. */
  #bytes = 0

  /** Id and position of a lead that would be new. */
  place(): { readonly id: number; readonly position: number } {
    const id = this.#nextId++
    return { id, position: id }
  }

  /** Whether the lead exists only here. */
  isNew({ id }: Pick<Lead, 'id'>): boolean {
    return id >= FIRST_ID
  }

  /** Remembers the next version of a lead. */
  keep(lead: Lead): Lead {
    this.#forget(lead.id)
    this.#leads.set(lead.id, lead)
    this.#bytes += bytesOf(lead.metadata)
    for (const value of valuesOf(lead)) this.#byValue.set(value, (this.#byValue.get(value) ?? new Set()).add(lead.id))
    for (const oldest of this.#leads.keys()) {
      if (this.#leads.size <= MOST_REMEMBERED && this.#bytes <= MOST_BYTES) break
      this.#forget(oldest)
    }
    return lead
  }

  /** Remembers stops of a phone. @param pk of the phone */
  stop(phoneNumber: string, pk: string, channels: readonly Channel[]): void {
    if (channels.length === 0) return
    for (const name of [phoneNumber, pk]) this.#stops.set(name, new Set([...(this.#stops.get(name) ?? []), ...channels]))
    const [oldest = '', itsKey = ''] = this.#stops.keys()
    if (this.#stops.size > 2 * MOST_REMEMBERED) for (const name of [oldest, itsKey]) this.#stops.delete(name)
  }

  /** Reads that include what would have been written. */
  over(reads: Reads): Reads {
    return {
      pointed: async (pk) => {
        const { leads, guard } = await reads.pointed(pk)
        const ids = [...this.#idsOf(pk), ...leads.filter((id) => !this.#leads.has(id))]
        return { leads: ids.sort((a, b) => b - a).slice(0, MOST_SHARING + 1), guard }
      },
      person: async (owner, phoneNumber) => {
        const person = await reads.person(owner, phoneNumber)
        const others = person.leads.filter(({ id }) => !this.#leads.has(id))
        const own = this.#idsOf(phoneNumber).map((id) => ({ id, email: emailKey(this.#leads.get(id)?.email) }))
        return { ...person, leads: [...others, ...own] }
      },
      phone: async (pk) => ({ ...(await reads.phone(pk)), ...this.#flagsOf(pk) }),
      leads: async (ids) => {
        const others = ids.filter((id) => !this.#leads.has(id))
        const found = others.length > 0 ? await reads.leads(others) : new Map<number, Lead>()
        return new Map(ids.flatMap((id) => this.#shown(this.#leads.get(id) ?? found.get(id))))
      },
    }
  }

  #idsOf(value: string): number[] {
    return [...(this.#byValue.get(value) ?? [])]
  }

  #flagsOf(name: string): { call_dnc?: true; sms_dnc?: true } {
    const stops = this.#stops.get(name)
    return { ...(stops?.has('call') && { call_dnc: true }), ...(stops?.has('sms') && { sms_dnc: true }) }
  }

  /** A lead with the stops of its phone. */
  #shown(lead: Lead | undefined): [number, Lead][] {
    return lead ? [[lead.id, { ...lead, ...this.#flagsOf(lead.phone_number) }]] : []
  }

  #forget(id: number): void {
    const lead = this.#leads.get(id)
    if (!lead) return
    this.#leads.delete(id)
    this.#bytes -= bytesOf(lead.metadata)
    for (const value of valuesOf(lead)) {
      const ids = this.#byValue.get(value)
      ids?.delete(id)
      if (ids?.size === 0) this.#byValue.delete(value)
    }
  }
}

const valuesOf = (lead: Lead): string[] => [lead.phone_number, ...pointersOf(lead).map(({ pk }) => pk)]
