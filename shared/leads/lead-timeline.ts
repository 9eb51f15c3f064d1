import * as v from 'valibot'
import { knownUser } from '../accounts/user-store.ts'
import { CallbackTimer } from '../backlog/callback-timer.ts'
import type { Call } from '../calling/call.ts'
import { callFromItem } from '../calling/call-store.ts'
import type { Sms } from '../events/sms.ts'
import { smsFromItem } from '../events/sms-store.ts'
import { now } from '../platform/clock.ts'
import { CALL_PREFIX, CALLBACK_TIMER_PREFIX, type Key, leadKey, SMS_PREFIX } from '../platform/keys.ts'
import { partitionItems } from '../platform/table/table.ts'
import { getPhone, phonePk } from '../stops/phone-store.ts'
import { getUpload } from '../uploads/upload-store.ts'
import { deliveriesOfLead } from '../webhooks/lead-deliveries.ts'
import { subscriptionsOf } from '../webhooks/subscription-store.ts'
import type { Lead } from './lead.ts'
import {
  callEntries,
  ENTRY_KINDS,
  eventEntries,
  leadEntries,
  promiseEntries,
  stopEntries,
  type TimelineEntry,
  textEntries,
} from './rules/timeline.ts'

const StoredItem = v.looseObject({ pk: v.string(), sk: v.string() })

/** All items that are stored under a lead. */
interface LeadItems {
  /** Oldest first. */
  readonly calls: readonly Call[]
  readonly texts: readonly Sms[]
  readonly promises: readonly CallbackTimer[]
  /** Keys of all items of the lead. Its own key is among them while it exists. */
  readonly keys: readonly Key[]
}

/** Strongly consistent. */
export const itemsOfLead = async (lead: number): Promise<LeadItems> => {
  const items = await partitionItems(StoredItem, leadKey(lead).pk)
  const under = (prefix: string) => items.filter(({ sk }) => sk.startsWith(prefix))
  return {
    calls: under(CALL_PREFIX).map(callFromItem),
    texts: under(SMS_PREFIX)
      .map(smsFromItem)
      .toSorted((a, b) => a.time - b.time),
    promises: under(CALLBACK_TIMER_PREFIX).map((item) => v.parse(CallbackTimer, item)),
    keys: items.map(({ pk, sk }) => ({ pk, sk })),
  }
}

/** The sort is stable: entries of the same instant and kind keep their order. */
const inOrder = (one: TimelineEntry, other: TimelineEntry): number =>
  one.time - other.time || ENTRY_KINDS.indexOf(one.kind) - ENTRY_KINDS.indexOf(other.kind)

/**
 * The recorded history of a lead, in order. It has the lead's fields, calls, text messages and promises, its phone's stops, and its events
 * from the delivery log. A value that was overwritten and never delivered is not on record.
 */
export const leadTimeline = async (lead: Lead): Promise<TimelineEntry[]> => {
  const at = now()
  const { dnc_group } = await knownUser(lead.owner)
  const uploadIds = [...new Set(lead.ingested.map(({ upload }) => upload))]
  const [items, phone, subscriptions, uploads] = await Promise.all([
    itemsOfLead(lead.id),
    phonePk(dnc_group, lead.phone_number).then(getPhone),
    subscriptionsOf(lead.owner),
    Promise.all(uploadIds.map((id) => getUpload(id, at))),
  ])
  const deliveries = await deliveriesOfLead(lead, subscriptions, at)
  const entries = [
    ...leadEntries(
      lead,
      uploads.filter((upload) => upload !== undefined),
    ),
    ...stopEntries(phone),
    ...items.calls.flatMap(callEntries),
    ...items.texts.flatMap(textEntries),
    ...promiseEntries(items.promises),
    ...eventEntries(deliveries),
  ]
  return entries.toSorted(inOrder)
}
