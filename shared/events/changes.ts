import { unmarshall } from '@aws-sdk/util-dynamodb'
import * as v from 'valibot'
import { CallbackTimer } from '../backlog/callback-timer.ts'
import type { Call } from '../calling/call.ts'
import { callFromItem } from '../calling/call-store.ts'
import type { Lead, PublishedLead } from '../leads/lead.ts'
import { leadFromItem } from '../leads/lead-store.ts'
import { CALL_PREFIX, CALLBACK_TIMER_PREFIX, SMS_PREFIX } from '../platform/keys.ts'
import type { LeadEvent } from './event.ts'
import { callHappenings, type Happening, type ItemWrite, leadHappenings, smsHappenings, timerHappenings } from './rules/derive.ts'
import type { Sms } from './sms.ts'
import { smsFromItem } from './sms-store.ts'

/** One record of the table's stream, reduced to what is used. */
export const StreamRecord = v.object({
  eventID: v.string(),
  dynamodb: v.object({
    SequenceNumber: v.string(),
    Keys: v.object({ sk: v.object({ S: v.string() }) }),
    NewImage: v.optional(v.record(v.string(), v.any())),
    OldImage: v.optional(v.record(v.string(), v.any())),
  }),
})
export type StreamRecord = v.InferOutput<typeof StreamRecord>

type ItemChange =
  | ({ readonly kind: 'lead' } & ItemWrite<Lead>)
  | ({ readonly kind: 'call' } & ItemWrite<Call>)
  | ({ readonly kind: 'sms' } & ItemWrite<Sms>)
  | ({ readonly kind: 'timer' } & ItemWrite<CallbackTimer>)

const change = <T>(record: StreamRecord, parse: (item: unknown) => T): ItemWrite<T> | undefined => {
  const { NewImage, OldImage } = record.dynamodb
  return NewImage && { after: parse(unmarshall(NewImage)), before: OldImage && parse(unmarshall(OldImage)) }
}

/** The change of a lead, a call, a text message or a timer; undefined for other items, and for removals. @throws ValiError */
const itemChange = (record: StreamRecord): ItemChange | undefined => {
  const { S: sk } = record.dynamodb.Keys.sk
  if (sk === 'LEAD') {
    const lead = change(record, leadFromItem)
    return lead && { kind: 'lead', ...lead }
  }
  if (sk.startsWith(CALL_PREFIX)) {
    const call = change(record, callFromItem)
    return call && { kind: 'call', ...call }
  }
  if (sk.startsWith(SMS_PREFIX)) {
    const sms = change(record, smsFromItem)
    return sms && { kind: 'sms', ...sms }
  }
  if (sk.startsWith(CALLBACK_TIMER_PREFIX)) {
    const timer = change(record, (item) => v.parse(CallbackTimer, item))
    return timer && { kind: 'timer', ...timer }
  }
  return undefined
}

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

const publishedLead = ({ field_times, collected_times, collected_fields, former_place, ingested, ...lead }: Lead): PublishedLead => lead

/** The events of a stream record. A repeated record gives the same events, with the same ids. */
export const eventsOf = (record: StreamRecord): LeadEvent[] => {
  const change = itemChange(record)
  if (!change) return []
  const sequence = record.dynamodb.SequenceNumber.padStart(SEQUENCE_DIGITS, '0')
  return happenings(change).map(({ time, lead, ...happening }) => ({
    ...subject(change),
    ...happening,
    lead: lead && publishedLead(lead),
    event_id: `${record.eventID}-${happening.trigger}`,
    event_time: time,
    sequence,
  }))
}
