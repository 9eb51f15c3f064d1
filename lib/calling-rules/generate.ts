import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { windowFrom } from '#shared/calling/rules/calling-hours.ts'
import {
  CallingRules,
  type HolidayChoice,
  type HolidayId,
  type PackedRow,
  type PackedRules,
  WEEKDAYS,
} from '#shared/calling/rules/calling-rules.ts'

type Row = CallingRules['jurisdictions'][string]

/** Fields that only the rows of states have. */
const NOTHING_MORE = { holidayWindow: null, areaCodePresumption: false, locationUnknown: false } as const

/** The rules as functions contain them: without notes, and with every choice of holidays listed. */
export const packRules = (rules: CallingRules): PackedRules => {
  const listed = (choice: HolidayChoice): readonly HolidayId[] =>
    choice === 'none' ? [] : choice === 'federal' ? rules.federalHolidays : choice

  const packed = (code: string, row: CallingRules['federal'] | Row): PackedRow => {
    const { holidayWindow, areaCodePresumption, locationUnknown } = { ...NOTHING_MORE, ...row }
    const holidays = listed(row.holidays)
    const window = windowFrom(holidayWindow)
    const observance = rules.observance[code]
    return {
      week: WEEKDAYS.map((day) => windowFrom(row.windows[day])),
      citation: row.citations.join('; '),
      ...(row.confidence !== 'high' && { confidence: row.confidence }),
      ...(holidays.length > 0 && { holidays }),
      ...(Array.isArray(observance) && { observance }),
      ...(window && { holidayWindow: window }),
      ...(row.maxAttemptsPer24h !== null && { maxAttemptsPer24h: row.maxAttemptsPer24h }),
      ...(areaCodePresumption && { areaCodePresumption }),
      ...(locationUnknown && { locationUnknown }),
    }
  }

  return {
    version: rules.asOf,
    federal: packed('federal', rules.federal),
    jurisdictions: Object.fromEntries(Object.entries(rules.jurisdictions).map(([code, row]) => [code, packed(code, row)])),
    holidays: rules.holidayDefinitions,
    federalHolidays: rules.federalHolidays,
    observance: rules.observance.default,
  }
}

const PROJECT = resolve(import.meta.dirname, '../..')
const SOURCE = resolve(PROJECT, 'shared/data/calling-rules.json')
/** Bundled with the functions: parsed as part of their code, and checked by tests. */
const FILE = 'shared/data/calling-rules.ts'

export const callingRulesFiles = (): Record<string, string> => {
  const rules = packRules(v.parse(v.pipe(v.string(), v.parseJson(), CallingRules), readFileSync(SOURCE, 'utf8')))
  return {
    [FILE]: `import type { PackedRules } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate -- calling-rules\`; do not edit. */
export const CALLING_RULES: PackedRules = ${JSON.stringify(rules)}
`,
  }
}
