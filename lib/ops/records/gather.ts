import * as v from 'valibot'
import type { Call } from '#shared/calling/call.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import { ConsentRecord } from '#shared/consents/consent.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import { itemTypeOf } from '#shared/platform/keys.ts'
import { timeOfSequence } from '#shared/platform/sequence.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { CHANNELS, Phone } from '#shared/stops/compliance.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { StopRecordText } from '#shared/stops/stop-record.ts'
import { StopItem } from '#shared/stops/stop-record-store.ts'
import type { SortedLines } from '../check/lines/sorted-lines.ts'
import { KeyOfItem } from '../check/scan/items.ts'
import type { State } from '../state.ts'
import { addPersonLine } from './persons.ts'
import type { RowLines } from './row-lines.ts'
import { callRow } from './rows.ts'

/** Segments of the table that are read concurrently. Each holds two pages in memory. */
const SEGMENTS = 4
/** Items between two progress messages. */
const PROGRESS = 100_000
/** Most keys of unreadable items that are listed. */
const MOST_KEYS = 20

/** A period that includes its first instant, but not its last. */
export interface RecordSpan {
  readonly since: Instant
  readonly until: Instant
}

export const isInSpan = ({ since, until }: RecordSpan, time: Instant): boolean => time >= since && time < until

interface Gathering {
  readonly span: RecordSpan
  readonly state: State
  readonly calls: RowLines
  readonly persons: SortedLines
  readonly note: (text: string) => void
}

export interface Gathered {
  /** Calls of the period that were not over. */
  readonly openCalls: number
  readonly unreadable: { readonly count: number; readonly keys: readonly string[] }
}

const nameIn = ({ first_name, last_name }: Record<string, unknown>): string | null => {
  const parts = [first_name, last_name].filter((part) => typeof part === 'string' && part.trim() !== '')
  return parts.length > 0 ? parts.join(' ') : null
}

/** Takes the items of the table, and keeps what belongs to the records of a period. */
class Gatherer {
  readonly #to: Gathering
  openCalls = 0

  constructor(to: Gathering) {
    this.#to = to
  }

  #isIn(time: Instant): boolean {
    return isInSpan(this.#to.span, time)
  }

  /** Undefined for a user who no longer exists: the list of the user's group is unknown. */
  async #phoneOf(owner: number, number: string): Promise<string | undefined> {
    const group = this.#to.state.users.get(owner)?.user.dnc_group
    return group === undefined ? undefined : phonePk(group, number)
  }

  async #lead(item: unknown): Promise<void> {
    const { owner, phone_number: number, metadata } = leadFromItem(item)
    const pk = await this.#phoneOf(owner, number)
    if (pk !== undefined) addPersonLine(this.#to.persons, pk, { kind: '0 person', owner, number, name: nameIn(metadata) })
  }

  #call(call: Call): void {
    const { owner, phone_number: number, phone_key, intent_time, settled_time } = call
    // The lead may have another number by now, and a stop of the period may come after a call before it.
    addPersonLine(this.#to.persons, phone_key, { kind: '0 person', owner, number, name: null })
    if (!this.#isIn(intent_time)) return
    this.#to.calls.add(callRow(call, this.#to.state))
    if (settled_time === null) this.openCalls++
  }

  async #consent(record: ConsentRecord): Promise<void> {
    const { owner, phone_number: number, received_time } = record
    // Without a group, a consent meets no name.
    const pk = (await this.#phoneOf(owner, number)) ?? number
    addPersonLine(this.#to.persons, pk, { kind: '0 person', owner, number, name: null })
    if (this.#isIn(received_time)) addPersonLine(this.#to.persons, pk, { kind: '1 consent', record })
  }

  #stopRecord(pk: string, text: string): void {
    const record = v.parse(StopRecordText, text)
    if (this.#isIn(timeOfSequence(record.accepted))) addPersonLine(this.#to.persons, pk, { kind: '2 record', record })
  }

  #phone(pk: string, phone: Phone): void {
    for (const text of phone.stop_records) this.#stopRecord(pk, text)
    for (const channel of CHANNELS) {
      const accepted = phone[`${channel}_dnc`] ? phone[`${channel}_stopped`] : undefined
      if (accepted && this.#isIn(timeOfSequence(accepted))) addPersonLine(this.#to.persons, pk, { kind: '3 flag', accepted, channel })
    }
    for (const lift of phone.list_lifts ?? []) {
      if (this.#isIn(lift.time)) addPersonLine(this.#to.persons, pk, { kind: '4 lift', ...lift })
    }
  }

  /** @throws ValiError when the item is malformed */
  async take(item: unknown, { pk, sk }: v.InferOutput<typeof KeyOfItem>): Promise<void> {
    switch (itemTypeOf({ pk, sk })) {
      case 'lead':
        return this.#lead(item)
      case 'call':
        return this.#call(callFromItem(item))
      case 'consent':
        return this.#consent(v.parse(ConsentRecord, item))
      case 'phone':
        return this.#phone(pk, v.parse(Phone, item))
      case 'stop':
        return this.#stopRecord(pk, v.parse(StopItem, item).record)
    }
  }
}

/** Reads the whole table once. A malformed item is counted, and the rest is read. */
export const gatherRecords = async (gathering: Gathering): Promise<Gathered> => {
  const gatherer = new Gatherer(gathering)
  const keys: string[] = []
  let [items, count] = [0, 0]
  for await (const page of scanTable({ segments: SEGMENTS })) {
    for (const item of page.items) {
      const key = v.parse(KeyOfItem, item)
      try {
        await gatherer.take(item, key)
      } catch (error) {
        if (!v.isValiError(error)) throw error
        count++
        if (keys.length < MOST_KEYS) keys.push(`${key.pk}/${key.sk}`)
      }
      if (++items % PROGRESS === 0) gathering.note(`${items.toLocaleString('en-US')} items read`)
    }
  }
  return { openCalls: gatherer.openCalls, unreadable: { count, keys } }
}
