import * as v from 'valibot'
import { type Disclosure, DisclosureResponse } from '../api/disclosure.ts'

/** The legal rules on calling hours: the schema of shared/data/calling-rules.json, and their compact form. */

/** The index is the number of the weekday: Sunday is 0. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

export const HOLIDAYS = [
  ...(['new-years-day', 'battle-of-new-orleans', 'mlk-day', 'presidents-day', 'mardi-gras', 'good-friday'] as const),
  ...(['confederate-memorial-day', 'confederate-memorial-day-ms', 'arbor-day', 'ri-independence-day'] as const),
  ...(['memorial-day', 'jefferson-davis-birthday'] as const),
  ...(['flag-day', 'juneteenth', 'juneteenth-ut-observed', 'independence-day', 'pioneer-day', 'victory-day'] as const),
  ...(['huey-long-day', 'labor-day', 'columbus-day', 'all-saints-day', 'election-day', 'election-day-even'] as const),
  ...(['veterans-day', 'thanksgiving-day', 'day-after-thanksgiving', 'rosa-parks-day', 'bill-of-rights-day', 'christmas-eve'] as const),
  ...(['christmas-day', 'day-after-christmas', 'new-years-eve'] as const),
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

/** Local dates. `from`: first day in force. `until`: first day no longer in force. Null: since before the data begins, or without an end. */
const Dates = { from: v.nullable(CalendarDate), until: v.nullable(CalendarDate) }

/** Where a text is, where it was read, and how far that can be relied on. */
const Provenance = {
  citations: v.pipe(v.array(v.string()), v.minLength(1)),
  sources: v.array(v.string()),
  confidence: v.picklist(CONFIDENCES),
  note: v.string(),
}

const Enacted = v.literal('enacted')
const Pending = v.literal('pending')

/** A text that is not law yet. It is listed, and never applied. `windows`: null when the text was not read. */
const PendingRow = v.strictObject({
  ...Dates,
  enactment: Pending,
  change: v.string(),
  windows: v.nullable(WeekWindows),
  ...Provenance,
})
export type PendingRow = v.InferOutput<typeof PendingRow>

const Hours = {
  ...Dates,
  enactment: Enacted,
  windows: WeekWindows,
  holidays: HolidayChoice,
  maxAttemptsPer24h: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
  ...Provenance,
}

const Flag = v.optional(v.boolean(), false)

const JurisdictionRow = v.strictObject({
  ...Hours,
  basis: v.picklist(['federal', 'state-equals-federal', 'all-solicitation', 'automated', 'precaution']),
  holidayWindow: v.optional(v.nullable(ClockWindow), null),
  /** A zone in which the hours hold too, wherever the person is: the text names the clock of the place. */
  clock: v.optional(v.nullable(v.string()), null),
  areaCodePresumption: Flag,
  locationUnknown: Flag,
  emergencyBan: Flag,
})
export type JurisdictionRow = v.InferOutput<typeof JurisdictionRow>

type Dated = Pick<JurisdictionRow, 'from' | 'until'>

/** The rows cover all days once: the first one has no beginning, each other one begins when the one before it ends, and the last one has no end. */
const isUnbroken = (rows: readonly Dated[]): boolean =>
  rows.length > 0 &&
  rows.every(({ from, until }, index) => {
    const [before, next] = [rows[index - 1], rows[index + 1]]
    const isAfter = from === null || until === null || from < until
    return isAfter && (from === null) === !before && (until === null) === !next && from === (before ? before.until : null)
  })

const isEnacted = <Row extends { readonly enactment: 'enacted' | 'pending' }>(row: Row): row is Extract<Row, { enactment: 'enacted' }> =>
  row.enactment === 'enacted'

/** The rows that are law, oldest first. */
export const enactedRows = <Row extends { readonly enactment: 'enacted' | 'pending' }>(
  rows: readonly Row[],
): Extract<Row, { enactment: 'enacted' }>[] => rows.filter(isEnacted)

const UNBROKEN = 'The enacted rows must be in order, without a gap and without an overlap.'

const JurisdictionRows = v.pipe(
  v.array(v.variant('enactment', [JurisdictionRow, PendingRow])),
  v.check((rows) => isUnbroken(enactedRows(rows)), UNBROKEN),
)

const FederalRows = v.pipe(
  v.array(v.strictObject(Hours)),
  v.check((rows) => isUnbroken(rows), UNBROKEN),
)

const Code = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))

/** A duty of a caller that is no rule about hours. */
const Duty = v.strictObject({
  jurisdiction: v.union([v.literal('federal'), Code]),
  ...Dates,
  enactment: v.picklist(['enacted', 'pending']),
  duty: v.picklist([
    ...(['revocation', 'revoke-all', 'reassigned-numbers', 'consent'] as const),
    ...(['disclosure', 'text-opt-out', 'registration', 'liability'] as const),
  ]),
  channels: v.pipe(v.array(v.picklist(['call', 'text'])), v.minLength(1)),
  what: v.string(),
  say: v.optional(DisclosureResponse.entries.say),
  within_seconds: v.optional(DisclosureResponse.entries.within_seconds),
  ...Provenance,
})
export type Duty = v.InferOutput<typeof Duty>

export const CallingRules = v.strictObject({
  /** The day on which the rules were last read. */
  asOf: CalendarDate,
  disclaimer: v.string(),
  semantics: v.record(v.string(), v.string()),
  federal: FederalRows,
  jurisdictions: v.record(Code, JurisdictionRows),
  duties: v.array(Duty),
  watch: v.array(v.strictObject({ jurisdiction: Code, item: v.string() })),
  holidayDefinitions: v.strictObject(v.entriesFromList(HOLIDAYS, HolidayDefinition)),
  federalHolidays: v.array(v.picklist(HOLIDAYS)),
  holidayCalendar: v.record(v.string(), v.record(CalendarDate, v.string())),
  observance: v.objectWithRest({ default: v.array(Observance), note: v.string() }, v.array(Observance)),
})
export type CallingRules = v.InferOutput<typeof CallingRules>

/** Rules as they may be published. Older versions of them did not keep to this. */
export const SourcedRules = v.pipe(
  CallingRules,
  v.check(
    ({ federal, jurisdictions, duties }) =>
      [...federal, ...Object.values(jurisdictions).flat(), ...duties].every(
        ({ confidence, sources }) => confidence !== 'high' || sources.length >= 2,
      ),
    'A rule of high confidence needs two sources.',
  ),
  v.check(
    ({ duties }) =>
      duties.every(({ duty, say, within_seconds }) =>
        [say, within_seconds].every((one) => (one !== undefined) === (duty === 'disclosure')),
      ),
    'A disclosure names what must be said and within how many seconds. No other duty does.',
  ),
)

/** Minutes from midnight: calls may start from the first one and before the second. */
export type DayWindow = readonly [start: number, end: number]

const minutesFrom = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** A window of two times of day, `HH:MM`, in minutes from midnight. */
export const windowFrom = (times: readonly [string, string] | null): DayWindow | null =>
  times && [minutesFrom(times[0]), minutesFrom(times[1])]

/** A window for each day of the week, Sunday first; null on a day without calls. */
export type Week = readonly (DayWindow | null)[]

/** The rules of one jurisdiction in a stretch of time, as calling needs them. An absent field means none, or no. */
export interface PackedRow {
  /** The first local day, `2026-12-24`. Absent: since before the data begins. */
  readonly from?: string
  /** The first local day on which the row is no more in force. Absent: none. */
  readonly until?: string
  /** The index of the week in `weeks`. */
  readonly week: number
  readonly citation: string
  /** Absent: high. */
  readonly confidence?: Exclude<Confidence, 'high'>
  readonly holidays?: readonly HolidayId[]
  readonly observance?: readonly Observance[]
  readonly holidayWindow?: DayWindow
  readonly clock?: string
  readonly maxAttemptsPer24h?: number
  readonly areaCodePresumption?: true
  readonly locationUnknown?: true
}

/** A duty by one law, and the local days on which it is in force. */
export interface PackedDuty extends Pick<Disclosure, 'jurisdiction' | 'citations'>, Pick<PackedRow, 'from' | 'until'> {}
export interface PackedDisclosure extends Disclosure, PackedDuty {}

/** The rules without the texts that are only for human readers. */
export interface PackedRules {
  /** The day on which the rules were last read. */
  readonly version: string
  readonly weeks: readonly Week[]
  /** The enacted rows, oldest first. */
  readonly federal: readonly PackedRow[]
  readonly jurisdictions: Readonly<Record<string, readonly PackedRow[]>>
  readonly holidays: Readonly<Record<HolidayId, HolidayDefinition>>
  readonly federalHolidays: readonly HolidayId[]
  readonly observance: readonly Observance[]
}
