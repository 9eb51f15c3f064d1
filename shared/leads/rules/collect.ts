import * as v from 'valibot'
import { emailField } from '../../http/fields/email.ts'
import { fitsMetadata, isEcho } from '../../http/fields/metadata.ts'
import { integerField } from '../../http/fields/number.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { charField } from '../../http/fields/text.ts'
import { readUsState } from '../../location/rules/state.ts'
import { type Instant, isSameJson } from '../../platform/values/values.ts'
import { LeadResponse } from '../api/lead-response.ts'
import type { CollectedField, CollectedValue, Lead } from '../lead.ts'
import { mayKeyBeSetAfter } from './field-times.ts'

const stateField = v.pipe(
  v.unknown(),
  v.transform((said) => readUsState(said).value),
  v.string(),
)

/** Lead fields that an agent may fill with what it learns in a call. */
const FILLABLE = {
  email: emailField(),
  external_id: charField({ maxLength: 255 }),
  us_state: stateField,
  lead_source: charField({ maxLength: 255 }),
  representative: integerField({ min: 1 }),
} as const

type FillableField = keyof typeof FILLABLE

const isFillable = (name: string): name is FillableField => Object.hasOwn(FILLABLE, name)

const fillableField = (name: string): FillableField | undefined => (isFillable(name) ? name : undefined)

/** The value in the field's format; undefined when the field cannot take it. */
const valueFor = (field: FillableField, said: unknown): string | number | undefined => {
  const read = v.safeParse(FILLABLE[field], said)
  return read.success ? read.output : undefined
}

/** Whether a name means a lead field, not a metadata key. */
const isLeadField = (name: string): boolean => name !== 'metadata' && (Object.hasOwn(LeadResponse.entries, name) || isEcho(name))

/** By report time; at the same time by text, so that the order of the reports does not matter. */
const order = (one: CollectedValue, other: CollectedValue): number => {
  if (one.at !== other.at) return one.at - other.at
  const [text = '', otherText = ''] = [JSON.stringify(one.value), JSON.stringify(other.value)]
  return text < otherText ? -1 : Number(text > otherText)
}

const latestOf = (tellings: readonly (CollectedValue | null | undefined)[]): CollectedValue | null =>
  tellings.flatMap((telling) => telling ?? []).sort((a, b) => order(b, a))[0] ?? null

/** The latest reported value, and the latest one that differs from it. */
const withLatest = (known: CollectedField | undefined, reported: CollectedValue): Pick<CollectedField, 'last' | 'other'> => {
  const last = latestOf([known?.last, reported]) ?? reported
  const others = [known?.last, known?.other, reported].filter((telling) => telling && !isSameJson(telling.value, last.value))
  return { last, other: latestOf(others) }
}

/** A value that was reported for a field in a call. */
interface ReportedValue {
  /** The field that it may fill. Undefined: only clients and the service set the field. */
  readonly field: FillableField | undefined
  /** The value in the field's format. Undefined: the field cannot take it. */
  readonly value: string | number | undefined
  /** The value in the form in which the call reported it. */
  readonly said: unknown
  readonly at: number
}

/** The new state of a field, and the value that conflicts with it. */
interface Outcome {
  readonly known: CollectedField
  /** The field's new value. Undefined: the field stays as it is. */
  readonly filled: string | number | undefined
  /** The latest value that differs from the field's. */
  readonly conflict: unknown
}

/**
 * Whether the reported value fills the field. An empty field that no call has filled takes any value. A field that was emptied after a call
 * filled it takes only a newer report. A filled field changes only to an earlier report, and only while no client has set it.
 */
const fills = (lead: Lead, field: FillableField, reported: CollectedValue, known: CollectedField | undefined): boolean => {
  const current = lead[field]
  const first = known?.first ?? null
  if (current === null || current === '') return !known || first === null || order(reported, known.last) > 0
  const isCollected = first !== null && isSameJson(first.value, current) && !Object.hasOwn(lead.field_times, field)
  return isCollected && order(reported, first) < 0
}

/** Records a value that was reported for a field. The result does not depend on the order or number of reports. */
const collectField = (lead: Lead, known: CollectedField | undefined, { field, value, said, at }: ReportedValue): Outcome => {
  const reported = { at, value: value ?? said }
  const isFilling = field !== undefined && value !== undefined && fills(lead, field, reported, known)
  const latest = withLatest(known, reported)
  const filled = isFilling ? value : undefined
  const now = filled ?? (field && lead[field])
  const conflict = [latest.last, latest.other].find((telling) => telling && !isSameJson(telling.value, now))
  return { known: { first: isFilling ? reported : (known?.first ?? null), ...latest }, filled, conflict: conflict?.value }
}

/** The result of applying the data that an agent collected. */
type Collected = { readonly lead: Lead | undefined; readonly isTooLarge: boolean }

interface Collection {
  /** When the data was reported. */
  readonly at: Instant
  readonly now: Instant
  /** Whether another lead of the same person has the email. */
  readonly isEmailTaken: (email: string) => boolean
  /** Metadata keys that only clients set. A gate permits calls by them, and a model may mishear or guess. */
  readonly guarded: readonly string[]
}

/** Prefix of the metadata keys for values that did not become the value of the field or key that they name. */
const PREFIX = 'collected_'

/** A key may be called `constructor` or `__proto__`: only own keys count. */
const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(map, key) ? map[key] : undefined)

const isBlank = (said: unknown): boolean => said === null || (typeof said === 'string' && said.trim() === '')

/** The lead's own number is not news. */
const isOwnNumber = (lead: Lead, name: string, said: unknown): boolean =>
  name === 'phone_number' && v.safeParse(phoneField(), said).output === lead.phone_number

/** Applies a value that was reported for one of the lead's fields. */
const withField = (lead: Lead, [name, said]: readonly [string, unknown], { at, isEmailTaken }: Collection): Lead => {
  if (isBlank(said) || isOwnNumber(lead, name, said)) return lead
  const field = fillableField(name)
  const read = field && valueFor(field, said)
  const value = field === 'email' && typeof read === 'string' && isEmailTaken(read) ? undefined : read
  const before = lead.collected_fields[name]
  const { known, filled, conflict } = collectField(lead, before, { field, value, said: read ?? said, at })
  if (isSameJson(known, before)) return lead
  return {
    ...lead,
    ...(field && filled !== undefined && { [field]: filled }),
    ...(conflict !== undefined && { metadata: { ...lead.metadata, [`${PREFIX}${name}`]: conflict } }),
    collected_fields: { ...lead.collected_fields, [name]: known },
  }
}

/** The metadata key under which a collected value is kept. A value that a client has set since the report stays. */
const keyFor = (lead: Lead, name: string, collection: Collection): string => {
  const { at, guarded } = collection
  return guarded.includes(name) || mayKeyBeSetAfter(lead, name, at) ? keyFor(lead, `${PREFIX}${name}`, collection) : name
}

/** Puts data that names no lead field into the metadata, key by key. An older report never replaces a newer one. */
const withKeys = (lead: Lead, collected: readonly (readonly [string, unknown])[], collection: Collection): Lead => {
  const { at } = collection
  const isNew = ([key]: readonly [string, unknown]): boolean => (own(lead.collected_times, key) ?? 0) < at
  // A repeat of a report whose value a client has replaced since is no news.
  const entries = collected.filter(isNew).map(([name, value]) => [keyFor(lead, name, collection), value] as const)
  const news = entries.filter(isNew)
  if (news.length === 0) return lead
  const times = news.map(([key]) => [key, at] as const)
  return {
    ...lead,
    metadata: { ...lead.metadata, ...Object.fromEntries(news) },
    collected_times: { ...lead.collected_times, ...Object.fromEntries(times) },
  }
}

const isShownAlike = (one: Lead, other: Lead): boolean =>
  Object.keys(other.metadata).every((key) => isSameJson(own(one.metadata, key), own(other.metadata, key))) &&
  Object.keys(other.collected_fields).every((name) => {
    const field = fillableField(name)
    return field === undefined || one[field] === other[field]
  })

const fits = ({ metadata, collected_fields }: Lead): boolean => fitsMetadata({ ...metadata, ...collected_fields })

/**
 * Applies the data collected in a call to the lead. A value that names a lead field fills the field when it is empty. A value that the
 * field does not take is kept in the metadata as `collected_email` and the like. All other data goes into the metadata under its own name,
 * or under `collected_…` if it names a guarded key or a key that a client has set since.
 * `lead` is undefined when nothing changes. Data that would exceed the limits of the metadata is left out: it must block neither the lead's
 * own fields nor the call's outcome.
 */
export const withCollected = (lead: Lead, collected: Readonly<Record<string, unknown>>, collection: Collection): Collected => {
  const { ofLead = [], others = [] } = Object.groupBy(Object.entries(collected), ([name]) => (isLeadField(name) ? 'ofLead' : 'others'))
  const filled = ofLead.reduce((next, entry) => withField(next, entry, collection), lead)
  const whole = withKeys(filled, others, collection)
  if (whole === lead) return { lead: undefined, isTooLarge: false }
  const next = [whole, filled].find(fits) ?? lead
  const isTooLarge = next !== whole
  if (next === lead) return { lead: undefined, isTooLarge }
  const cause = isShownAlike(lead, next) ? 'outcome' : 'collect'
  return { lead: { ...next, cause, modified_time: collection.now }, isTooLarge }
}
