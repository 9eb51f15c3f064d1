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
import { DeliveryCounts } from './delivery-counts.ts'
import { faultOf, KeyOfItem } from './items.ts'
import type { Suspect } from './kind.ts'
import { isUnfiltered } from './kinds/changes.ts'
import { isCalledInVain, isOnNoList } from './kinds/leads.ts'
import { kindOfMissing } from './kinds/placements.ts'
import { isWithoutCall } from './kinds/uncalled.ts'
import { LeadPosition } from './lead-positions.ts'
import { ListItem } from './list-state.ts'
import { Lists } from './list-suspects.ts'
import { DUE_TYPES, type DueTypeName, isDueType, misplaced } from './placements.ts'
import { Stops } from './stops.ts'

type Side = 'expected' | 'found'

/** Pairs what leads expect of other items with what those items hold. Forgets each pair, so memory holds only values of one side. */
class Pairing {
  readonly #values = { expected: new Set<string>(), found: new Set<string>() }

  add(side: Side, value: string): void {
    const other = side === 'expected' ? 'found' : 'expected'
    if (!this.#values[other].delete(value)) this.#values[side].add(value)
  }

  /** Values that only this side has. */
  unpaired(side: Side): Iterable<string> {
    return this.#values[side]
  }
}

/**
 * Takes the items of the table in any order, and lists locations that may be damaged. Some items show damage by themselves. Other damage
 * shows when a related item is missing. The service writes meanwhile, so each suspect must be checked.
 */
export class Suspects {
  readonly #found = new Map<string, Suspect>()
  readonly #persons = new Pairing()
  readonly #pointers = new Pairing()
  readonly #promises = new Pairing()
  readonly #lists = new Lists()
  readonly #stops = new Stops()
  readonly #deliveries = new DeliveryCounts()
  /** The highest attempt number of each lead that the scan has not reached yet. */
  readonly #attempts = new Map<number, number>()

  #suspect(kind: string, where: string | number): void {
    this.#found.set(`${kind} ${where}`, { kind, where: `${where}` })
  }

  async #lead(item: Item): Promise<void> {
    const lead = leadFromItem(item)
    const { id, owner, phone_number, promised_time, due_list } = lead
    this.#lists.lead(lead)
    this.#persons.add('expected', JSON.stringify([owner, phone_number, id, emailKey(lead.email)]))
    for (const { pk, sk } of pointersOf(lead)) this.#pointers.add('expected', `${pk}/${sk}`)
    if (promised_time !== null) this.#promises.add('expected', `${id}-${promised_time}`)
    if (!lead.call_dnc || !lead.sms_dnc) await this.#stops.lead(lead)
    if (item['owner_block'] !== ownerBlock(owner, blockOf(lead.position))) this.#suspect('lead-not-listed', id)
    if (isOnNoList(lead)) this.#suspect('lead-on-no-list', id)
    else this.#placement('lead', item)
    if (isUnfiltered(lead, item)) this.#suspect('lead-not-filtered', id)
    if (lead.current_call !== null) this.#suspect('lead-in-ended-call', id)
    if (isCalledInVain(lead)) this.#suspect('lead-called-in-vain', id)
    if (due_list === 'HELD') this.#held(lead)
    if (isWithoutCall(lead)) this.#suspect('lead-without-call', id)
    this.#behindCalls(lead)
  }

  #held({ id, held_by }: Lead): void {
    if (isSetting(held_by ?? '')) this.#suspect('lead-held-in-vain', id)
    else this.#suspect('held-not-marked', held_by ?? '')
  }

  #call({ pk, sk }: Key): void {
    const { lead, attempt } = parseCallKey({ pk, sk })
    this.#attempts.set(lead, Math.max(attempt, this.#attempts.get(lead) ?? 0))
  }

  /** A scan reads a partition in the order of its sort keys, so a lead's calls come before the lead. */
  #behindCalls({ id, attempts }: Lead): void {
    if ((this.#attempts.get(id) ?? 0) > attempts) this.#suspect('lead-behind-calls', id)
    this.#attempts.delete(id)
  }

  #person(item: Item): void {
    const { owner, phone_number, leads } = v.parse(Person, item)
    for (const { id, email } of leads) this.#persons.add('found', JSON.stringify([owner, phone_number, id, email]))
  }

  #phone(item: Item, { pk }: Key): void {
    const phone = v.parse(Phone, item)
    const { group, hash } = parsePhonePk(pk)
    if (phone.call_dnc || phone.sms_dnc) this.#stops.stop(pk)
    if (callsHolding(phone).length > 0) this.#suspect('phone-held', `${group}/${hash}`)
  }

  #lines(item: Item, { pk }: Key): void {
    for (const call of v.parse(Lines, item).calls) this.#suspect('line-held', `${ownerInPk(pk)}/${call}`)
  }

  #timer(item: Item): void {
    const { lead, promised_time } = v.parse(CallbackTimer, item)
    this.#promises.add('found', `${lead}-${promised_time}`)
  }

  async #read(type: ItemType, item: Item, key: Key): Promise<void> {
    switch (type) {
      case 'lead':
        return this.#lead(item)
      case 'call':
        return this.#call(key)
      case 'person':
        return this.#person(item)
      case 'phone':
        return this.#phone(item, key)
      case 'lines':
        return this.#lines(item, key)
      case 'timer':
        return this.#timer(item)
      case 'pointer':
        return this.#pointers.add('found', `${key.pk}/${key.sk}`)
      case 'positions':
        this.#lists.owner(Number(idInPk(key.pk)))
        return void v.parse(ListItem, item)
      case 'delivery':
        return this.#deliveries.delivery(key)
      case 'delivery-count':
        return this.#deliveries.stored(key, item)
      case 'user':
        return this.#suspect('group-lacks-user', v.parse(User, item).id)
      case 'api-key':
        return this.#suspect('api-key-not-listed', idInPk(key.pk))
    }
  }

  #placement(type: DueTypeName, item: Item): void {
    const found = misplaced(type, item)
    const id = DUE_TYPES[type].idOf(item)
    if (found === 'surplus') this.#suspect('due-in-vain', `${type}/${id}`)
    else if (found) this.#suspect(kindOfMissing(type), id)
  }

  /** A malformed lead still takes its position. */
  #unreadable(type: ItemType, item: Item): void {
    const position = v.safeParse(LeadPosition, item)
    if (type === 'lead' && position.success) this.#lists.lead(position.output)
  }

  async take(item: Item): Promise<void> {
    const key = v.parse(KeyOfItem, item)
    const type = itemTypeOf(key)
    if (type === undefined) return
    try {
      await this.#read(type, item, key)
      // `#lead` has already checked the placement of a lead.
      if (isDueType(type) && type !== 'lead') this.#placement(type, item)
    } catch (error) {
      if (faultOf(type, item) === undefined) throw error
      this.#suspect('unreadable', `${key.pk}/${key.sk}`)
      this.#unreadable(type, item)
    }
  }

  #suspectPersons(): void {
    const Entry = v.pipe(v.string(), v.parseJson(), v.tuple([v.number(), v.string(), v.number(), v.nullable(v.string())]))
    for (const entry of this.#persons.unpaired('expected')) {
      const [, , id] = v.parse(Entry, entry)
      this.#suspect('person-lacks-lead', id)
      this.#suspect('person-email', id)
    }
    for (const entry of this.#persons.unpaired('found')) {
      const [owner, phone, id] = v.parse(Entry, entry)
      this.#suspect('person-names-stranger', `${owner}/${phone}/${id}`)
    }
  }

  /** All suspects. Call it after the last item. */
  async rest(): Promise<readonly Suspect[]> {
    this.#suspectPersons()
    for (const pointer of this.#pointers.unpaired('expected')) {
      this.#suspect('pointer-missing', parsePointerSk(pointer.slice(pointer.lastIndexOf('/') + 1)))
    }
    for (const pointer of this.#pointers.unpaired('found')) this.#suspect('pointer-stray', pointer)
    for (const promise of this.#promises.unpaired('expected')) this.#suspect('promise-not-watched', promise.split('-')[0] ?? '')
    for (const day of this.#deliveries.suspects()) this.#suspect('delivery-count', day)
    for (const lead of this.#stops.suspects()) this.#suspect('stop-not-shown', lead)
    for await (const { kind, where } of this.#lists.suspects()) this.#suspect(kind, where)
    return [...this.#found.values()]
  }
}
