import { knownUser } from '../../accounts/user-store.ts'
import { now } from '../../platform/clock.ts'
import { getPhone, phonePk } from '../../stops/phone-store.ts'
import { getUpload } from '../../uploads/upload-store.ts'
import { deliveriesOfLead } from '../../webhooks/lead-deliveries.ts'
import { subscriptionsOf } from '../../webhooks/subscription-store.ts'
import type { Lead } from '../lead.ts'
import { callEntries, textEntries } from '../rules/timeline/call-entries.ts'
import { ENTRY_KINDS, type TimelineEntry } from '../rules/timeline/entry.ts'
import { eventEntries } from '../rules/timeline/event-entries.ts'
import { leadEntries, promiseEntries, stopEntries } from '../rules/timeline/lead-entries.ts'
import { itemsOfLead } from './lead-items.ts'

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
