import type { LeadStatus } from '../../platform/values/values.ts'
import { COUNTED_ATTEMPTS, type CountAttribute, type CountedOutcome, HOURS_OF_DAY, parseAttribute, TRANSFERRED } from './counted.ts'
import { daysOf, type Period } from './period.ts'

/** Numbers of one group of an owner: of one day, or of leads as they are now. */
export interface GroupNumbers {
  /** Null: numbers of leads as they are now. */
  readonly day: string | null
  readonly leadType: number | null
  readonly source: string
  /** By attribute. */
  readonly counts: Readonly<Record<string, number>>
}

/** Sums of counts. */
export interface Totals {
  readonly leads: Readonly<Record<LeadStatus, number>>
  readonly created: number
  readonly calls: Readonly<Record<CountedOutcome, number>>
  /** Calls by the hour of their beginning, in UTC. */
  readonly hours: readonly number[]
  /** Calls by the number of their attempt, from the first. */
  readonly attempts: readonly number[]
  readonly contacts: number
}

const NO_LEADS: Readonly<Record<LeadStatus, number>> = {
  ...{ UNKNOWN: 0, NEW: 0, OPEN: 0, CALLBACK_TO_TRANSFER: 0, CLOSED: 0, CLOSED_INCOMPLETE: 0 },
  ...{ LOST: 0, SCHEDULE_COMPLETED: 0, OUT_OF_TERRITORY: 0, BAD_NUMBER: 0, CANCELLED: 0 },
}
const NO_CALLS: Readonly<Record<CountedOutcome, number>> = {
  ...{ COMPLETED: 0, COMPLETED_CLOSED_LIVE_TRANSFER: 0, COMPLETED_CLOSED_OTHER: 0, COMPLETED_LAST_CALL: 0, COMPLETED_STOP_CALLING: 0 },
  ...{ DIAL_BUSY: 0, DIAL_FAILED: 0, DIAL_NO_ANSWER: 0, LEFT_VOICEMAIL: 0, WENT_TO_VOICEMAIL: 0, UNKNOWN: 0, FAILED: 0 },
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0)

const addAt = (numbers: number[], index: number, by: number): void => {
  numbers[index] = (numbers[index] ?? 0) + by
}

const totalsOf = (groups: readonly GroupNumbers[]): Totals => {
  const [leads, calls] = [{ ...NO_LEADS }, { ...NO_CALLS }]
  const [hours, attempts] = [zeros(HOURS_OF_DAY), zeros(COUNTED_ATTEMPTS)]
  let [created, contacts] = [0, 0]
  const add = (attribute: CountAttribute, number: number): void => {
    if (attribute.kind === 'leads') leads[attribute.status] += number
    if (attribute.kind === 'created') created += number
    if (attribute.kind === 'contacts') contacts += number
    if (attribute.kind === 'attempts') addAt(attempts, attribute.attempt - 1, number)
    if (attribute.kind !== 'calls') return
    calls[attribute.outcome] += number
    addAt(hours, attribute.hour, number)
  }
  for (const { counts } of groups) {
    for (const [name, number] of Object.entries(counts)) {
      const attribute = parseAttribute(name)
      if (attribute) add(attribute, number)
    }
  }
  return { leads, created, calls, hours, attempts, contacts }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const leadsIn = ({ leads }: Totals): number => sum(Object.values(leads))
export const callsIn = ({ calls }: Totals): number => sum(Object.values(calls))
export const transfersIn = ({ calls }: Totals): number => calls[TRANSFERRED]

const DIGITS = 4

/** A share of the calls that an agent took. Null without such calls. */
export const rateOf = (number: number, totals: Totals): number | null => {
  const taken = callsIn(totals) - totals.calls.FAILED
  return taken > 0 ? Number((number / taken).toFixed(DIGITS)) : null
}

/** Statistics of a period, in all and by parts. */
export interface Statistics {
  readonly period: Period
  readonly all: Totals
  readonly byDay: readonly { readonly day: string; readonly totals: Totals }[]
  readonly byLeadType: readonly { readonly leadType: number | null; readonly totals: Totals }[]
  readonly bySource: readonly { readonly source: string; readonly totals: Totals }[]
}

export interface StatisticsFilter {
  /** Undefined: all lead types. */
  readonly leadType: number | undefined
  /** As it is counted. Undefined: all lead sources. */
  readonly source: string | undefined
}

/** The largest parts first: those with the most calls, then those with the most leads. */
const largestFirst = <T extends { readonly totals: Totals }>(parts: readonly T[]): T[] =>
  parts.toSorted(
    (one, other) =>
      callsIn(other.totals) - callsIn(one.totals) ||
      leadsIn(other.totals) - leadsIn(one.totals) ||
      other.totals.created - one.totals.created,
  )

const isEmpty = ({ totals }: { readonly totals: Totals }): boolean => leadsIn(totals) === 0 && totals.created === 0 && callsIn(totals) === 0

/** @param groups the leads as they are now, and the days of the period */
export const statisticsOf = (groups: readonly GroupNumbers[], period: Period, { leadType, source }: StatisticsFilter): Statistics => {
  const chosen = groups.filter(
    (group) => (leadType === undefined || group.leadType === leadType) && (source === undefined || group.source === source),
  )
  const byDay = Map.groupBy(chosen, ({ day }) => day)
  const types = [...Map.groupBy(chosen, (group) => group.leadType)].map(([type, own]) => ({ leadType: type, totals: totalsOf(own) }))
  const sources = [...Map.groupBy(chosen, (group) => group.source)].map(([name, own]) => ({ source: name, totals: totalsOf(own) }))
  return {
    period,
    all: totalsOf(chosen),
    byDay: daysOf(period).map((day) => ({ day, totals: totalsOf(byDay.get(day) ?? []) })),
    byLeadType: largestFirst(types).filter((part) => !isEmpty(part)),
    bySource: largestFirst(sources).filter((part) => !isEmpty(part)),
  }
}
