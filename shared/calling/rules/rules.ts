import { CALLING_RULES } from '../../data/calling-rules.ts'
import type { Confidence, DayWindow, HolidayId, Observance, PackedRow } from './calling-rules.ts'

/** The days that a rule treats as holidays. */
export interface HolidayList {
  readonly ids: readonly HolidayId[]
  readonly observance: readonly Observance[]
}

/** One rule on when calls may start, in the person's local time. */
export interface Rule {
  /** `federal`, the code of a jurisdiction, `account` or `default window`. */
  readonly rule: string
  /** Where it is written; null when it is not a matter of law. */
  readonly citation: string | null
  /** By the day of the week, Sunday first; minutes from midnight, null on a day without calls. */
  readonly week: readonly (DayWindow | null)[]
  readonly holidays: HolidayList | null
  /** On a holiday, calls may start only inside this window; null: no calls. */
  readonly holidayWindow: DayWindow | null
  /** Further days without calls, counted from 1 January 1970. */
  readonly closedDays: readonly number[]
  /** Whether a declared emergency bars all calls. */
  readonly isEmergency: boolean
}

/** The law of one jurisdiction. */
export interface Jurisdiction {
  readonly hours: Rule
  readonly confidence: Confidence
  /** The maximum number of attempts to one person within 24 hours. */
  readonly maxAttempts: number | null
  /** Its law presumes that phones with its area codes are there, wherever the person is. */
  readonly presumesAreaCodes: boolean
  /** A region of military mail, from which no local time follows. */
  readonly isMailRegion: boolean
}

/** The rules are as of this month: `2026-11`. */
export const DATA_VERSION = CALLING_RULES.version

/** Defaults for a rule: nothing is closed besides what its week closes. */
export const OPEN: Omit<Rule, 'rule' | 'citation' | 'week'> = {
  holidays: null,
  holidayWindow: null,
  closedDays: [],
  isEmergency: false,
}

export const FEDERAL_HOLIDAYS: HolidayList = { ids: CALLING_RULES.federalHolidays, observance: CALLING_RULES.observance }

/** Holidays that an account names. */
export const holidaysNamed = (ids: readonly HolidayId[]): HolidayList => ({ ids, observance: CALLING_RULES.observance })

const hoursOf = (rule: string, { week, citation, holidays, holidayWindow, observance }: PackedRow): Rule => ({
  ...OPEN,
  rule,
  citation,
  week,
  holidays: holidays ? { ids: holidays, observance: observance ?? CALLING_RULES.observance } : null,
  holidayWindow: holidayWindow ?? null,
})

/** 47 CFR 64.1200(c)(1): it holds everywhere. */
export const FEDERAL: Rule = hoursOf('federal', CALLING_RULES.federal)

/** By code: the states, the District of Columbia, the territories, and the three regions of military mail. */
export const JURISDICTIONS: ReadonlyMap<string, Jurisdiction> = new Map(
  Object.entries(CALLING_RULES.jurisdictions).map(([code, row]) => [
    code,
    {
      hours: hoursOf(code, row),
      confidence: row.confidence ?? 'high',
      maxAttempts: row.maxAttemptsPer24h ?? null,
      presumesAreaCodes: row.areaCodePresumption ?? false,
      isMailRegion: row.locationUnknown ?? false,
    },
  ]),
)

const isOfData = (rule: string): boolean => rule === FEDERAL.rule || JURISDICTIONS.has(rule)

/**
 * Names of rules as verdicts cite them, each once. Rules from the calling-rules data come first, with the version of that data. Rules
 * that an account or a deployment has set have no version.
 */
export const versioned = (rules: readonly string[]): string => {
  const { data = [], settings = [] } = Object.groupBy(new Set(rules), (rule) => (isOfData(rule) ? 'data' : 'settings'))
  return [...(data.length > 0 ? [`${data.join(', ')} (calling rules of ${DATA_VERSION})`] : []), ...settings].join(', ')
}
