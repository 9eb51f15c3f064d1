import { callHappenings, leadHappenings } from '#shared/domain/events/derive.ts'
import type { LeadEvent } from '#shared/schema/events.ts'
import { type ItemChange, itemChange, type StreamRecord } from '#shared/storage/changes.ts'

/** A sequence number has at most forty digits; filled up, texts sort as the numbers do. */
const SEQUENCE_DIGITS = 40

const happenings = (change: ItemChange) => (change.kind === 'lead' ? leadHappenings(change) : callHappenings(change))

const subject = (change: ItemChange) =>
  change.kind === 'lead'
    ? { owner: change.after.owner, lead_id: change.after.id, event_time: change.after.modified_time }
    : { owner: change.after.owner, lead_id: change.after.lead, event_time: latestMilestone(change.after) }

const latestMilestone = (call: Extract<ItemChange, { kind: 'call' }>['after']): number =>
  Math.max(
    call.intent_time,
    ...[call.accepted_time, call.answered_time, call.transfer_initiated_time, call.ended_time, call.settled_time].map((at) => at ?? 0),
  )

/** The events that a record of the stream means. Read again, it means the same ones, with the same ids. */
export const eventsOf = (record: StreamRecord): LeadEvent[] => {
  const change = itemChange(record)
  if (!change) return []
  const sequence = record.dynamodb.SequenceNumber.padStart(SEQUENCE_DIGITS, '0')
  return happenings(change).map((happening) => ({
    ...subject(change),
    ...happening,
    event_id: `${record.eventID}-${happening.trigger}`,
    sequence,
  }))
}
