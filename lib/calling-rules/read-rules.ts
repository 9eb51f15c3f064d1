import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { CallingRules, SourcedRules } from '#shared/calling/rules/calling-rules.ts'

const SOURCE = resolve(import.meta.dirname, '../../shared/data/calling-rules.json')

const Json = v.pipe(v.string(), v.parseJson(undefined, 'The file is not JSON.'))

/** The rules of this project, with all their texts. */
export const presentRules = (): CallingRules => v.parse(v.pipe(Json, SourcedRules), readFileSync(SOURCE, 'utf8'))

const FormerRow = v.looseObject({})

/** Before rules had dates, a jurisdiction had one row, and the rules had a month. */
const Undated = v.looseObject({
  asOf: v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/)),
  federal: FormerRow,
  jurisdictions: v.record(v.string(), FormerRow),
})

const datedRow = ({ citation: _, ...row }: Record<string, unknown>) => ({
  ...{ from: null, until: null, enactment: 'enacted', sources: [] },
  ...row,
})

/** Rules without dates in the present form: as if each row had always been in force. */
const dated = ({ asOf, federal, jurisdictions, recentChanges: _, ...rules }: v.InferOutput<typeof Undated>) => ({
  ...rules,
  asOf: `${asOf}-01`,
  federal: [datedRow(federal)],
  jurisdictions: Object.fromEntries(Object.entries(jurisdictions).map(([code, row]) => [code, [datedRow(row)]])),
  duties: [],
})

/** Holidays that the rules did not name yet. */
const withAllHolidays = (rules: Record<string, unknown>) => {
  const { holidayDefinitions } = v.parse(v.looseObject({ holidayDefinitions: v.looseObject({}) }), rules)
  return { ...rules, holidayDefinitions: { ...presentRules().holidayDefinitions, ...holidayDefinitions } }
}

/** Rules of this or an earlier version, from the text of their file. */
export const parseRules = (text: string): { readonly rules: CallingRules } | { readonly mistake: string } => {
  const json = v.safeParse(v.pipe(Json, v.looseObject({ holidayDefinitions: v.looseObject({}) }, 'The file has no calling rules.')), text)
  if (!json.success) return { mistake: json.issues[0].message }
  const former = v.safeParse(Undated, json.output)
  const read = v.safeParse(CallingRules, withAllHolidays(former.success ? dated(former.output) : json.output))
  if (read.success) return { rules: read.output }
  const [{ message, path }] = read.issues
  return {
    mistake: `The file has no calling rules of a version that this command knows: ${path?.map(({ key }) => key).join('.')}: ${message}`,
  }
}
