import type { CollectedField, Lead, Telling } from '../lead.ts'
import type { FillableField } from './collectable.ts'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** By the time at which they were told; at the same time by their text, so that no order of the reports matters. */
const order = (one: Telling, other: Telling): number => {
  if (one.at !== other.at) return one.at - other.at
  const [text = '', otherText = ''] = [JSON.stringify(one.value), JSON.stringify(other.value)]
  return text < otherText ? -1 : Number(text > otherText)
}

const latestOf = (tellings: readonly (Telling | null | undefined)[]): Telling | null =>
  tellings.flatMap((telling) => telling ?? []).sort((a, b) => order(b, a))[0] ?? null

/** The latest value that was told, and the latest one that differs from it. */
const withLatest = (known: CollectedField | undefined, told: Telling): Pick<CollectedField, 'last' | 'other'> => {
  const last = latestOf([known?.last, told]) ?? told
  const others = [known?.last, known?.other, told].filter((telling) => telling && !isSame(telling.value, last.value))
  return { last, other: latestOf(others) }
}

/** A value of a field that was told in a call. */
interface Told {
  /** The field that it may fill; undefined: only clients and the service set that. */
  readonly field: FillableField | undefined
  /** The value as the field would have it; undefined: the field cannot have it. */
  readonly value: string | number | undefined
  /** What was told. */
  readonly said: unknown
  readonly at: number
}

/** What becomes of a field and of the value that conflicts with it. */
interface Outcome {
  readonly known: CollectedField
  /** A new value of the field. */
  readonly filled: string | number | undefined
  /** The latest value that the field does not have. */
  readonly conflict: unknown
}

/** Whether the value becomes the field's: the first one told does, and what a client has set or taken away since stays so. */
const fills = (lead: Lead, field: FillableField, told: Telling, known: CollectedField | undefined): boolean => {
  const current = lead[field]
  const first = known?.first ?? null
  if (current === null || current === '') return !known || first === null || order(told, known.last) > 0
  const isCollected = first !== null && isSame(first.value, current) && !Object.hasOwn(lead.field_times, field)
  return isCollected && order(told, first) < 0
}

/** Takes up what was told of a field: the same result in whatever order, and however often, it is told. */
export const collectField = (lead: Lead, known: CollectedField | undefined, { field, value, said, at }: Told): Outcome => {
  const told = { at, value: value ?? said }
  const isFilling = field !== undefined && value !== undefined && fills(lead, field, told, known)
  const latest = withLatest(known, told)
  const filled = isFilling ? value : undefined
  const now = filled ?? (field && lead[field])
  const conflict = [latest.last, latest.other].find((telling) => telling && !isSame(telling.value, now))
  return { known: { first: isFilling ? told : (known?.first ?? null), ...latest }, filled, conflict: conflict?.value }
}
