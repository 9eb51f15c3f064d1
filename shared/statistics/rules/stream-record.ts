import * as v from 'valibot'
import { CALL_OUTCOMES } from '../../calling/call.ts'
import { LEAD_STATUSES } from '../../platform/values/values.ts'
import { type CountChange, type CountedCall, type CountedLead, callChanges, leadChanges } from './changes.ts'

/** An attribute of an item as the stream shows it. Only the counted ones are read: an item may be large. */
const stored = <T extends v.GenericSchema>(type: 'S' | 'N' | 'BOOL', value: T) =>
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((attribute) => attribute[type]),
    value,
  )

const text = <T extends v.GenericSchema>(value: T) => stored('S', value)
const number = stored('N', v.pipe(v.string(), v.transform(Number), v.number(), v.integer()))

const ofBoth = { owner: number, lead_type: v.optional(number) }

const LeadImage = v.object({
  ...ofBoth,
  status: text(v.picklist(LEAD_STATUSES)),
  lead_source: v.optional(text(v.string())),
  created_time: number,
  change_list: v.optional(text(v.string())),
})

const CallImage = v.object({
  ...ofBoth,
  lead_source: v.optional(text(v.string())),
  attempt: number,
  intent_time: number,
  completed_time: v.optional(number),
  refused_time: v.optional(number),
  unknown_time: v.optional(number),
  outcome: v.optional(text(v.picklist(CALL_OUTCOMES))),
  is_contact: v.optional(stored('BOOL', v.boolean())),
})

const Image = v.optional(v.record(v.string(), v.unknown()))

const Record = v.object({
  eventID: v.pipe(v.string(), v.minLength(1)),
  dynamodb: v.object({ Keys: v.object({ sk: v.object({ S: v.string() }) }), NewImage: Image, OldImage: Image }),
})

/** The changes of numbers that follow from a record of the table's stream. */
export interface CountedRecord {
  /** The same at every repeat of the record. */
  readonly eventId: string
  readonly changes: readonly CountChange[]
}

/**
 * A lead is counted once it is in the index of changes. So a lead of an earlier version is counted with its next change or with a repair,
 * and it is never subtracted before.
 */
const leadOf = (image: unknown): CountedLead | undefined => {
  if (image === undefined) return undefined
  const { change_list, lead_type = null, lead_source = '', ...lead } = v.parse(LeadImage, image)
  return change_list === undefined ? undefined : { ...lead, lead_type, lead_source }
}

const callOf = (image: unknown): CountedCall | undefined => {
  if (image === undefined) return undefined
  const call = v.parse(CallImage, image)
  return {
    owner: call.owner,
    attempt: call.attempt,
    intent_time: call.intent_time,
    lead_type: call.lead_type ?? null,
    lead_source: call.lead_source ?? null,
    completed_time: call.completed_time ?? null,
    refused_time: call.refused_time ?? null,
    unknown_time: call.unknown_time ?? null,
    outcome: call.outcome ?? null,
    is_contact: call.is_contact ?? null,
  }
}

/** @param callPrefix begins the sort keys of calls. @throws ValiError when the record cannot be read */
export const countedRecord = (record: unknown, callPrefix: string): CountedRecord => {
  const { eventID: eventId, dynamodb } = v.parse(Record, record)
  const { Keys, NewImage, OldImage } = dynamodb
  if (Keys.sk.S === 'LEAD') return { eventId, changes: leadChanges(leadOf(OldImage), leadOf(NewImage)) }
  const isCall = Keys.sk.S.startsWith(callPrefix)
  return { eventId, changes: isCall ? callChanges(callOf(OldImage), callOf(NewImage)) : [] }
}
