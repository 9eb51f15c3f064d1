import type { Key } from './key.ts'

/** What stands under which keys: partition key and sort key, with a space between. The first that fits. */
const TYPES = [
  [/^LEAD#\d+ LEAD$/, 'lead'],
  [/^LEAD#\d+ CALL#/, 'call'],
  [/^LEAD#\d+ SMS#/, 'sms'],
  [/^LEAD#\d+ TIMER#/, 'timer'],
  [/^PERSON#/, 'person'],
  [/^(EMAIL|EXT)#.* UPSERT$/s, 'upsert-guard'],
  [/^(EMAIL|EXT)#/, 'pointer'],
  [/^PHONE#/, 'phone'],
  [/^LINES#\d+ LINES$/, 'lines'],
  [/^USER#\d+ USER$/, 'user'],
  [/^KEY#/, 'api-key'],
  [/^DELIVERY#/, 'delivery'],
  [/^DELIVERIES#/, 'delivery-count'],
  [/^POSITIONS#/, 'positions'],
  [/^TASK#/, 'task'],
  [/^UPLOAD#/, 'upload'],
  [/^IDEMPOTENCY#/, 'answer'],
  [/^INBOUNDCALL#/, 'inbound-call'],
] as const

export type ItemType = (typeof TYPES)[number][1]

export const ITEM_TYPES: readonly ItemType[] = TYPES.map(([, type]) => type)

/** Undefined: configuration, or what the service only remembers for itself. */
export const itemTypeOf = ({ pk, sk }: Key): ItemType | undefined => TYPES.find(([pattern]) => pattern.test(`${pk} ${sk}`))?.[1]

/** The number or hash that a partition key of one part names: `12` of `LINES#12`. */
export const idInPk = (pk: string): string => pk.slice(pk.indexOf('#') + 1)
