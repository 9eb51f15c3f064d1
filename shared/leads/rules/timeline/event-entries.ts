import * as v from 'valibot'
import { TRIGGERS } from '../../../platform/values/values.ts'
import type { Delivery } from '../../../webhooks/webhook.ts'
import { entry, type TimelineEntry } from './entry.ts'

/** The fields of an event's payload that the timeline uses. */
const Told = v.object({
  event_time: v.pipe(
    v.string(),
    v.transform((text) => Date.parse(text)),
  ),
  sequence: v.string(),
  status: v.string(),
})

interface Event extends v.InferOutput<typeof Told> {
  readonly id: string
  readonly trigger: Delivery['trigger']
}

const eventOf = ({ event_id, trigger, payload }: Delivery): Event[] => {
  const told = v.safeParse(v.pipe(v.string(), v.parseJson(), Told), payload)
  return told.success ? [{ ...told.output, id: event_id, trigger }] : []
}

const inOrder = (one: Event, other: Event): number =>
  one.event_time - other.event_time ||
  one.sequence.localeCompare(other.sequence) ||
  TRIGGERS.indexOf(one.trigger) - TRIGGERS.indexOf(other.trigger)

const attemptEntries = ({ subscription, delivery_id, attempts, status, next_attempt_time, trigger }: Delivery): TimelineEntry[] => [
  ...attempts.flatMap(({ time, status_code, error }) =>
    entry('delivery', time, `${trigger} sent to webhook ${subscription}: ${status_code ?? error ?? 'no answer'}`, delivery_id),
  ),
  ...entry('ahead', status === 'pending' ? next_attempt_time : null, `${trigger} is to be sent to webhook ${subscription}`, delivery_id),
]

/** One entry per event of the deliveries, with the lead's status in it, and one per delivery attempt. */
export const eventEntries = (deliveries: readonly Delivery[]): TimelineEntry[] => {
  const events = new Map(deliveries.flatMap(eventOf).map((event) => [event.id, event]))
  return [
    ...[...events.values()]
      .toSorted(inOrder)
      .flatMap(({ id, trigger, event_time, status }) => entry('event', event_time, `${trigger}, the lead being ${status}`, id)),
    ...deliveries.flatMap(attemptEntries),
  ]
}
