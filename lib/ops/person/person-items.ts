import { gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { containsMention } from '#shared/erasure/rules/redact.ts'
import { readIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import {
  type ItemType,
  itemTypeOf,
  type Key,
  leadInKey,
  markedPk,
  ownerInPk,
  parseAskedAt,
  parseCallId,
  reassignedKey,
} from '#shared/platform/keys.ts'

/** Decides which items are about a person, and what an erasure does with each. */

/** The values that identify a person in items. */
export interface Sought {
  /** In E.164. */
  readonly phoneNumber: string
  readonly mentions: RegExp
  /** Ids of leads with this number that are known so far. */
  readonly leads: ReadonlySet<number>
  /** See `phoneHash`. */
  readonly hash: string
  /** Partition keys of the phone, one per DNC group. */
  readonly phonePks: ReadonlySet<string>
  /** Only leads of this user; undefined: of all users. */
  readonly owner: number | undefined
}

/**
 * `person`: a lead or a person item, which goes with all that points to it. `redact`: it is about somebody else, and mentions the number.
 * `leave`: an erasure must not change it.
 */
export type Fate = 'person' | 'remove' | 'redact' | 'forget answer' | 'leave'

export interface PersonItem {
  readonly key: Key
  /** Undefined for configuration and for internal state of the service. */
  readonly type: ItemType | undefined
  readonly fate: Fate
  readonly item: Readonly<Record<string, unknown>>
}

/** A malformed attribute counts as absent, so that the rest of the item is still judged. */
const oddAsAbsent = <T extends v.GenericSchema>(schema: T) => v.fallback(v.optional(schema), undefined)

const Item = v.looseObject({
  pk: v.string(),
  sk: v.string(),
  owner: oddAsAbsent(v.number()),
  phone_number: oddAsAbsent(v.string()),
  lead: v.optional(v.unknown()),
  call_id: oddAsAbsent(v.string()),
  reserved_lead: oddAsAbsent(v.number()),
  phone_key: oddAsAbsent(v.string()),
  payload: oddAsAbsent(v.string()),
})
type Item = v.InferOutput<typeof Item>

/** The owner of an item; undefined when the item does not name one. */
const ownerOf = ({ pk, owner }: Item): number | undefined => owner ?? ownerInPk(pk)

/** The lead that an item is about: from its key, or from one of several attributes. */
const leadOf = ({ lead, call_id, reserved_lead, ...key }: Item): number | undefined => {
  const beside = leadInKey(key)
  if (beside !== undefined) return beside
  if (typeof lead === 'number') return lead
  return (call_id === undefined ? undefined : parseCallId(call_id)?.lead) ?? reserved_lead
}

/** Stored answers may be compressed. */
const answerText = ({ answer }: Item): string => {
  const body = v.safeParse(v.object({ body: v.union([v.string(), v.instance(Uint8Array)]) }), answer)
  if (!body.success) return ''
  return typeof body.output.body === 'string' ? body.output.body : gunzipSync(body.output.body).toString()
}

const Payload = v.pipe(v.string(), v.parseJson(), v.looseObject({ phone_number: v.optional(v.string()) }))

/** The phone number in a delivery's payload: the lead's number at that time. */
const payloadNumber = ({ payload }: Item): string | undefined => {
  const read = v.safeParse(Payload, payload)
  return read.success ? read.output.phone_number : undefined
}

const fateOf = (
  item: Item,
  type: ItemType | undefined,
  { phoneNumber, hash, mentions, leads, phonePks, owner }: Sought,
): Fate | undefined => {
  const isTheirs = leads.has(leadOf(item) ?? 0)
  const isNumber = item.phone_number === phoneNumber
  const isNamed = containsMention(mentions, item)
  const inKey = isMentioned(mentions, item.pk) || isMentioned(mentions, item.sk)
  switch (type) {
    case 'lead':
    case 'person':
      return isNumber ? 'person' : isNamed ? 'redact' : undefined
    case 'call':
    case 'sms':
      return isTheirs || isNumber ? 'remove' : isNamed ? 'redact' : undefined
    case 'delivery':
      return isTheirs || payloadNumber(item) === phoneNumber ? 'remove' : isNamed ? 'redact' : undefined
    case 'timer':
      return isTheirs ? 'remove' : undefined
    case 'mark':
      return isTheirs || inKey ? 'remove' : undefined
    case 'pointer':
      return isTheirs ? 'remove' : inKey ? 'leave' : undefined
    case 'upsert-guard':
      return isTheirs || inKey ? 'remove' : undefined
    case 'task':
      return isTheirs ? 'remove' : isNamed ? 'redact' : undefined
    case 'inbound-call':
      return isTheirs || isNamed || phonePks.has(item.phone_key ?? '') ? 'remove' : undefined
    case 'consent':
    case 'consent-state':
      return inKey ? 'remove' : isNamed ? 'redact' : undefined
    case 'reassigned-answers':
      // All users share the answers about a number. An erasure for one user keeps them, because leads of others may need them.
      return owner === undefined && item.pk === reassignedKey(hash).pk ? 'remove' : undefined
    case 'idempotency':
      return isMentioned(mentions, answerText(item)) ? 'forget answer' : undefined
    // Words in which a person asked for a stop may hold a number.
    case 'phone':
    case 'stop':
    case 'upload':
      return isNamed ? 'redact' : undefined
    default:
      return isNamed ? 'leave' : undefined
  }
}

/**
 * The fate of an item without an owner, when one user's data is erased. It is erased only if it surely belongs to one of the leads, or is a
 * stored answer or its mark.
 */
const fateUnowned = (item: Item, type: ItemType | undefined, fate: Fate, { leads }: Sought): Fate =>
  fate === 'forget answer' || type === 'mark' || leads.has(leadOf(item) ?? 0) ? fate : 'leave'

/** How an item concerns a person; undefined when it does not. */
export const personItem = (raw: Readonly<Record<string, unknown>>, sought: Sought): PersonItem | undefined => {
  const item = v.parse(Item, raw)
  const owner = ownerOf(item)
  if (sought.owner !== undefined && owner !== undefined && owner !== sought.owner) return undefined
  const key = { pk: item.pk, sk: item.sk }
  const type = itemTypeOf(key)
  const found = fateOf(item, type, sought)
  const fate = found && sought.owner !== undefined && owner === undefined ? fateUnowned(item, type, found, sought) : found
  return fate && { key, type, fate, item: raw }
}

/** Whether an item without an owner belongs to another user. Only stored answers show it, while their ingestion URL still exists. */
export const isOfAnother = async ({ key, type }: PersonItem, { owner }: Sought): Promise<boolean> => {
  const url = owner === undefined ? undefined : parseAskedAt(type === 'mark' ? markedPk(key) : key.pk)
  const found = url === undefined ? undefined : await readIngestionUrl(url)
  return found !== undefined && found.owner !== owner
}
