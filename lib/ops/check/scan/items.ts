import * as v from 'valibot'
import { ApiKey, User } from '#shared/accounts/configuration.ts'
import { CallbackTimer } from '#shared/backlog/callback-timer.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import { ConsentRecord, ConsentState } from '#shared/consents/consent.ts'
import { Task } from '#shared/leads/bulk/task.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import type { ItemType } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { PhoneAnswers } from '#shared/reassigned/answer.ts'
import { RegistryBlock } from '#shared/registries/registry.ts'
import { readCounts } from '#shared/statistics/statistics-store.ts'
import { Lines, Person, Phone } from '#shared/stops/compliance.ts'
import { StopItem } from '#shared/stops/stop-record-store.ts'
import { Upload } from '#shared/uploads/upload.ts'
import { Delivery } from '#shared/webhooks/webhook.ts'
import { DeliveryCount } from '../delivery-days.ts'
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
  'delivery-count': by(DeliveryCount),
  upload: by(Upload),
  task: by(Task),
  positions: by(ListItem),
  statistics: readCounts,
  consent: by(ConsentRecord),
  'consent-state': by(ConsentState),
  'registry-block': by(RegistryBlock),
  'reassigned-answers': by(PhoneAnswers),
}

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

/** Why the service cannot read an item; undefined when it can. */
export const faultOf = (type: ItemType, item: Item): string | undefined => {
  try {
    READERS[type]?.(item)
    return undefined
  } catch (error) {
    return faultText(error)
  }
}
