import * as v from 'valibot'

/** The legal rules on calling hours: the schema of shared/data/calling-rules.json, and their compact form. */

/** The index is the number of the weekday: Sunday is 0. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

export const HOLIDAYS = [
  ...(['new-years-day', 'battle-of-new-orleans', 'mlk-day', 'presidents-day', 'mardi-gras', 'good-friday'] as const),
  ...(['confederate-memorial-day', 'arbor-day', 'ri-independence-day', 'memorial-day', 'jefferson-davis-birthday'] as const),
  ...(['flag-day', 'juneteenth', 'juneteenth-ut-observed', 'independence-day', 'pioneer-day', 'victory-day'] as const),
  ...(['huey-long-day', 'labor-day', 'columbus-day', 'all-saints-day', 'election-day', 'election-day-even'] as const),
  ...(['veterans-day', 'thanksgiving-day', 'day-after-thanksgiving', 'rosa-parks-day', 'bill-of-rights-day', 'christmas-day'] as const),
]
export type HolidayId = (typeof HOLIDAYS)[number]

/** `HH:MM`; 24:00 is the end of a day. */
const TimeOfDay = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Expected a time of day, HH:MM.'))

/** Calls may start from the first time of day and before the second one. */
const ClockWindow = v.pipe(
  v.strictTuple([TimeOfDay, TimeOfDay]),
  v.check(([start, end]) => start < end, 'A window must start before it ends.'),
)

/** A window for each day of the week; null on a day without calls. */
export const WeekWindows = v.strictObject(v.entriesFromList(WEEKDAYS, v.nullable(ClockWindow)))

/** A day of the calendar, `2026-12-24`. */
export const CalendarDate = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d$/, 'Expected a date, YYYY-MM-DD.'),
  v.check((text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false, 'There is no such day.'),
)

/** No holidays, the federal holidays, or a list by name. */
export const HolidayChoice = v.union([v.picklist(['none', 'federal']), v.array(v.picklist(HOLIDAYS))])
export type HolidayChoice = v.InferOutput<typeof HolidayChoice>

const Month = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12))
const NthWeekday = { month: Month, weekday: v.picklist(WEEKDAYS), n: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)) }

const HolidayRule = v.variant('type', [
  v.strictObject({ type: v.literal('fixed'), month: Month, day: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(31)) }),
  v.strictObject({ type: v.literal('nthWeekday'), ...NthWeekday }),
  v.strictObject({ type: v.literal('nthWeekdayPlus'), ...NthWeekday, plusDays: v.pipe(v.number(), v.integer()) }),
  v.strictObject({ type: v.literal('lastWeekday'), month: Month, weekday: v.picklist(WEEKDAYS) }),
  v.strictObject({ type: v.literal('easterOffset'), days: v.pipe(v.number(), v.integer()) }),
  v.strictObject({ type: v.literal('electionDay'), years: v.picklist(['all', 'even']) }),
  v.strictObject({ type: v.literal('utahJuneteenthMonday') }),
])
export type HolidayRule = v.InferOutput<typeof HolidayRule>

const HolidayDefinition = v.strictObject({ name: v.string(), rule: HolidayRule, shift: v.optional(v.boolean(), true) })
export type HolidayDefinition = v.InferOutput<typeof HolidayDefinition>

/** The extra day that is closed when a holiday with a fixed date falls on a weekend. */
const Observance = v.picklist(['friday-before-saturday', 'monday-after-sunday', 'monday-after-saturday'])
export type Observance = v.InferOutput<typeof Observance>

/** How reliable the sources of a rule are. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const
export type Confidence = (typeof CONFIDENCES)[number]

const Row = {
  windows: WeekWindows,
  holidays: HolidayChoice,
  maxAttemptsPer24h: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
  citations: v.pipe(v.array(v.string()), v.minLength(1)),
  confidence: v.picklist(CONFIDENCES),
  note: v.string(),
}

const Flag = v.optional(v.boolean(), false)

const JurisdictionRow = v.strictObject({
  ...Row,
  basis: v.picklist(['federal', 'state-equals-federal', 'all-solicitation', 'automated']),
  holidayWindow: v.optional(v.nullable(ClockWindow), null),
  areaCodePresumption: Flag,
  locationUnknown: Flag,
  emergencyBan: Flag,
})

const Code = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))

export const CallingRules = v.strictObject({
  asOf: v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/)),
  disclaimer: v.string(),
  semantics: v.record(v.string(), v.string()),
  federal: v.strictObject({ ...Row, citation: v.string() }),
  jurisdictions: v.record(Code, JurisdictionRow),
  recentChanges: v.array(v.strictObject({ jurisdiction: Code, effective: v.string(), change: v.string() })),
  watch: v.array(v.strictObject({ jurisdiction: Code, item: v.string() })),
  holidayDefinitions: v.strictObject(v.entriesFromList(HOLIDAYS, HolidayDefinition)),
  federalHolidays: v.array(v.picklist(HOLIDAYS)),
  holidayCalendar: v.record(v.string(), v.record(CalendarDate, v.string())),
  observance: v.objectWithRest({ default: v.array(Observance), note: v.string() }, v.array(Observance)),
})
export type CallingRules = v.InferOutput<typeof CallingRules>

/** Minutes from midnight: calls may start from the first one and before the second. */
export type DayWindow = readonly [start: number, end: number]

/** The rules of one jurisdiction, as calling needs them. `week`: Sunday first. An absent field means none, or no. */
export interface PackedRow {
  readonly week: readonly (DayWindow | null)[]
  readonly citation: string
  /** Absent: high. */
  readonly confidence?: Exclude<Confidence, 'high'>
  readonly holidays?: readonly HolidayId[]
  readonly observance?: readonly Observance[]
  readonly holidayWindow?: DayWindow
  readonly maxAttemptsPer24h?: number
  readonly areaCodePresumption?: true
  readonly locationUnknown?: true
}

/** The rules without the texts that are only for human readers. */
export interface PackedRules {
  /** The rules are as of this month: `2026-11`. */
  readonly version: string
  readonly federal: PackedRow
  readonly jurisdictions: Readonly<Record<string, PackedRow>>
  readonly holidays: Readonly<Record<HolidayId, HolidayDefinition>>
  readonly federalHolidays: readonly HolidayId[]
  readonly observance: readonly Observance[]
}
