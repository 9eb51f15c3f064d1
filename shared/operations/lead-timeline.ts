import { now } from '../adapters/clock.ts'
import { callEntries, textEntries } from '../domain/timeline/call-entries.ts'
import { ENTRY_KINDS, type TimelineEntry } from '../domain/timeline/entry.ts'
import { eventEntries } from '../domain/timeline/event-entries.ts'
import { leadEntries, promiseEntries, stopEntries } from '../domain/timeline/lead-entries.ts'
import type { Lead } from '../schema/lead.ts'
import { deliveriesOfLead } from '../storage/lead-deliveries.ts'
import { itemsOfLead } from '../storage/lead-items.ts'
import { getPhone, phonePk } from '../storage/phones.ts'
import { subscriptionsOf } from '../storage/subscriptions.ts'
import { getUpload } from '../storage/uploads.ts'
import { knownUser } from '../storage/users.ts'

/** Sorting keeps the order of those that come at the same instant and are of one kind. */
const inOrder = (one: TimelineEntry, other: TimelineEntry): number =>
  one.time - other.time || ENTRY_KINDS.indexOf(one.kind) - ENTRY_KINDS.indexOf(other.kind)

/**
 * What is on record of a lead, in order: its fields, its calls, text messages and promises, the stops of its phone, and its events as
 * the delivery log has them. What was changed again, and told to nobody, is on no record.
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
