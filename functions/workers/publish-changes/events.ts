import { type ItemChange, itemChange, type StreamRecord } from '#shared/events/changes.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { callHappenings, type Happening, leadHappenings, smsHappenings, timerHappenings } from '#shared/events/rules/derive.ts'
import type { Lead, ToldLead } from '#shared/leads/lead.ts'

/** A sequence number has at most forty digits. Padded texts sort like the numbers. */
const SEQUENCE_DIGITS = 40

const happenings = (change: ItemChange): Happening[] => {
  switch (change.kind) {
    case 'lead':
      return leadHappenings(change)
    case 'call':
      return callHappenings(change)
    case 'sms':
      return smsHappenings(change)
    case 'timer':
      return timerHappenings(change)
  }
}

const subject = ({ kind, after }: ItemChange) => ({ owner: after.owner, lead_id: kind === 'lead' ? after.id : after.lead })

const told = ({ field_times, collected_times, collected_fields, ingested, ...lead }: Lead): ToldLead => lead

/** The events of a stream record. A repeated record gives the same events, with the same ids. */
export const eventsOf = (record: StreamRecord): LeadEvent[] => {
  const change = itemChange(record)
  if (!change) return []
  const sequence = record.dynamodb.SequenceNumber.padStart(SEQUENCE_DIGITS, '0')
  return happenings(change).map(({ time, lead, ...happening }) => ({
    ...subject(change),
    ...happening,
    lead: lead && told(lead),
    event_id: `${record.eventID}-${happening.trigger}`,
    event_time: time,
    sequence,
  }))
}
