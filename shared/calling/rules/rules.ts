import { CALLING_RULES } from '../../data/calling-rules.ts'
import type { DayWindow, HolidayId, Observance, PackedRow } from '../calling-rules.ts'

/** Which days a rule holds for holidays. */
export interface HolidayList {
  readonly ids: readonly HolidayId[]
  readonly observance: readonly Observance[]
}

/** What one rule says of when calls may start, by the clock where the person is. */
export interface Rule {
  /** `federal`, the code of a jurisdiction, `account` or `default window`. */
  readonly rule: string
  /** Where it is written; null when it is not a matter of law. */
  readonly citation: string | null
  /** By the day of the week, Sunday first; minutes from midnight, null on a day without calls. */
  readonly week: readonly (DayWindow | null)[]
  readonly holidays: HolidayList | null
  /** What is left of the window on a holiday; null when nothing is. */
  readonly holidayWindow: DayWindow | null
  /** Further days without calls, counted from 1 January 1970. */
  readonly closedDays: readonly number[]
  /** Whether a declared emergency bars all calls. */
  readonly isEmergency: boolean
}

/** What a jurisdiction's law says besides its hours. */
export interface Jurisdiction {
  readonly hours: Rule
  /** The most attempts within 24 hours to one person. */
  readonly maxAttempts: number | null
  /** Numbers with its area codes are presumed to be there, wherever the person is. */
  readonly presumesAreaCodes: boolean
  /** A region of the mail, which tells no local time. */
  readonly isMailRegion: boolean
}

/** The month as of which the rules hold: `2026-11`. */
export const DATA_VERSION = CALLING_RULES.version

/** A rule that closes nothing; what it is made of says what it does close. */
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
      maxAttempts: row.maxAttemptsPer24h ?? null,
      presumesAreaCodes: row.areaCodePresumption ?? false,
      isMailRegion: row.locationUnknown ?? false,
    },
  ]),
)
