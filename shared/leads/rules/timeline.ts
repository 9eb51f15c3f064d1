import * as v from 'valibot'
import { transferLegs } from '../../agents/rules/transfer-legs.ts'
import type { CallbackTimer } from '../../backlog/callback-timer.ts'
import { settingOf, waitsFor } from '../../backlog/rules/holders.ts'
import type { Call } from '../../calling/call.ts'
import type { Sms } from '../../events/sms.ts'
import { cutText } from '../../platform/values/cut-text.ts'
import { type Instant, TRIGGERS } from '../../platform/values/values.ts'
import { CHANNELS, type Phone } from '../../stops/compliance.ts'
import type { Upload } from '../../uploads/upload.ts'
import type { Delivery } from '../../webhooks/webhook.ts'
import type { Lead } from '../lead.ts'
import { acceptedTime, keyOfTime } from './field-times.ts'
import { DESCRIPTIVE_FIELDS } from './lead-fields.ts'

/** Kinds of entries. Entries of the same instant are listed in this order. */
export const ENTRY_KINDS = ['lead', 'stop', 'call', 'text', 'promise', 'event', 'delivery', 'ahead'] as const

/** Something that happened to a lead or, with the kind `ahead`, will happen. */
export interface TimelineEntry {
  readonly time: Instant
  readonly kind: (typeof ENTRY_KINDS)[number]
  readonly text: string
  /** Id of the call, text message, event or delivery. */
  readonly id?: string
}

const entry = (kind: TimelineEntry['kind'], time: Instant | null, text: string, id?: string): TimelineEntry[] =>
  time === null ? [] : [{ time, kind, text, ...(id !== undefined && { id }) }]

/** Characters of a value that are shown. */
const LONGEST = 60

const quotedField = (name: string, value: unknown): string => `${name} = ${cutText(JSON.stringify(value), LONGEST)}`

/** A field that was set at that time. Its value is shown only when it is certainly still the same. */
const fieldText = (lead: Lead, field: string): string => {
  // Every update of these fields records its time: their current value is the one that was set last.
  const plain = DESCRIPTIVE_FIELDS.find((name) => name === field)
  if (plain) return quotedField(plain, lead[plain])
  const key = keyOfTime(lead.metadata, field)
  // The service's internal abbreviations mean nothing to a reader.
  if (key === undefined) return field === 'metadata' ? 'other metadata' : field.replace(/^(metadata\.)#.*/, '$1…')
  // A call may have replaced the value since.
  return Object.hasOwn(lead.collected_times, key) ? `metadata.${key}` : quotedField(`metadata.${key}`, lead.metadata[key])
}

/** One entry per update, with the fields that it set last. */
const updateEntries = (lead: Lead): TimelineEntry[] =>
  [...Map.groupBy(Object.entries(lead.field_times), ([, accepted]) => accepted)].flatMap(([accepted, fields]) => {
    const time = acceptedTime(accepted)
    const set = fields.map(([field]) => field).toSorted()
    return entry('lead', time, `set: ${set.map((field) => fieldText(lead, field)).join(', ')}`)
  })

const collectedEntries = ({ collected_times, collected_fields }: Lead): TimelineEntry[] => {
  const fields = Object.entries(collected_fields).map(([name, { last }]) => [name, last.at] as const)
  return [...Map.groupBy([...Object.entries(collected_times), ...fields], ([, time]) => time)].flatMap(([time, keys]) =>
    entry('lead', time, `collected in a call: ${keys.map(([key]) => key).join(', ')}`),
  )
}

const uploadEntries = (lead: Lead, uploads: readonly Upload[]): TimelineEntry[] =>
  lead.ingested.flatMap(({ upload: id, row, outcome }) => {
    const upload = uploads.find(({ upload_id }) => upload_id === id)
    const time = { created: lead.created_time, reengaged: lead.last_reengagement_time, updated: upload?.started_time ?? null }[outcome]
    return entry('lead', time, `${outcome} by row ${row} of the upload ${id}${upload ? ` (${upload.filename})` : ''}`)
  })

const aheadText = (lead: Lead): string => {
  const setting = settingOf(lead)
  if (setting !== undefined) return `call ${lead.attempts + 1} is held back until ${waitsFor(setting)}`
  return `call ${lead.attempts + 1} is due (${lead.next_call_time_reason}, list ${lead.due_list})`
}

/** Entries from a lead's fields. A field that changes often shows only its last change. */
export const leadEntries = (lead: Lead, uploads: readonly Upload[]): TimelineEntry[] => {
  const times = lead.reengagements_count === 1 ? 'reengaged' : `reengagement ${lead.reengagements_count}`
  const ahead = lead.due_list === null ? null : lead.next_call_time
  return [
    ...entry('lead', lead.received_time === lead.created_time ? null : lead.received_time, 'received'),
    ...entry('lead', lead.created_time, 'created'),
    ...entry('lead', lead.last_reengagement_time, times),
    ...entry('lead', lead.first_inbound_time, 'called in for the first time'),
    ...updateEntries(lead),
    ...collectedEntries(lead),
    ...uploadEntries(lead, uploads),
    ...entry('ahead', ahead, aheadText(lead)),
  ]
}

/** Entries of a phone's stops: when each was last raised and last lifted. */
export const stopEntries = (phone: Phone): TimelineEntry[] => [
  ...(phone.list_lifts ?? []).flatMap(({ time, channels, reason }) =>
    entry('stop', time, `${channels.map((channel) => `${channel}_dnc`).join(' and ')} lifted from the group's list: ${reason}`),
  ),
  ...CHANNELS.flatMap((channel) => {
    const { [`${channel}_stopped` as const]: raised, [`${channel}_lifted` as const]: lifted } = phone
    return [
      ...entry('stop', raised === undefined ? null : acceptedTime(raised), `${channel}_dnc raised on the phone number`),
      ...entry('stop', lifted === undefined ? null : acceptedTime(lifted), `${channel}_dnc lifted from the phone number`),
    ]
  }),
]

export const promiseEntries = (promises: readonly CallbackTimer[]): TimelineEntry[] =>
  promises.flatMap(({ promised_time, fired_time }) => [
    ...entry('promise', promised_time, 'a call was promised for this time'),
    ...entry('promise', fired_time, 'the promised call is late'),
  ])

const transferEntries = (call: Call): TimelineEntry[] =>
  transferLegs(call).flatMap(({ mode, destination, initiated_time, connected_time, ended_time, reason }) => {
    const to = [mode, destination && `to ${destination}`].filter(Boolean).join(' ')
    const of = (time: number | null, text: string) => entry('call', time, text, call.call_id)
    return [
      ...of(initiated_time, `call ${call.attempt}: transfer begun${to && ` (${to})`}`),
      ...of(connected_time, `call ${call.attempt}: transferred`),
      ...of(ended_time, `call ${call.attempt}: transfer ended${reason ? ` (${reason})` : ''}`),
    ]
  })

const completion = ({ outcome, reported_outcome, summary }: Call): string =>
  [`${outcome ?? 'no outcome'}, reported as ${reported_outcome ?? 'nothing'}`, summary].filter(Boolean).join(': ')

/** The milestones of a call. Each is recorded once. */
export const callEntries = (call: Call): TimelineEntry[] => {
  const { attempt, call_direction, phone_number, agent } = call
  const of = (time: number | null, text: string) => entry('call', time, `call ${attempt}: ${text}`, call.call_id)
  const toOrFrom = call_direction === 'outbound' ? 'to' : 'from'
  return [
    ...of(call.intent_time, `${call_direction}, ${toOrFrom} ${phone_number}, agent ${agent}`),
    ...of(call.accepted_time, 'accepted by the agent'),
    ...of(call.answered_time, 'answered'),
    ...transferEntries(call),
    ...of(call.call_stopped === null ? null : acceptedTime(call.call_stopped), 'asked not to be called again'),
    ...of(call.sms_stopped === null ? null : acceptedTime(call.sms_stopped), 'asked not to be sent text messages'),
    ...of(call.cancel_asked_time, 'the agent was asked to cancel it'),
    ...of(call.refused_time, `refused: ${call.failure ?? 'no reason given'}`),
    ...of(call.unknown_time, `fate unknown: ${call.failure ?? 'no reason given'}`),
    ...of(call.ended_time, 'ended'),
    ...of(call.completed_time, completion(call)),
    ...(call.contradictions ?? []).flatMap(({ time, outcome }) =>
      of(time, `reported again, as ${outcome}: the first outcome stays, only a stop applies`),
    ),
  ]
}

export const textEntries = ({ time, direction, body, status, sms_id }: Sms): TimelineEntry[] =>
  entry('text', time, `text message, ${direction ?? 'direction unknown'}${status ? `, ${status}` : ''}: ${body ?? ''}`.trimEnd(), sms_id)

/** The fields of an event's payload that the timeline uses. */
const EventPayload = v.object({
  event_time: v.pipe(
    v.string(),
    v.transform((text) => Date.parse(text)),
  ),
  sequence: v.string(),
  status: v.string(),
})

interface Event extends v.InferOutput<typeof EventPayload> {
  readonly id: string
  readonly trigger: Delivery['trigger']
}

const eventOf = ({ event_id, trigger, payload }: Delivery): Event[] => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), EventPayload), payload)
  return parsed.success ? [{ ...parsed.output, id: event_id, trigger }] : []
}

const inOrder = (one: Event, other: Event): number =>
  one.event_time - other.event_time ||
  one.sequence.localeCompare(other.sequence) ||
  TRIGGERS.indexOf(one.trigger) - TRIGGERS.indexOf(other.trigger)

const attemptEntries = ({ subscription, delivery_id, attempts, status, next_attempt_time, trigger }: Delivery): TimelineEntry[] => [
  ...attempts.flatMap(({ time, status_code, error }) =>
    entry('delivery', time, `${trigger} sent to webhook ${subscription}: ${status_code ?? error ?? 'no answer'}`, delivery_id),
  ),
  ...entry('ahead', status === 'pending' ? next_attempt_time : null, `${trigger} waits to be sent to webhook ${subscription}`, delivery_id),
]

/** One entry per event of the deliveries, with the lead's status in it, and one per delivery attempt. */
export const eventEntries = (deliveries: readonly Delivery[]): TimelineEntry[] => {
  const events = new Map(deliveries.flatMap(eventOf).map((event) => [event.id, event]))
  return [
    ...[...events.values()]
      .toSorted(inOrder)
      .flatMap(({ id, trigger, event_time, status }) => entry('event', event_time, `${trigger}, lead status ${status}`, id)),
    ...deliveries.flatMap(attemptEntries),
  ]
}
