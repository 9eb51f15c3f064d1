import { CONSENT_RECORD_PREFIX } from './consents.ts'
import type { Key } from './key.ts'
import { CALL_PREFIX, CALLBACK_TIMER_PREFIX, GUARD_SK, SMS_PREFIX } from './leads.ts'
import { MARK_PREFIX } from './marks.ts'
import { STOP_RECORD_PREFIX } from './phones.ts'
import { REASSIGNED_PREFIX } from './reassigned.ts'

/** Item types, by the beginning of partition key and sort key. The first match counts. */
const TYPES = [
  ['LEAD#', MARK_PREFIX, 'mark'],
  ['PERSON#', MARK_PREFIX, 'mark'],
  ['IDEMPOTENCY#', MARK_PREFIX, 'mark'],
  ['LEAD#', 'LEAD', 'lead'],
  ['LEAD#', CALL_PREFIX, 'call'],
  ['LEAD#', SMS_PREFIX, 'sms'],
  ['LEAD#', CALLBACK_TIMER_PREFIX, 'timer'],
  ['PERSON#', '', 'person'],
  ['EMAIL#', GUARD_SK, 'upsert-guard'],
  ['EXT#', GUARD_SK, 'upsert-guard'],
  ['EMAIL#', '', 'pointer'],
  ['EXT#', '', 'pointer'],
  ['PHONE#', STOP_RECORD_PREFIX, 'stop'],
  ['PHONE#', '', 'phone'],
  ['LINES#', 'LINES', 'lines'],
  ['USER#', 'USER', 'user'],
  ['KEY#', '', 'api-key'],
  ['DELIVERY#', '', 'delivery'],
  ['POSITIONS#', '', 'positions'],
  ['STATS#', '', 'statistics'],
  ['TASK#', '', 'task'],
  ['UPLOAD#', '', 'upload'],
  ['IDEMPOTENCY#', '', 'idempotency'],
  ['INBOUNDCALL#', '', 'inbound-call'],
  ['CONSENT#', CONSENT_RECORD_PREFIX, 'consent'],
  ['CONSENT#', '', 'consent-state'],
  ['REGISTRY#', 'BLOCK', 'registry-block'],
  [REASSIGNED_PREFIX, '', 'reassigned-answers'],
] as const

export type ItemType = (typeof TYPES)[number][2]

export const ITEM_TYPES: readonly ItemType[] = [...new Set(TYPES.map(([, , type]) => type))]

/** Undefined for configuration and for internal state of the service. */
export const itemTypeOf = ({ pk, sk }: Key): ItemType | undefined =>
  TYPES.find(([partition, sort]) => pk.startsWith(partition) && sk.startsWith(sort))?.[2]

/** The number or hash in a partition key with one part: `12` in `LINES#12`. */
export const idInPk = (pk: string): string => pk.slice(pk.indexOf('#') + 1)

/** Owner of an item, from its partition key. Undefined: the key does not say. */
export const ownerInPk = (pk: string): number | undefined => {
  const [, owner] = /^(?:PERSON|EMAIL|EXT|IDEMPOTENCY|INBOUNDCALL|CONSENT|LINES|POSITIONS|STATS|USER)#(\d+)(?:#|$)/.exec(pk) ?? []
  return owner === undefined ? undefined : Number(owner)
}

/** The lead that an item belongs to or points to, from its key. Undefined: the key does not say. */
export const leadInKey = ({ pk, sk }: Key): number | undefined => {
  const [, lead] = /^(?:DELIVERY#|TASK#)?LEAD#(\d+)$/.exec(pk) ?? /^LEAD#0*([1-9]\d*)$/.exec(sk) ?? []
  return lead === undefined ? undefined : Number(lead)
}
