import type { GivenConsent } from '../consents/api/consent-request.ts'
import type { ConsentState, ConsentType } from '../consents/consent.ts'
import { readConsent } from '../consents/read-consent.ts'
import { withConsent } from '../consents/rules/current-consent.ts'
import { bytesOf } from '../http/fields/metadata.ts'
import { now } from '../platform/clock.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Channel, Phone } from '../stops/compliance.ts'
import type { Lead } from './lead.ts'
import { MOST_SHARING, pointersOf } from './pointer-store.ts'
import { type Reads, TABLE_READS } from './reads.ts'
import { MOST_REMEMBERED } from './rules/remembered.ts'
import { emailKey } from './rules/uniqueness.ts'

/** Id and list position of a new lead. */
export interface NewPosition {
  readonly id: number
  readonly position: number
}

/** How leads are written: in the table, or only in the memory of a dry run. */
export interface LeadWriter {
  /** Reads that include what this writer has written. */
  over(reads: Reads): Reads
  /** Id and position of a new lead. @param take takes them from the table */
  newPosition(take: () => Promise<NewPosition>): Promise<NewPosition>
  /** Whether the lead exists only in memory. */
  isNew(lead: Pick<Lead, 'id'>): boolean
  /** Raises stops of a phone. @param pk of the phone @param raise writes them to the table */
  stop(phoneNumber: string, pk: string, channels: readonly Channel[], raise: () => Promise<unknown>): Promise<void>
  /** Records a consent for a phone number. @param record writes it to the table */
  consent(phoneNumber: string, consent: GivenConsent, record: () => Promise<unknown>): Promise<void>
  /**
   * Writes the next version of a lead.
   * @param plan computes the version that `commit` writes to the table
   * @returns undefined when another write came first
   */
  write(plan: () => Promise<Lead | undefined>, commit: () => Promise<Lead | undefined>): Promise<Lead | undefined>
  /** Runs work that is needed after leads were written to the table. A dry run skips the work. */
  afterwards(work: () => Promise<void>): Promise<void>
}

export const TABLE_WRITER: LeadWriter = {
  over: (reads) => reads,
  newPosition: (take) => take(),
  isNew: () => false,
  stop: async (_phoneNumber, _pk, _channels, raise) => void (await raise()),
  consent: async (_phoneNumber, _consent, record) => void (await record()),
  write: (_plan, commit) => commit(),
  afterwards: (work) => work(),
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

/** Ids and positions of simulated leads start here, above all real ones. */
const FIRST_ID = 2 ** 31

/** Most bytes of metadata that a dry run remembers, well within the memory of the worker. */
const MOST_BYTES = 100 * 1024 * 1024

/** Phones whose last reading a dry run remembers: more than the rows of a batch have. */
const MOST_PHONES = 1000

/** Keeps in memory what would be written to the table, and writes nothing. Every decision is taken as usual. */
export class DryRun implements LeadWriter {
  readonly #leads = new Map<number, Lead>()
  /** Ids of remembered leads, by phone number and by partition key of a pointer. */
  readonly #byValue = new Map<string, Set<number>>()
  /** By phone number, and by partition key of the phone. */
  readonly #stops = new Map<string, ReadonlySet<Channel>>()
  /** By phone number: the latest time of each type of consent. */
  readonly #consents = new Map<string, Map<ConsentType, Instant>>()
  /** As they were read last, by partition key. */
  readonly #phones = new Map<string, Phone>()
  #nextId = FIRST_ID
  /** The size of the metadata of all remembered leads. */
  #bytes = 0

  async newPosition(): Promise<NewPosition> {
    const id = this.#nextId++
    return { id, position: id }
  }

  isNew({ id }: Pick<Lead, 'id'>): boolean {
    return id >= FIRST_ID
  }

  async write(plan: () => Promise<Lead | undefined>): Promise<Lead | undefined> {
    const lead = await plan()
    if (!lead) return undefined
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

  async stop(phoneNumber: string, pk: string, channels: readonly Channel[]): Promise<void> {
    if (channels.length === 0) return
    for (const name of [phoneNumber, pk]) this.#stops.set(name, new Set([...(this.#stops.get(name) ?? []), ...channels]))
    const [oldest = '', itsKey = ''] = this.#stops.keys()
    if (this.#stops.size > 2 * MOST_REMEMBERED) for (const name of [oldest, itsKey]) this.#stops.delete(name)
  }

  async consent(phoneNumber: string, { type, time }: GivenConsent): Promise<void> {
    const times = this.#consents.get(phoneNumber) ?? new Map<ConsentType, Instant>()
    this.#consents.set(phoneNumber, times.set(type, Math.max(time, times.get(type) ?? 0)))
    const [oldest = ''] = this.#consents.keys()
    if (this.#consents.size > MOST_REMEMBERED) this.#consents.delete(oldest)
  }

  async afterwards(): Promise<void> {}

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
      phone: async (pk) => ({ ...this.#remembered(pk, await reads.phone(pk)), ...this.#flagsOf(pk) }),
      leads: async (ids) => {
        const others = ids.filter((id) => !this.#leads.has(id))
        const found = others.length > 0 ? await reads.leads(others) : new Map<number, Lead>()
        return new Map(ids.flatMap((id) => this.#shown(this.#leads.get(id) ?? found.get(id))))
      },
    }
  }

  /** The consent of a lead's phone, for the gates: as in the table, with the consents of the dry run. */
  async consentOf(...[lead, leadType, isAsked]: Parameters<typeof readConsent>): Promise<ConsentState | null> {
    const state = await readConsent(lead, leadType, isAsked)
    const given = [...(this.#consents.get(lead.phone_number) ?? [])]
    return (
      state &&
      given.reduce(
        (before, [type, time]) => withConsent(before, { type, time, received_time: now(), fingerprint: `${type} ${time}` }),
        state,
      )
    )
  }

  /** A phone as it was read last, with the stops of the dry run. Only a phone that is not remembered is read again. */
  async phone(pk: string): Promise<Phone> {
    const phone = this.#phones.get(pk)
    return phone ? { ...phone, ...this.#flagsOf(pk) } : this.over(TABLE_READS).phone(pk)
  }

  #remembered(pk: string, phone: Phone): Phone {
    this.#phones.set(pk, phone)
    const [oldest = ''] = this.#phones.keys()
    if (this.#phones.size > MOST_PHONES) this.#phones.delete(oldest)
    return phone
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
