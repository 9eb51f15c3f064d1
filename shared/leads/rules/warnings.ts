import type { LeadType } from '../../accounts/configuration.ts'
import type { CallingPolicy } from '../../calling/rules/policy.ts'
import { isSentConsent } from '../../consents/api/consent-request.ts'
import { consentFieldMeant } from '../../consents/rules/misnamed.ts'
import { isDictionary } from '../../http/fields/field.ts'
import { isSlip, lettersOf } from '../../http/fields/nearest.ts'
import { isInternational, locate } from '../../location/rules/locate.ts'
import { LOCATION_KEYS } from '../../location/rules/location-keys.ts'
import { readSaid } from '../../location/rules/said.ts'
import { noStateRemarks, strayZoneRemarks } from '../../location/rules/stray-zone.ts'
import type { LeadWarning, Warning } from '../../platform/values/warning.ts'
import { pastDay } from '../../reassigned/rules/days.ts'
import { LEAD_FIELD_NAMES } from '../api/lead-request.ts'
import type { Lead } from '../lead.ts'
import { gateKeys } from './lead-fields.ts'
import { commonlyCalled } from './other-names.ts'

/** A warning about a lead as it is stored. */
export interface AboutLead extends Warning {
  readonly code: LeadWarning
}

/** Metadata keys that the service or the agent reads. */
const READ_KEYS = ['first_name', 'last_name', 'timezone', 'us_state', 'state', 'zip', 'property_state', 'property_zip', 'ip_address', 'ip']

/** Longer keys are not compared: that would take too long, and no known name is that long. */
const LONGEST_KEY = 40

interface KnownName {
  readonly name: string
  readonly letters: string
}

const withLetters = (name: string): KnownName => ({ name, letters: lettersOf(name) })

const KNOWN = [...READ_KEYS, ...LEAD_FIELD_NAMES].map(withLetters)

/** The known name that the sender of a metadata key probably meant. */
const meant = (key: string, known: readonly KnownName[]): string | undefined => {
  if (key.length > LONGEST_KEY || known.some(({ name }) => name === key)) return undefined
  const letters = lettersOf(key)
  const same = known.find((one) => one.letters === letters)?.name ?? commonlyCalled(key)
  return same ?? known.find((one) => isSlip(letters, one.letters))?.name
}

/** Lead fields that have no effect inside `metadata`. All other lead fields are read there too, or repeat the lead's own value. */
const TOP_LEVEL = new Set([
  'status',
  'call_dnc',
  'sms_dnc',
  'lead_type',
  'representative',
  'call_schedule_start_time',
  'min_reengagement_days',
])

const detailOf = (key: string, hint: string): string =>
  key === hint
    ? 'The lead field has no effect inside metadata. Send it at the top level.'
    : `The metadata key is similar to ${hint}, which the service uses. The service does not use this one.`

/** Metadata keys that are compared. A lead may have thousands. */
const MOST_KEYS = 200

/** @param key of the metadata. @param hint the field that it is similar to */
const similar = (key: string, hint: string, detail: string): AboutLead => ({
  code: 'similar_field',
  field: `metadata.${key}`,
  hint,
  detail,
})

const NOT_RECORDED = 'It is metadata, and not recorded as a consent.'

/** Only a request that creates a lead records its consent, and only at the top level. */
const unrecordedConsent = ({ metadata }: Lead, keys: readonly string[]): AboutLead[] => {
  const sent = keys.includes('consent') ? metadata['consent'] : undefined
  if (isSentConsent(sent)) {
    return [similar('consent', 'consent', `${NOT_RECORDED} Send it to POST /api/consents/, or at the top level when you create a lead.`)]
  }
  if (!isDictionary(sent) || !Object.keys(sent).some((key) => consentFieldMeant(`consent.${key}`))) return []
  return [similar('consent', 'consent.type', 'It has no key type, so it is metadata, and not recorded as a consent.')]
}

/** Metadata keys that a lead type reads. */
const keysOfType = (leadType: LeadType): readonly string[] => [
  ...gateKeys(leadType),
  ...leadType.lead_metadata_fields.map(({ key }) => key),
]

/** Keys beside the lead that look like fields of a consent. Only an object is a consent. */
const scatteredConsent = (keys: readonly string[], leadType: LeadType | undefined): AboutLead[] => {
  const read = leadType ? keysOfType(leadType) : []
  return keys.slice(0, MOST_KEYS).flatMap((key) => {
    const hint = read.includes(key) ? undefined : consentFieldMeant(key)
    return hint === undefined ? [] : similar(key, hint, `${NOT_RECORDED} A consent is an object with the key type.`)
  })
}

/** Days that the lead type needs for a gate, in a form that the service cannot read. */
const unreadableDays = ({ metadata }: Lead, keys: readonly string[], leadType: LeadType | undefined): AboutLead[] => {
  const { registries, reassigned_numbers } = leadType ?? {}
  const relationship = registries?.exemption === 'relationship' ? registries.relationship_field : null
  const fields = [...new Set([relationship, reassigned_numbers?.date_field])].filter((field) => typeof field === 'string')
  return fields.flatMap((field) => {
    const value = keys.includes(field) ? metadata[field] : undefined
    const isBlank = value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
    // A day to come is readable. The gate decides whether it counts.
    if (isBlank || pastDay(value, Number.POSITIVE_INFINITY) !== undefined) return []
    const detail = 'It is not a day such as 2026-11-20, so the service does not use it. The lead type needs this day before a call.'
    return { code: 'unreadable_day', field: `metadata.${field}`, detail }
  })
}

const similarFields = (keys: readonly string[], leadType: LeadType | undefined): AboutLead[] => {
  const own = leadType?.lead_metadata_fields.map(({ key }) => key) ?? []
  const known = [...[...own, ...(leadType?.consent_field ? [leadType.consent_field] : [])].map(withLetters), ...KNOWN]
  return keys.slice(0, MOST_KEYS).flatMap((key) => {
    const hint = TOP_LEVEL.has(key) ? key : meant(key, known)
    return hint === undefined ? [] : similar(key, hint, detailOf(key, hint))
  })
}

/** Fields that should say where the lead is, but hold no existing state, ZIP code or time zone. */
const places = (lead: Lead): AboutLead[] =>
  readSaid(lead).remarks.map(({ key, remark }) => ({
    code: key === 'timezone' ? 'unknown_timezone' : 'unknown_place',
    field: key.includes('us_state') ? key : `metadata.${key}`,
    detail: `${remark} It is stored, but not used.${key === 'timezone' ? ' Write it as in America/New_York.' : ''}`,
  }))

/** The state that is given may be wrong, or the ZIP code. */
const zipElsewhere = (lead: Lead): AboutLead[] => {
  const { zip, usState, state } = readSaid(lead)
  const given = usState ?? state
  if (isInternational(lead) || !zip?.state || given === undefined || zip.state === given) return []
  const detail = `${zip.zip} is in ${zip.state}, but the lead says ${given}. Calls keep to the rules of both states. Correct the one that is wrong.`
  return [{ code: 'zip_in_other_state', field: 'metadata.zip', hint: zip.state, detail }]
}

const callsAbroad = (lead: Lead, leadType: LeadType | undefined, policy: CallingPolicy): AboutLead[] => {
  if (!isInternational(lead) || !leadType) return []
  if (!leadType.international) {
    const detail = 'The number is outside the North American Numbering Plan, and the lead type does not call such numbers.'
    return [{ code: 'not_called_abroad', field: 'phone_number', detail }]
  }
  if (locate(lead, policy).timezones.length > 0) return []
  const detail = 'A number outside the North American Numbering Plan is called only with a time zone.'
  return [{ code: 'timezone_required', field: 'metadata.timezone', detail }]
}

/** Only a part of the place is known, or two parts do not fit. */
const unsurePlace = (lead: Lead, policy: CallingPolicy): AboutLead[] => {
  if (isInternational(lead)) return []
  const location = locate(lead, policy)
  if (!location.isKnown) {
    const detail =
      'The place of the lead is not known. Calls are made only in the default hours, which are short. Send a timezone, a zip or a us_state.'
    return [{ code: 'no_place', field: 'us_state', detail }]
  }
  const stray = { code: 'timezone_outside_state', field: 'metadata.timezone', hint: location.state ?? '' } as const
  return [
    ...noStateRemarks(lead, location).map((detail): AboutLead => ({ code: 'no_state', field: 'us_state', detail })),
    ...strayZoneRemarks(lead, location, lead.modified_time).map((detail) => ({ ...stray, detail })),
  ]
}

const NO_LEAD_TYPE: AboutLead = {
  code: 'no_lead_type',
  field: 'lead_type',
  detail: 'The lead has no lead type, so it is not called. Send a lead_type, or ask the operator for a default one.',
}

/**
 * Warnings about a lead, for its sender.
 * @param keys metadata keys to look at
 */
export const leadWarnings = (
  lead: Lead,
  leadType: LeadType | undefined,
  policy: CallingPolicy,
  keys: readonly string[] = Object.keys(lead.metadata),
): AboutLead[] => [
  ...(lead.lead_type === null ? [NO_LEAD_TYPE] : []),
  ...callsAbroad(lead, leadType, policy),
  ...places(lead),
  ...unsurePlace(lead, policy),
  ...zipElsewhere(lead),
  ...similarFields(keys, leadType),
  ...unrecordedConsent(lead, keys),
  ...scatteredConsent(keys, leadType),
  ...unreadableDays(lead, keys, leadType),
]

/** Fields that cause a warning together with the field that it names. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  zip_in_other_state: ['us_state', 'metadata.us_state', 'metadata.state'],
  no_state: ['metadata.timezone'],
  timezone_outside_state: ['us_state', ...LOCATION_KEYS.map((key) => `metadata.${key}`)],
}

type Patch = Readonly<Record<string, unknown>> & { readonly metadata?: unknown }

/** Whether the warning is about a field that an update has sent. */
export const isAbout = ({ code, field }: Warning, patch: Patch): boolean =>
  [field, ...(CAUSES[code] ?? [])].some((name) => isSent(name, patch))

const isSent = (name: string, patch: Patch): boolean => {
  const [top = '', ...rest] = name.split('.')
  if (top !== 'metadata') return patch[top] !== undefined
  return typeof patch.metadata === 'object' && patch.metadata !== null && Object.hasOwn(patch.metadata, rest.join('.'))
}
