import type { Lead, UpdateLead } from '../../client/operations.ts'
import type { LeadEntries } from '../leads/lead-fields.tsx'
import { type OwnField, ownId, ownValue } from '../leads/own-fields.tsx'
import { texts } from '../texts.ts'

/** A value of a lead as the text of an input. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}

/** The texts of the form before anybody edits them. Some fields of the form are keys of the metadata. */
export const entriesOf = (lead: Lead, ownFields: readonly OwnField[]): LeadEntries => {
  const fields = new Map<string, unknown>(Object.entries({ ...lead.metadata, ...lead }))
  const metadata = new Map(Object.entries(lead.metadata))
  return {
    values: Object.fromEntries(Object.keys(texts.create.fields).map((name) => [name, textOf(fields.get(name))])),
    own: Object.fromEntries(ownFields.map(({ key }) => [key, textOf(metadata.get(key))])),
  }
}

/** The API takes no null for these fields. */
const NEVER_NULL: readonly string[] = ['phone_number', 'lead_source']

const sent = (name: string, text: string): unknown => {
  if (text === '' && !NEVER_NULL.includes(name)) return null
  return name === 'lead_type' ? Number(text) : text
}

/** The body of the update. Undefined: the user has edited nothing. */
export const editedFields = ({ values, own }: LeadEntries, ownFields: readonly OwnField[]): UpdateLead | undefined => {
  const changed = Object.entries(values).map(([name, text]) => [name, sent(name, text)] as const)
  const metadata = ownFields.filter(({ key }) => Object.hasOwn(own, key)).map((field) => [field.key, ownValue(field, own)] as const)
  if (changed.length + metadata.length === 0) return undefined
  return { ...Object.fromEntries(changed), ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }) }
}

type Stops = 'call_dnc' | 'sms_dnc'

/** The stops of a lead, as they are sent with another phone number: otherwise a correction of the number would let the phone ring again. */
export const shownStops = ({ call_dnc, sms_dnc }: Pick<UpdateLead, Stops>): Pick<UpdateLead, Stops> => ({
  ...(call_dnc && { call_dnc }),
  ...(sms_dnc && { sms_dnc }),
})

/** The entries of a user, and the value that each input showed before its entry. */
export interface LeadEdits {
  readonly entered: LeadEntries
  readonly before: LeadEntries
}

/** The fields of every lead, or those of the lead type. */
export type LeadPart = keyof LeadEntries

const textIn = (entries: LeadEntries, part: LeadPart, name: string): string | undefined => new Map(Object.entries(entries[part])).get(name)

const withText = (entries: LeadEntries, part: LeadPart, name: string, text: string | undefined): LeadEntries => {
  const others = Object.entries(entries[part]).filter(([other]) => other !== name)
  return { ...entries, [part]: Object.fromEntries(text === undefined ? others : [...others, [name, text]]) }
}

/** Adds an entry, or replaces it. A text that is the same as in the lead is no entry. */
export const withEntry = ({ entered, before }: LeadEdits, part: LeadPart, name: string, text: string, present: LeadEntries): LeadEdits => {
  const now = textIn(present, part, name) ?? ''
  const isEntry = text !== now
  return {
    entered: withText(entered, part, name, isEntry ? text : undefined),
    before: withText(before, part, name, isEntry ? (textIn(before, part, name) ?? now) : undefined),
  }
}

/** Values that others changed after an entry began, by the ids of the fields. */
export const changedMeanwhile = ({ entered, before }: LeadEdits, present: LeadEntries, ownFields: readonly OwnField[]) => {
  const changed = (part: LeadPart, name: string, id = name) => {
    const [text, began, now] = [entered, before, present].map((entries) => textIn(entries, part, name))
    return text === undefined || now === undefined || now === text || now === began ? [] : [[id, now] as const]
  }
  return new Map([
    ...Object.keys(entered.values).flatMap((name) => changed('values', name)),
    ...ownFields.flatMap(({ key }, place) => changed('own', key, ownId(place))),
  ])
}
