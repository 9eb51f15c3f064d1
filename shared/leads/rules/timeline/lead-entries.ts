import type { CallbackTimer } from '../../../backlog/callback-timer.ts'
import { settingOf, waitsFor } from '../../../backlog/rules/holders.ts'
import { CHANNELS, type Phone } from '../../../stops/compliance.ts'
import type { Upload } from '../../../uploads/upload.ts'
import type { Lead } from '../../lead.ts'
import { keyOfTime } from '../field-times.ts'
import { acceptedTime, entry, type TimelineEntry } from './entry.ts'

/** Every update of these fields records its time. Their current value is the one that was set last. */
const SET_BY_UPDATES = ['email', 'phone_number', 'representative', 'external_id', 'us_state', 'lead_source'] as const

/** Characters of a value that are shown. */
const LONGEST = 60

const told = (name: string, value: unknown): string => {
  const text = JSON.stringify(value)
  return `${name} = ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`
}

/** A field that was set at that time. Its value is shown only when it is certainly still the same. */
const fieldText = (lead: Lead, field: string): string => {
  const plain = SET_BY_UPDATES.find((name) => name === field)
  if (plain) return told(plain, lead[plain])
  const key = keyOfTime(lead.metadata, field)
  // The service's internal abbreviations mean nothing to a reader.
  if (key === undefined) return field === 'metadata' ? 'other metadata' : field.replace(/^(metadata\.)#.*/, '$1…')
  // A call may have replaced the value since: its data counts by report time and may arrive after a later update.
  return Object.hasOwn(lead.collected_times, key) ? `metadata.${key}` : told(`metadata.${key}`, lead.metadata[key])
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
    entry('lead', time, `told in a call: ${keys.map(([key]) => key).join(', ')}`),
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
  const times = lead.reengagements_count === 1 ? 'reengaged' : `reengaged, for time ${lead.reengagements_count}`
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
