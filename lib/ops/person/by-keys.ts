import * as v from 'valibot'
import { LATEST } from '#shared/http/fields/date-time.ts'
import { rowsTakenIn } from '#shared/leads/lead-store.ts'
import {
  answerMarksPk,
  consentPk,
  emailPointerKey,
  externalIdPointerKey,
  GUARD_SK,
  inboundCallKey,
  itemTypeOf,
  type Key,
  leadDeliveriesPk,
  leadKey,
  leadTasksPk,
  markedKey,
  markedPk,
  parseLeadPk,
  personKey,
  phoneKeyAt,
  reassignedKey,
  uploadPk,
} from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { batchGet } from '#shared/platform/table/batches.ts'
import { partitionItems } from '#shared/platform/table/table.ts'
import { dueUploads } from '#shared/uploads/upload-store.ts'
import { LOOKS_AT_ONCE, type SoughtPerson } from './sought.ts'

/**
 * Finds the items of a person by keys alone. The cost depends on what the person holds, on the number of users, and on the unfinished
 * uploads.
 */

const Item = v.looseObject({ pk: v.string(), sk: v.string() })
type Item = v.InferOutput<typeof Item>

const itemsIn = async (pks: Iterable<string>): Promise<Item[]> => {
  const found = await inLanes(LOOKS_AT_ONCE, new Set(pks), (pk) => partitionItems(Item, pk))
  return found.flat()
}

const itemsAt = (keys: readonly Key[]): Promise<Item[]> => {
  const unique = new Map(keys.map(({ pk, sk }) => [`${pk} ${sk}`, { pk, sk }]))
  return batchGet(Item, [...unique.values()], { consistent: true })
}

const isMark = (item: Item): boolean => itemTypeOf(item) === 'mark'

const Listed = v.object({ leads: v.array(v.object({ id: v.number() })) })

/** The leads that a person item lists, or that a mark beside it finds. A malformed person item lists none. */
const leadsOf = (item: Item): number[] => {
  if (isMark(item)) return [parseLeadPk(markedPk(item))]
  const read = v.safeParse(Listed, item)
  return read.success ? read.output.leads.map(({ id }) => id) : []
}

const LeadValues = v.object({ owner: v.number(), id: v.number(), email: v.optional(v.string()), external_id: v.optional(v.string()) })

/** Pointers to a lead, and the upsert guards beside them. */
const keysOfLead = (item: Item): Key[] => {
  const read = v.safeParse(LeadValues, item)
  if (!read.success) return []
  const { owner, id, email, external_id } = read.output
  const pointers = [
    ...(email ? [emailPointerKey(owner, email, id)] : []),
    ...(external_id ? [externalIdPointerKey(owner, external_id, id)] : []),
  ]
  return [...pointers, ...pointers.map(({ pk }) => ({ pk, sk: GUARD_SK }))]
}

const InboundCall = v.object({
  owner: v.number(),
  agent: v.string(),
  provider_call_id: v.string(),
  call_direction: v.literal('inbound'),
})

const keysOfCall = (item: Item): Key[] => {
  const read = v.safeParse(InboundCall, item)
  return read.success ? [inboundCallKey(read.output.owner, read.output.agent, read.output.provider_call_id)] : []
}

/** The uploads, with their lanes, whose rows wrote a lead. */
const uploadPksOf = (item: Item): string[] => (itemTypeOf(item) === 'lead' ? rowsTakenIn(item).map(({ upload }) => uploadPk(upload)) : [])

/** Keys of items elsewhere that belong to an item in a lead's partition. */
const keysFrom = (item: Item): Key[] => {
  switch (itemTypeOf(item)) {
    case 'lead':
      return keysOfLead(item)
    case 'call':
      return keysOfCall(item)
    case 'mark':
      return [markedKey(item)]
    default:
      return []
  }
}

/** Partitions of uploads whose rows may still become leads of the person. */
const unfinishedUploads = async ({ owner }: SoughtPerson): Promise<string[]> => {
  const due = await dueUploads(LATEST, Number.MAX_SAFE_INTEGER)
  return due.filter((upload) => owner === undefined || owner === upload.owner).map(({ upload_id }) => uploadPk(upload_id))
}

/**
 * Everything that may be about the person. Some of it is about others: leads that had the number before, and uploads that are not finished.
 * @param isErasure only then, uploads that are not finished matter: none of their rows may make the person again
 */
export const itemsByKeys = async (sought: SoughtPerson, isErasure: boolean): Promise<Item[]> => {
  const { phoneNumber, leads, phonePks, users, hash } = sought
  const persons = await itemsIn(users.map((user) => personKey(user, phoneNumber).pk))
  const ids = new Set([...leads, ...persons.flatMap(leadsOf)])
  const ofLeads = await itemsIn([...ids].flatMap((id) => [leadKey(id).pk, leadDeliveriesPk(id), leadTasksPk(id)]))
  const answers = await itemsIn([answerMarksPk(phoneNumber)])
  const consents = await itemsIn(users.map((user) => consentPk(user, phoneNumber)))
  const uploads = await itemsIn([...ofLeads.flatMap(uploadPksOf), ...(isErasure ? await unfinishedUploads(sought) : [])])
  const elsewhere = await itemsAt([
    ...ofLeads.flatMap(keysFrom),
    ...answers.map(markedKey),
    ...[...phonePks].map(phoneKeyAt),
    reassignedKey(hash),
  ])
  const unique = new Map(
    [...persons, ...ofLeads, ...answers, ...consents, ...uploads, ...elsewhere].map((item) => [`${item.pk} ${item.sk}`, item]),
  )
  return [...unique.values()]
}
