import * as v from 'valibot'
import { CallbackTimer } from '#shared/schema/callback-timer.ts'
import { Lines, Person, Phone } from '#shared/schema/compliance.ts'
import { ApiKey, User } from '#shared/schema/configuration.ts'
import { Task } from '#shared/schema/task.ts'
import { Upload } from '#shared/schema/upload.ts'
import { Delivery } from '#shared/schema/webhook.ts'
import type { Item } from '#shared/storage/as-read.ts'
import { callFromItem } from '#shared/storage/calls.ts'
import type { ItemType } from '#shared/storage/keys.ts'
import { leadFromItem } from '#shared/storage/leads.ts'
import { DeliveryCount } from './delivery-counts.ts'
import { ListItem } from './list-state.ts'

export const KeyOfItem = v.object({ pk: v.string(), sk: v.string() })

const by = (schema: v.GenericSchema) => (item: Item) => void v.parse(schema, item)

/** As the service reads them. @throws ValiError */
const READERS: Partial<Record<ItemType, (item: Item) => unknown>> = {
  lead: leadFromItem,
  call: callFromItem,
  timer: by(CallbackTimer),
  person: by(Person),
  phone: by(Phone),
  lines: by(Lines),
  user: by(User),
  'api-key': by(ApiKey),
  delivery: by(Delivery),
  'delivery-count': by(DeliveryCount),
  upload: by(Upload),
  task: by(Task),
  positions: by(ListItem),
}

/** Where an item is not of its form, or what else keeps it from being read. */
export const toldFault = (error: unknown): string => {
  if (v.isValiError(error)) return v.getDotPath(error.issues[0]) ?? error.message
  return error instanceof Error ? error.message : String(error)
}

/** Why the service cannot read an item; undefined: it can. */
export const faultOf = (type: ItemType, item: Item): string | undefined => {
  try {
    READERS[type]?.(item)
    return undefined
  } catch (error) {
    return toldFault(error)
  }
}
