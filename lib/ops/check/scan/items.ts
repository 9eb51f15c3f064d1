import * as v from 'valibot'
import { Agent, ApiKey, LeadType, User } from '#shared/accounts/configuration.ts'
import { CallbackTimer } from '#shared/backlog/callback-timer.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import { ConsentRecord, ConsentState } from '#shared/consents/consent.ts'
import { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import { Task } from '#shared/leads/bulk/task.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import {
  agentKey,
  type ItemType,
  ingestionUrlKey,
  itemTypeOf,
  type Key,
  LEAD_TYPE_PREFIX,
  REGISTRIES,
  SUBSCRIPTION_PREFIX,
  sourceKey,
} from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { PhoneAnswers } from '#shared/reassigned/answer.ts'
import { Registry, RegistryBlock } from '#shared/registries/registry.ts'
import { readCounts } from '#shared/statistics/statistics-store.ts'
import { Lines, Person, Phone } from '#shared/stops/compliance.ts'
import { StopItem } from '#shared/stops/stop-record-store.ts'
import { Upload } from '#shared/uploads/upload.ts'
import { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import { ListItem } from '../list-state.ts'

export const KeyOfItem = v.object({ pk: v.string(), sk: v.string() })

export const ReadItem = v.intersect([KeyOfItem, v.record(v.string(), v.unknown())])

const by = (schema: v.GenericSchema) => (item: Item) => void v.parse(schema, item)

/** Parses an item as the service does. @throws ValiError */
const READERS: Partial<Record<ItemType, (item: Item) => unknown>> = {
  lead: leadFromItem,
  call: callFromItem,
  timer: by(CallbackTimer),
  person: by(Person),
  phone: by(Phone),
  stop: by(StopItem),
  lines: by(Lines),
  user: by(User),
  'api-key': by(ApiKey),
  delivery: by(Delivery),
  upload: by(Upload),
  task: by(Task),
  positions: by(ListItem),
  statistics: readCounts,
  consent: by(ConsentRecord),
  'consent-state': by(ConsentState),
  'registry-block': by(RegistryBlock),
  'reassigned-answers': by(PhoneAnswers),
}

/** Configuration, by the beginning of partition key and sort key. */
const CONFIGURATION = [
  ['USER#', LEAD_TYPE_PREFIX, 'lead type', by(LeadType)],
  ['USER#', SUBSCRIPTION_PREFIX, 'subscription', by(Subscription)],
  ['USER#', sourceKey(0, '').sk, 'source', by(Source)],
  [ingestionUrlKey('').pk, '', 'ingestion URL', by(IngestionUrl)],
  [agentKey('').pk, agentKey('').sk, 'voice agent', by(Agent)],
  [REGISTRIES, '', 'registry', by(Registry)],
] as const

/** The path of the malformed attribute, or the message of another error. */
export const faultText = (error: unknown): string => {
  if (v.isValiError(error)) return v.getDotPath(error.issues[0]) ?? error.message
  return error instanceof Error ? error.message : String(error)
}

/** Runs `read`. @returns undefined also when an item is malformed, which the kind `unreadable` reports */
export const unlessMalformed = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}

/** The name of a thing for operators, and how the service reads it. Undefined: nobody checks such items. */
const readerOf = (key: Key) => {
  const type = itemTypeOf(key)
  if (type !== undefined) return { thing: type, read: READERS[type] }
  const found = CONFIGURATION.find(([partition, sort]) => key.pk.startsWith(partition) && key.sk.startsWith(sort))
  return found && { thing: found[2], read: found[3] }
}

/** Why the service cannot read an item; undefined when it can. */
export const faultOf = (key: Key, item: Item): { readonly thing: string; readonly text: string } | undefined => {
  const { thing = '', read } = readerOf(key) ?? {}
  try {
    read?.(item)
    return undefined
  } catch (error) {
    return { thing, text: faultText(error) }
  }
}
