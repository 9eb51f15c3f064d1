import { listedUpTo } from '../../../http/fields/nearest.ts'
import { cutText } from '../../../platform/values/cut-text.ts'

/** A column's name without case. White space and underscores count as one space. */
export const looseName = (name: string): string => {
  const loose = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim()
  return loose === '' ? name : loose
}

/** Most names that a message lists. */
export const MOST_LISTED = 30
/** Characters of a name in a message. */
const MOST_NAMED = 60

/** A name as a message shows it. */
export const shown = (name: string): string => `"${cutText(name, MOST_NAMED)}"`

/** Why columns of the file have one name. */
const oneName = (names: readonly string[]): string =>
  new Set(names).size === 1
    ? `The header names ${shown(names[0] ?? '')} more than once.`
    : `The header has ${listedUpTo(MOST_LISTED, names.map(shown))}, which are one name to the service: case and spaces do not count.`

const keepOne = (column: string, names: readonly string[]): string =>
  `${oneName(names)} Keep one of them${new Set(names).size === 1 ? '' : `, or name one of them exactly ${shown(column)}`}.`

export interface NamedHeader {
  /** The columns, with the names that the source uses where it reads them. Of several with one name, the first is read. */
  readonly header: readonly string[]
  /** Sentences: which columns are ignored because another one has their name. */
  readonly ignored: string
  /** A sentence: which decisive columns cannot be told apart. */
  readonly unclear: string | undefined
}

/**
 * Finds the source's columns in a header. An exact name wins. A column of the file without an exact match may match loosely. If several
 * columns of the source match it, the first one gets it. If several columns of the file match equally, the first one is read.
 * @param decisive columns of the source that only one column of the file may match
 */
export const namedBySource = (header: readonly string[], columns: readonly string[], decisive: readonly string[]): NamedHeader => {
  const exact = new Set(columns)
  const byLoose = new Map<string, string>()
  const [present, absent] = [columns.filter((name) => header.includes(name)), columns.filter((name) => !header.includes(name))]
  for (const column of [...absent, ...present].toReversed()) byLoose.set(looseName(column), column)
  const matches = Map.groupBy(header.keys(), (at) => {
    const name = header[at] ?? ''
    return exact.has(name) ? name : byLoose.get(looseName(name))
  })
  const named = [...header]
  const ignored: string[] = []
  let unclear: string | undefined
  for (const [column, all] of matches) {
    if (column === undefined) continue
    const same = all.filter((at) => header[at] === column)
    const best = same.length > 0 ? same : all
    const namesOf = (of: readonly number[]): string[] => of.map((at) => header[at] ?? '')
    const [read = 0] = best
    if (best.length > 1 && decisive.includes(column)) unclear ??= keepOne(column, namesOf(best))
    named[read] = column
    if (all.length > 1) ignored.push(`${oneName(namesOf(all))} Only column ${read + 1}, ${shown(header[read] ?? '')}, is read.`)
  }
  return { header: named, ignored: ignored.join(' '), unclear }
}
