import type { Key } from './key.ts'
import { CALL_PREFIX, CALLBACK_TIMER_PREFIX, SMS_PREFIX } from './leads.ts'
import { GUARD_SK } from './pointers.ts'

/** What stands under which keys: how partition key and sort key begin. The first that fits. */
const TYPES = [
  ['LEAD#', 'LEAD', 'lead'],
  ['LEAD#', CALL_PREFIX, 'call'],
  ['LEAD#', SMS_PREFIX, 'sms'],
  ['LEAD#', CALLBACK_TIMER_PREFIX, 'timer'],
  ['PERSON#', '', 'person'],
  ['EMAIL#', GUARD_SK, 'upsert-guard'],
  ['EXT#', GUARD_SK, 'upsert-guard'],
  ['EMAIL#', '', 'pointer'],
  ['EXT#', '', 'pointer'],
  ['PHONE#', '', 'phone'],
  ['LINES#', 'LINES', 'lines'],
  ['USER#', 'USER', 'user'],
  ['KEY#', '', 'api-key'],
  ['DELIVERY#', '', 'delivery'],
  ['DELIVERIES#', '', 'delivery-count'],
  ['POSITIONS#', '', 'positions'],
  ['TASK#', '', 'task'],
  ['UPLOAD#', '', 'upload'],
  ['IDEMPOTENCY#', '', 'idempotency'],
  ['INBOUNDCALL#', '', 'inbound-call'],
] as const

export type ItemType = (typeof TYPES)[number][2]

export const ITEM_TYPES: readonly ItemType[] = [...new Set(TYPES.map(([, , type]) => type))]

/** Undefined: configuration, or what the service only remembers for itself. */
export const itemTypeOf = ({ pk, sk }: Key): ItemType | undefined =>
  TYPES.find(([partition, sort]) => pk.startsWith(partition) && sk.startsWith(sort))?.[2]

/** The number or hash that a partition key of one part names: `12` of `LINES#12`. */
export const idInPk = (pk: string): string => pk.slice(pk.indexOf('#') + 1)

/** Whose an item is by its partition key; undefined: that does not say. */
export const ownerInPk = (pk: string): number | undefined => {
  const [, owner] = /^(?:PERSON|EMAIL|EXT|IDEMPOTENCY|INBOUNDCALL|LINES|POSITIONS|USER)#(\d+)(?:#|$)/.exec(pk) ?? []
  return owner === undefined ? undefined : Number(owner)
}

/** The lead beside which an item stands, or to which it points; undefined: the key does not say. */
export const leadInKey = ({ pk, sk }: Key): number | undefined => {
  const [, lead] = /^LEAD#(\d+)$/.exec(pk) ?? /^LEAD#0*([1-9]\d*)$/.exec(sk) ?? []
  return lead === undefined ? undefined : Number(lead)
}
