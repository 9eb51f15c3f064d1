import * as v from 'valibot'
import { User } from '#shared/accounts/configuration.ts'
import { CallbackTimer } from '#shared/backlog/callback-timer.ts'
import { isSetting } from '#shared/backlog/rules/holders.ts'
import { callsHolding } from '#shared/calling/rules/calls-holding.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import { pointersOf } from '#shared/leads/pointer-store.ts'
import { emailKey } from '#shared/leads/rules/uniqueness.ts'
import {
  blockOf,
  type ItemType,
  idInPk,
  itemTypeOf,
  type Key,
  ownerBlock,
  ownerInPk,
  parseCallKey,
  parsePhonePk,
  parsePointerSk,
} from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { Lines, Person, Phone } from '#shared/stops/compliance.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { positionRecord } from '../joins/lists.ts'
import { expectedRecord, foundRecord } from '../joins/pairs.ts'
import { mayCallRecord, stopRecord } from '../joins/stops.ts'
import { isUnfiltered } from '../kinds/changes.ts'
import { isCalledInVain, isOnNoList } from '../kinds/leads.ts'
import { kindOfMissing } from '../kinds/placements.ts'
import { isWithoutCall } from '../kinds/uncalled.ts'
import { LeadPosition } from '../lead-positions.ts'
import { listItemRecords, unreadableListRecords } from '../list-items.ts'
import { DUE_TYPES, type DueTypeName, isDueType, misplaced } from '../placements.ts'
import type { Tag } from '../tags.ts'
import { faultOf, KeyOfItem } from './items.ts'
import { suspectRecord } from './suspects.ts'

/** The DNC group of an owner; undefined when the owner's item is missing or malformed. */
export type GroupOf = (owner: number) => Promise<string | undefined>

export interface ItemReaderOptions {
  /** Gets records of related items, and of suspects. */
  readonly add: (tag: Tag, record: string) => void
  readonly groupOf: GroupOf
}

/** Most holders that one reader reports once. */
const HOLDERS = 1000

/**
 * Takes the items of a segment of the table in its order. It reports items that show damage by themselves, and records what related items
 * must agree about. The service writes meanwhile, so each suspect must be checked.
 */
export class ItemReader {
  readonly #add: ItemReaderOptions['add']
  readonly #groupOf: GroupOf
  /** The calls of a lead that were read last: their latest attempt, and their numbers. */
  #calls = { lead: 0, attempt: 0, numbers: new Set<unknown>() }
  readonly #holders = new Set<string>()

  constructor({ add, groupOf }: ItemReaderOptions) {
    this.#add = add
    this.#groupOf = groupOf
  }

  #suspect(kind: string, where: string | number): void {
    this.#add('suspect', suspectRecord({ kind, where: `${where}` }))
  }

  async #lead(item: Item): Promise<void> {
    const lead = leadFromItem(item)
    const { id, owner, phone_number, promised_time, due_list } = lead
    this.#position(lead)
    this.#add('person', expectedRecord({ lead: id, value: JSON.stringify([owner, phone_number, emailKey(lead.email)]) }))
    for (const { pk } of pointersOf(lead)) this.#add('pointer', expectedRecord({ lead: id, value: pk }))
    if (promised_time !== null) this.#add('promise', expectedRecord({ lead: id, value: `${promised_time}` }))
    if (!lead.call_dnc || !lead.sms_dnc) await this.#mayCall(lead)
    if (item['owner_block'] !== ownerBlock(owner, blockOf(lead.position))) this.#suspect('lead-not-listed', id)
    if (isOnNoList(lead)) this.#suspect('lead-on-no-list', id)
    else this.#placement('lead', item)
    if (isUnfiltered(lead, item)) this.#suspect('lead-not-filtered', id)
    if (lead.current_call !== null) this.#suspect('lead-in-ended-call', id)
    if (isCalledInVain(lead)) this.#suspect('lead-called-in-vain', id)
    if (due_list === 'HELD') this.#held(lead)
    if (isWithoutCall(lead)) this.#suspect('lead-without-call', id)
    // A partition is read in the order of its sort keys, so a lead's calls come before the lead.
    if (this.#calls.lead !== id) return
    if (this.#calls.attempt > lead.attempts) this.#suspect('lead-behind-calls', id)
    if ([...this.#calls.numbers].some((number) => number !== phone_number)) this.#suspect('number-not-marked', id)
  }

  #call(item: Item, key: Key): void {
    const { lead, attempt } = parseCallKey(key)
    const numbers = lead === this.#calls.lead ? this.#calls.numbers : []
    this.#calls = { lead, attempt, numbers: new Set([...numbers, item['phone_number']]) }
  }

  #position({ id, owner, position }: Pick<Lead, 'id' | 'owner' | 'position'>): void {
    const isPosition = Number.isSafeInteger(position) && position >= 0
    if (isPosition) this.#add('list', positionRecord({ owner, position, id }))
  }

  async #mayCall({ id, owner, phone_number }: Lead): Promise<void> {
    const group = await this.#groupOf(owner)
    if (group !== undefined) this.#add('stop', mayCallRecord(await phonePk(group, phone_number), id))
  }

  #held({ id, held_by }: Lead): void {
    const holder = held_by ?? ''
    if (isSetting(holder)) this.#suspect('lead-held-in-vain', id)
    else if (!this.#holders.has(holder)) this.#suspect('held-not-marked', holder)
    if (this.#holders.size < HOLDERS) this.#holders.add(holder)
  }

  #person(item: Item): void {
    const { owner, phone_number, leads } = v.parse(Person, item)
    for (const { id, email } of leads) {
      const value = JSON.stringify([owner, phone_number, email])
      this.#add('person', foundRecord({ lead: id, value }, `${owner}/${phone_number}/${id}`))
    }
  }

  #phone(item: Item, { pk }: Key): void {
    const phone = v.parse(Phone, item)
    const { group, hash } = parsePhonePk(pk)
    if (phone.call_dnc || phone.sms_dnc) this.#add('stop', stopRecord(pk))
    if (callsHolding(phone).length > 0) this.#suspect('phone-held', `${group}/${hash}`)
  }

  #lines(item: Item, { pk }: Key): void {
    for (const call of v.parse(Lines, item).calls) this.#suspect('line-held', `${ownerInPk(pk)}/${call}`)
  }

  #timer(item: Item): void {
    const { lead, promised_time } = v.parse(CallbackTimer, item)
    this.#add('promise', foundRecord({ lead, value: `${promised_time}` }, ''))
  }

  #list(item: Item, { pk }: Key): void {
    for (const [tag, record] of listItemRecords(Number(idInPk(pk)), item)) this.#add(tag, record)
  }

  async #read(type: ItemType | undefined, item: Item, key: Key): Promise<void> {
    switch (type) {
      case 'lead':
        return this.#lead(item)
      case 'call':
        return this.#call(item, key)
      case 'person':
        return this.#person(item)
      case 'phone':
        return this.#phone(item, key)
      case 'lines':
        return this.#lines(item, key)
      case 'timer':
        return this.#timer(item)
      case 'pointer':
        return this.#add('pointer', foundRecord({ lead: parsePointerSk(key.sk), value: key.pk }, `${key.pk}/${key.sk}`))
      case 'positions':
        return this.#list(item, key)
      case 'user':
        return this.#suspect('group-lacks-user', v.parse(User, item).id)
      case 'api-key':
        return this.#suspect('api-key-not-listed', idInPk(key.pk))
      default:
        if (faultOf(key, item)) this.#unreadable(type, item, key)
    }
  }

  #placement(type: DueTypeName, item: Item): void {
    const found = misplaced(type, item)
    const id = DUE_TYPES[type].idOf(item)
    if (found === 'surplus') this.#suspect('due-in-vain', `${type}/${id}`)
    else if (found) this.#suspect(kindOfMissing(type), id)
  }

  /** A malformed lead still takes its position. */
  #unreadable(type: ItemType | undefined, item: Item, { pk, sk }: Key): void {
    this.#suspect('unreadable', `${pk}/${sk}`)
    const position = v.safeParse(LeadPosition, item)
    if (type === 'lead' && position.success) this.#position(position.output)
    if (type === 'positions') for (const [tag, record] of unreadableListRecords(Number(idInPk(pk)))) this.#add(tag, record)
  }

  async take(item: Item): Promise<void> {
    const key = v.parse(KeyOfItem, item)
    const type = itemTypeOf(key)
    try {
      await this.#read(type, item, key)
      // `#lead` has already checked the placement of a lead.
      if (type !== undefined && isDueType(type) && type !== 'lead') this.#placement(type, item)
    } catch (error) {
      if (!faultOf(key, item)) throw error
      this.#unreadable(type, item, key)
    }
  }
}
