import { CALLING_RULES } from '../../data/calling-rules.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Confidence, DayWindow, HolidayId, Observance, PackedRow, Week } from './calling-rules.ts'

/** The days that a rule treats as holidays. */
export interface HolidayList {
  readonly ids: readonly HolidayId[]
  readonly observance: readonly Observance[]
}

/** Days, counted from 1 January 1970, by the clock of the person: from the first one on, and until before the second one. */
export interface DaySpan {
  readonly from: number
  readonly until: number
}

/** One rule on when calls may start, in the person's local time. On days on which it is not in force, it restricts nothing. */
export interface Rule extends DaySpan {
  /** `federal`, the code of a jurisdiction, `account` or `default window`. */
  readonly rule: string
  /** Where it is written; null when it is not a matter of law. */
  readonly citation: string | null
  /** By the day of the week, Sunday first; minutes from midnight, null on a day without calls. */
  readonly week: Week
  readonly holidays: HolidayList | null
  /** On a holiday, calls may start only inside this window; null: no calls. */
  readonly holidayWindow: DayWindow | null
  /** Further days without calls, counted from 1 January 1970. */
  readonly closedDays: readonly number[]
  /** Whether a declared emergency bars all calls. */
  readonly isEmergency: boolean
  /** The maximum number of attempts to one person within 24 hours. */
  readonly maxAttempts: number | null
}

/** The law of one jurisdiction, in a stretch of time. */
export interface Law {
  readonly hours: Rule
  readonly confidence: Confidence
  /** A zone in which its hours hold too, wherever the person is; null for most laws. */
  readonly clock: string | null
  /** Phones with its area codes are presumed to be there, wherever the person is. */
  readonly presumesAreaCodes: boolean
  /** A region of military mail, from which no local time follows. */
  readonly isMailRegion: boolean
}

/** The version of the rules: the day on which they were last read. */
export const DATA_VERSION = CALLING_RULES.version

const ALWAYS: DaySpan = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

/** Defaults for a rule: nothing is closed besides what its week closes. */
export const OPEN: Omit<Rule, 'rule' | 'citation' | 'week'> = {
  ...ALWAYS,
  holidays: null,
  holidayWindow: null,
  closedDays: [],
  isEmergency: false,
  maxAttempts: null,
}

export const FEDERAL_HOLIDAYS: HolidayList = { ids: CALLING_RULES.federalHolidays, observance: CALLING_RULES.observance }

/** Holidays that an account names. */
export const holidaysNamed = (ids: readonly HolidayId[]): HolidayList => ({ ids, observance: CALLING_RULES.observance })

const dayNumber = (date: string | undefined, otherwise: number): number => (date === undefined ? otherwise : Date.parse(date) / DAY)

/** The days of a row. */
export const daySpanOf = ({ from, until }: Pick<PackedRow, 'from' | 'until'>): DaySpan => ({
  from: dayNumber(from, ALWAYS.from),
  until: dayNumber(until, ALWAYS.until),
})

const hoursOf = (rule: string, row: PackedRow): Rule => ({
  ...OPEN,
  rule,
  ...daySpanOf(row),
  citation: row.citation,
  week: CALLING_RULES.weeks[row.week] ?? [],
  holidays: row.holidays ? { ids: row.holidays, observance: row.observance ?? CALLING_RULES.observance } : null,
  holidayWindow: row.holidayWindow ?? null,
  maxAttempts: row.maxAttemptsPer24h ?? null,
})

/** 47 CFR 64.1200(c)(1): it holds everywhere. Oldest first. */
export const FEDERAL: readonly Rule[] = CALLING_RULES.federal.map((row) => hoursOf('federal', row))

const lawOf = (code: string, row: PackedRow): Law => ({
  hours: hoursOf(code, row),
  confidence: row.confidence ?? 'high',
  clock: row.clock ?? null,
  presumesAreaCodes: row.areaCodePresumption ?? false,
  isMailRegion: row.locationUnknown ?? false,
})

/**
 * By code: the states, the District of Columbia, the territories, and the three regions of military mail. The law of each, oldest first:
 * one is in force on each day.
 */
export const JURISDICTIONS: ReadonlyMap<string, readonly Law[]> = new Map(
  Object.entries(CALLING_RULES.jurisdictions).map(([code, rows]) => [code, rows.map((row) => lawOf(code, row))]),
)

const isOfData = (rule: string): boolean => rule === 'federal' || JURISDICTIONS.has(rule)

/**
 * Names of rules as verdicts cite them, each once. Rules from the calling-rules data come first, with the version of that data. Rules
 * that an account or a deployment has set have no version.
 */
export const versioned = (rules: readonly string[]): string => {
  const { data = [], settings = [] } = Object.groupBy(new Set(rules), (rule) => (isOfData(rule) ? 'data' : 'settings'))
  return [...(data.length > 0 ? [`${data.join(', ')} (calling rules of ${DATA_VERSION})`] : []), ...settings].join(', ')
}
