import { gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { tells } from '#shared/erasure/rules/redact.ts'
import { readIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { type ItemType, itemTypeOf, type Key, leadInKey, ownerInPk, parseAskedAt, parseCallId } from '#shared/platform/keys.ts'

/** Which items of the table are about a person, and what becomes of them when the person is erased. */

/** A person as items tell of them. */
export interface Sought {
  /** In E.164. */
  readonly phoneNumber: string
  readonly mentions: RegExp
  /** Ids of leads with this number, as far as they are known. */
  readonly leads: ReadonlySet<number>
  /** Partition keys of the phone in the DNC groups. */
  readonly phonePks: ReadonlySet<string>
  /** Whose leads; undefined: everybody's. */
  readonly owner: number | undefined
}

/**
 * `person`: a lead, or who has leads, which go with what points to them. `redact`: it is about somebody else, and mentions the number.
 * `leave`: nothing that an erasure may change.
 */
export type Fate = 'person' | 'remove' | 'redact' | 'forget answer' | 'leave'

export interface PersonItem {
  readonly key: Key
  /** Undefined: configuration, or what the service only remembers for itself. */
  readonly type: ItemType | undefined
  readonly fate: Fate
  readonly item: Readonly<Record<string, unknown>>
}

/** Of what is not as it should be, the rest is looked at all the same. */
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

/** Whose an item is; undefined: it does not say. */
const ownerOf = ({ pk, owner }: Item): number | undefined => owner ?? ownerInPk(pk)

/** The lead that an item is about, by whatever of it says so. */
const leadOf = ({ lead, call_id, reserved_lead, ...key }: Item): number | undefined => {
  const beside = leadInKey(key)
  if (beside !== undefined) return beside
  if (typeof lead === 'number') return lead
  return (call_id === undefined ? undefined : parseCallId(call_id)?.lead) ?? reserved_lead
}

/** Answers may be kept compressed. */
const answerText = ({ answer }: Item): string => {
  const body = v.safeParse(v.object({ body: v.union([v.string(), v.instance(Uint8Array)]) }), answer)
  if (!body.success) return ''
  return typeof body.output.body === 'string' ? body.output.body : gunzipSync(body.output.body).toString()
}

const Payload = v.pipe(v.string(), v.parseJson(), v.looseObject({ phone_number: v.optional(v.string()) }))

/** Whether a delivery told of a lead that had the number then. */
const toldOf = ({ payload }: Item): string | undefined => {
  const told = v.safeParse(Payload, payload)
  return told.success ? told.output.phone_number : undefined
}

const fateOf = (item: Item, type: ItemType | undefined, { phoneNumber, mentions, leads, phonePks }: Sought): Fate | undefined => {
  const isTheirs = leads.has(leadOf(item) ?? 0)
  const isNumber = item.phone_number === phoneNumber
  const isTold = tells(mentions, item)
  const inKey = isMentioned(mentions, item.pk) || isMentioned(mentions, item.sk)
  switch (type) {
    case 'lead':
    case 'person':
      return isNumber ? 'person' : isTold ? 'redact' : undefined
    case 'call':
    case 'sms':
      return isTheirs || isNumber ? 'remove' : isTold ? 'redact' : undefined
    case 'delivery':
      return isTheirs || toldOf(item) === phoneNumber ? 'remove' : isTold ? 'redact' : undefined
    case 'timer':
      return isTheirs ? 'remove' : undefined
    case 'pointer':
      return isTheirs ? 'remove' : inKey ? 'leave' : undefined
    case 'upsert-guard':
      return isTheirs || inKey ? 'remove' : undefined
    case 'task':
      return isTheirs ? 'remove' : isTold ? 'redact' : undefined
    case 'inbound-call':
      return isTheirs || isTold || phonePks.has(item.phone_key ?? '') ? 'remove' : undefined
    case 'idempotency':
      return isMentioned(mentions, answerText(item)) ? 'forget answer' : undefined
    case 'upload':
      return isTold ? 'redact' : undefined
    default:
      return isTold ? 'leave' : undefined
  }
}

/** Of what does not say whose it is, no more goes than what is certainly of one of the leads, or is only told again. */
const fateUnowned = (item: Item, fate: Fate, { leads }: Sought): Fate =>
  fate === 'forget answer' || leads.has(leadOf(item) ?? 0) ? fate : 'leave'

/** What an item has to do with a person; undefined: nothing. */
export const personItem = (raw: Readonly<Record<string, unknown>>, sought: Sought): PersonItem | undefined => {
  const item = v.parse(Item, raw)
  const owner = ownerOf(item)
  if (sought.owner !== undefined && owner !== undefined && owner !== sought.owner) return undefined
  const key = { pk: item.pk, sk: item.sk }
  const type = itemTypeOf(key)
  const found = fateOf(item, type, sought)
  const fate = found && sought.owner !== undefined && owner === undefined ? fateUnowned(item, found, sought) : found
  return fate && { key, type, fate, item: raw }
}

/** Whether what does not say itself whose it is belongs to another owner: an answer, as far as its ingestion URL is still there. */
export const isOfAnother = async ({ key }: PersonItem, { owner }: Sought): Promise<boolean> => {
  const url = owner === undefined ? undefined : parseAskedAt(key.pk)
  const found = url === undefined ? undefined : await readIngestionUrl(url)
  return found !== undefined && found.owner !== owner
}
