import {
  type CallingRules,
  type Duty,
  enactedRows,
  type HolidayChoice,
  type HolidayId,
  type JurisdictionRow,
  type PackedDisclosure,
  type PackedDuty,
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

/** The duties that are law, the federal ones first. */
const enactedDuties = ({ duties }: CallingRules): Duty[] =>
  duties
    .filter(({ enactment }) => enactment === 'enacted')
    .toSorted((one, other) => placeOrder(one.jurisdiction).localeCompare(placeOrder(other.jurisdiction)))

const packedDuty = ({ jurisdiction, from, until, citations }: Duty): PackedDuty => ({
  ...(from !== null && { from }),
  ...(until !== null && { until }),
  ...{ jurisdiction, citations },
})

export const packDisclosures = (rules: CallingRules): PackedDisclosure[] =>
  enactedDuties(rules).flatMap((duty) => {
    const { say, within_seconds = null, what } = duty
    const { citations, ...where } = packedDuty(duty)
    return say === undefined ? [] : { ...where, say, within_seconds, what, citations }
  })

/** The duties to check numbers in the reassigned numbers database. */
export const packReassignedChecks = (rules: CallingRules): PackedDuty[] =>
  enactedDuties(rules)
    .filter(({ duty }) => duty === 'reassigned-numbers')
    .map(packedDuty)

/** Bundled with the functions: parsed as part of their code, and checked by tests. */
const FILE = 'shared/data/calling-rules.ts'
const DISCLOSURES_FILE = 'shared/data/disclosures.ts'
const REASSIGNED_FILE = 'shared/data/reassigned-checks.ts'

export const callingRulesFiles = (): Record<string, string> => ({
  [FILE]: `import type { PackedRules } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate\`; do not edit. */
export const CALLING_RULES: PackedRules = ${JSON.stringify(packRules(presentRules()))}
`,
  [DISCLOSURES_FILE]: `import type { PackedDisclosure } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate\`; do not edit. */
export const DISCLOSURES: readonly PackedDisclosure[] = ${JSON.stringify(packDisclosures(presentRules()))}
`,
  [REASSIGNED_FILE]: `import type { PackedDuty } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate\`; do not edit. */
export const REASSIGNED_CHECKS: readonly PackedDuty[] = ${JSON.stringify(packReassignedChecks(presentRules()))}
`,
})
