import {
  type CallingRules,
  enactedRows,
  type HolidayChoice,
  type HolidayId,
  type JurisdictionRow,
  type PackedDisclosure,
  type PackedRow,
  type PackedRules,
  WEEKDAYS,
  type Week,
  windowFrom,
} from '#shared/calling/rules/calling-rules.ts'
import { presentRules } from './read-rules.ts'

/** Fields that only the rows of states have. */
const NOTHING_MORE = { holidayWindow: null, clock: null, areaCodePresumption: false, locationUnknown: false } as const

type Row = CallingRules['federal'][number] | JurisdictionRow

/** Collects different weeks. Most rows share one with others. */
const listOfWeeks = () => {
  const weeks: Week[] = []
  const indexOf = (week: Week): number => {
    const known = weeks.findIndex((other) => JSON.stringify(other) === JSON.stringify(week))
    return known === -1 ? weeks.push(week) - 1 : known
  }
  return { weeks, indexOf }
}

/** Sorts `federal` before the codes. */
const placeOrder = (jurisdiction: string): string => (jurisdiction === 'federal' ? '' : jurisdiction)

/** The rules as functions contain them: the law alone, without notes, and with every choice of holidays listed. */
export const packRules = (rules: CallingRules): PackedRules => {
  const { weeks, indexOf } = listOfWeeks()
  const listed = (choice: HolidayChoice): readonly HolidayId[] =>
    choice === 'none' ? [] : choice === 'federal' ? rules.federalHolidays : choice

  const packed = (code: string, row: Row): PackedRow => {
    const { holidayWindow, clock, areaCodePresumption, locationUnknown } = { ...NOTHING_MORE, ...row }
    const holidays = listed(row.holidays)
    const window = windowFrom(holidayWindow)
    const observance = rules.observance[code]
    return {
      ...(row.from !== null && { from: row.from }),
      ...(row.until !== null && { until: row.until }),
      week: indexOf(WEEKDAYS.map((day) => windowFrom(row.windows[day]))),
      citation: row.citations.join('; '),
      ...(row.confidence !== 'high' && { confidence: row.confidence }),
      ...(holidays.length > 0 && { holidays }),
      ...(Array.isArray(observance) && { observance }),
      ...(window && { holidayWindow: window }),
      ...(clock !== null && { clock }),
      ...(row.maxAttemptsPer24h !== null && { maxAttemptsPer24h: row.maxAttemptsPer24h }),
      ...(areaCodePresumption && { areaCodePresumption }),
      ...(locationUnknown && { locationUnknown }),
    }
  }

  const packedAll = (code: string, rows: readonly Row[]): PackedRow[] => rows.map((row) => packed(code, row))

  return {
    version: rules.asOf,
    weeks,
    federal: packedAll('federal', rules.federal),
    jurisdictions: Object.fromEntries(
      Object.entries(rules.jurisdictions).map(([code, rows]) => [code, packedAll(code, enactedRows(rows))]),
    ),
    holidays: rules.holidayDefinitions,
    federalHolidays: rules.federalHolidays,
    observance: rules.observance.default,
  }
}

/** The disclosures that are law, the federal ones first. */
export const packDisclosures = ({ duties }: CallingRules): PackedDisclosure[] =>
  duties
    .filter(({ enactment }) => enactment === 'enacted')
    .toSorted((one, other) => placeOrder(one.jurisdiction).localeCompare(placeOrder(other.jurisdiction)))
    .flatMap(({ jurisdiction, from, until, say, within_seconds = null, what, citations }) =>
      say === undefined
        ? []
        : {
            ...(from !== null && { from }),
            ...(until !== null && { until }),
            ...{ jurisdiction, say, within_seconds, what, citations },
          },
    )

/** Bundled with the functions: parsed as part of their code, and checked by tests. */
const FILE = 'shared/data/calling-rules.ts'
const DISCLOSURES_FILE = 'shared/data/disclosures.ts'

export const callingRulesFiles = (): Record<string, string> => ({
  [FILE]: `import type { PackedRules } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate -- calling-rules\`; do not edit. */
export const CALLING_RULES: PackedRules = ${JSON.stringify(packRules(presentRules()))}
`,
  [DISCLOSURES_FILE]: `import type { PackedDisclosure } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate -- calling-rules\`; do not edit. */
export const DISCLOSURES: readonly PackedDisclosure[] = ${JSON.stringify(packDisclosures(presentRules()))}
`,
})
