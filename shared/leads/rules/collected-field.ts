import { isSameJson } from '../../platform/values/is-same-json.ts'
import type { CollectedField, Lead, Telling } from '../lead.ts'
import type { FillableField } from './collectable.ts'

/** By report time; at the same time by text, so that the order of the reports does not matter. */
const order = (one: Telling, other: Telling): number => {
  if (one.at !== other.at) return one.at - other.at
  const [text = '', otherText = ''] = [JSON.stringify(one.value), JSON.stringify(other.value)]
  return text < otherText ? -1 : Number(text > otherText)
}

const latestOf = (tellings: readonly (Telling | null | undefined)[]): Telling | null =>
  tellings.flatMap((telling) => telling ?? []).sort((a, b) => order(b, a))[0] ?? null

/** The latest reported value, and the latest one that differs from it. */
const withLatest = (known: CollectedField | undefined, told: Telling): Pick<CollectedField, 'last' | 'other'> => {
  const last = latestOf([known?.last, told]) ?? told
  const others = [known?.last, known?.other, told].filter((telling) => telling && !isSameJson(telling.value, last.value))
  return { last, other: latestOf(others) }
}

/** A value that was reported for a field in a call. */
interface Told {
  /** The field that it may fill. Undefined: only clients and the service set the field. */
  readonly field: FillableField | undefined
  /** The value in the field's format. Undefined: the field cannot take it. */
  readonly value: string | number | undefined
  /** The value as reported. */
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
 * Whether the value fills the field. An empty field that no call has filled takes any value. A field that was emptied since takes only a
 * newer report. A filled field changes only to an earlier report, and only while no client has set it.
 */
const fills = (lead: Lead, field: FillableField, told: Telling, known: CollectedField | undefined): boolean => {
  const current = lead[field]
  const first = known?.first ?? null
  if (current === null || current === '') return !known || first === null || order(told, known.last) > 0
  const isCollected = first !== null && isSameJson(first.value, current) && !Object.hasOwn(lead.field_times, field)
  return isCollected && order(told, first) < 0
}

/** Records a value that was reported for a field. The result does not depend on the order or number of reports. */
export const collectField = (lead: Lead, known: CollectedField | undefined, { field, value, said, at }: Told): Outcome => {
  const told = { at, value: value ?? said }
  const isFilling = field !== undefined && value !== undefined && fills(lead, field, told, known)
  const latest = withLatest(known, told)
  const filled = isFilling ? value : undefined
  const now = filled ?? (field && lead[field])
  const conflict = [latest.last, latest.other].find((telling) => telling && !isSameJson(telling.value, now))
  return { known: { first: isFilling ? told : (known?.first ?? null), ...latest }, filled, conflict: conflict?.value }
}
