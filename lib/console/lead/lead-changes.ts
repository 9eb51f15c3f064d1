import type { Lead, UpdateLead } from '../../client/operations.ts'
import type { LeadEntries } from '../leads/lead-fields.tsx'
import { type OwnField, ownValue } from '../leads/own-fields.tsx'
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

/** The stops of a lead, as they are sent with another phone number: otherwise a correction of the number would let the phone ring again. */
export const shownStops = ({ call_dnc, sms_dnc }: Lead): Pick<UpdateLead, 'call_dnc' | 'sms_dnc'> => ({
  ...(call_dnc && { call_dnc }),
  ...(sms_dnc && { sms_dnc }),
})

/** Adds an entry, or replaces it. A text that is the same as in the lead is no entry. */
export const withEntry = (entries: Readonly<Record<string, string>>, name: string, text: string, present: string) => {
  const others = Object.fromEntries(Object.entries(entries).filter(([other]) => other !== name))
  return { ...others, ...(text !== present && { [name]: text }) }
}
