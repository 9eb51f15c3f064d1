import { type CallingRules, enactedRows } from '#shared/calling/rules/calling-rules.ts'
import { datesText, type EnactedRow, lawChanges, placeText } from './describe.ts'
import { holidayChanges, listedChanges } from './texts.ts'

/** Lines of text that tell the differences between two versions of the calling rules. */

/** Local days of which both versions have one row each. */
interface Stretch {
  readonly from: string | null
  readonly until: string | null
  readonly changes: readonly string[]
}

const rowFrom = (rows: readonly EnactedRow[], date: string | null): EnactedRow | undefined =>
  rows.findLast(({ from }) => from === null || (date !== null && from <= date))

const changesFrom = (
  rows: readonly [was: readonly EnactedRow[], is: readonly EnactedRow[]],
  date: string | null,
  all: Versions,
): string[] => {
  const [was, is] = [rowFrom(rows[0], date), rowFrom(rows[1], date)]
  return was && is ? lawChanges(was, is, all) : []
}

type Versions = readonly [was: CallingRules, is: CallingRules]

/** The stretches in which a call may be treated differently. Stretches with the same changes that follow one another are one. */
const stretchesOf = (rows: readonly [readonly EnactedRow[], readonly EnactedRow[]], all: Versions): Stretch[] => {
  const dates = new Set(rows.flat().flatMap(({ from }) => from ?? []))
  const starts = [null, ...[...dates].toSorted()]
  const found: Stretch[] = []
  for (const [index, from] of starts.entries()) {
    const [changes, until, last] = [changesFrom(rows, from, all), starts[index + 1] ?? null, found.at(-1)]
    if (last && `${last.changes}` === `${changes}`) found.splice(-1, 1, { ...last, until })
    else found.push({ from, until, changes })
  }
  return found.filter(({ changes }) => changes.length > 0)
}

const rowsOf = ({ federal, jurisdictions }: CallingRules): Map<string, readonly EnactedRow[]> =>
  new Map<string, readonly EnactedRow[]>([
    ['federal', federal],
    ...Object.entries(jurisdictions).map(([code, rows]) => [code, enactedRows(rows)] as const),
  ])

/** The texts of a jurisdiction that no call depends on. */
const textsOf = (rows: readonly EnactedRow[]): string =>
  JSON.stringify(
    rows.map((row) => {
      const { from, until, citations, sources, confidence, note } = row
      return { from, until, citations, sources, confidence, note, basis: 'basis' in row ? row.basis : null }
    }),
  )

const placeChanges = (code: string, was: readonly EnactedRow[], is: readonly EnactedRow[], all: Versions): string[] =>
  stretchesOf([was, is], all).flatMap((stretch) => [
    `${placeText(code)}, ${datesText(stretch)}:`,
    ...stretch.changes.map((change) => `  ${change}`),
  ])

/** Lines that tell what changed for whom. Empty when nothing did. */
export const rulesDiff = (was: CallingRules, is: CallingRules): string[] => {
  const [former, present] = [rowsOf(was), rowsOf(is)]
  const both = [...present].flatMap(([code, rows]) => {
    const before = former.get(code)
    return before ? [{ code, before, rows }] : []
  })
  const laws = both.flatMap(({ code, before, rows }) => placeChanges(code, before, rows, [was, is]))
  const texts = both.flatMap(({ code, before, rows }) => (textsOf(before) === textsOf(rows) ? [] : code))
  return [
    ...[...present.keys()].flatMap((code) => (former.has(code) ? [] : `${placeText(code)} is new.`)),
    ...[...former.keys()].flatMap((code) => (present.has(code) ? [] : `${placeText(code)} is gone.`)),
    ...laws,
    ...holidayChanges(was, is),
    ...listedChanges(was, is),
    ...(texts.length > 0 ? [`Dates, bases, citations, sources, notes or confidence changed in: ${texts.join(', ')}`] : []),
  ]
}
