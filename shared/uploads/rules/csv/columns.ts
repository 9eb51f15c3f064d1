/** A column's name without case. White space and underscores count as one space. */
export const looseName = (name: string): string => {
  const loose = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim()
  return loose === '' ? name : loose
}

export interface NamedHeader {
  /** The columns, with the names that the source uses where it reads them. */
  readonly header: readonly string[]
  /** A sentence: which columns cannot be told apart. */
  readonly unclear: string | undefined
}

const quoted = (name: string): string => `"${name}"`

/** The columns that have one name as the source's column has it, apart from case and spaces. */
const unclearFor = (column: string, names: readonly string[]): string =>
  new Set(names).size === 1
    ? `The header names ${quoted(names[0] ?? '')} more than once. Each mapped column must occur once.`
    : `The header has ${names.map(quoted).join(' and ')}, which are one name to the service: case and spaces do not count. Keep one of them, or name one of them exactly ${quoted(column)}.`

/**
 * Finds the source's columns in a header. An exact name wins. A column of the file without an exact match may match loosely. If several
 * columns of the source match it, the first one gets it.
 */
export const namedBySource = (header: readonly string[], columns: readonly string[]): NamedHeader => {
  const wanted = new Map<string, string>()
  for (const column of columns.filter((name) => !header.includes(name)).toReversed()) wanted.set(looseName(column), column)
  const exact = new Set(columns)
  const places = Map.groupBy(header.keys(), (at) => {
    const name = header[at] ?? ''
    return exact.has(name) ? name : (wanted.get(looseName(name)) ?? '')
  })
  const several = [...places].find(([column, found]) => column !== '' && found.length > 1)
  const named = [...header]
  for (const [column, found] of places) if (column !== '' && found.length === 1) named[found[0] ?? 0] = column
  return {
    header: named,
    unclear:
      several &&
      unclearFor(
        several[0],
        several[1].map((at) => header[at] ?? ''),
      ),
  }
}
