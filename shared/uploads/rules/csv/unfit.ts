/** Facts about a file besides its bytes. */
export interface Expected {
  readonly filename: string
  /** Name of its source. */
  readonly source: string
  /** Columns that the source reads. */
  readonly columns: readonly string[]
  /** The column that rows are looked up by; null when rows are not looked up. */
  readonly lookup: string | null
}

const told = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** How many of the columns are in the header. */
export const known = (header: readonly string[], columns: readonly string[]): number =>
  columns.filter((column) => header.includes(column)).length

/** A sentence about columns that the header has in another case, with a space before it. Empty when there are none. */
const inOtherLetters = (header: readonly string[], columns: readonly string[]): string => {
  const pairs = columns.flatMap((column) => {
    const similar = header.find((name) => name.toLowerCase() === column.toLowerCase())
    return similar === undefined ? [] : [`The file has "${similar}", and the source wants "${column}"`]
  })
  return pairs.length === 0 ? '' : ` ${pairs.join('. ')}: capital and small letters count.`
}

/** Why a file with this header cannot be read: one or two sentences. Undefined when it can. */
export const whyUnfit = (header: readonly string[], { source, columns, lookup }: Expected): string | undefined => {
  const twice = columns.filter((column) => header.indexOf(column) !== header.lastIndexOf(column))
  if (twice.length > 0) return `The header names ${told(twice)} more than once, so it is not clear which column is meant.`
  if (known(header, columns) === 0) {
    return `The header has none of the columns that the source "${source}" reads: ${told(columns)}.${inOtherLetters(header, columns)}`
  }
  if (lookup !== null && !header.includes(lookup)) {
    return `The header has no column "${lookup}", by which the source "${source}" looks rows up.${inOtherLetters(header, [lookup])}`
  }
  return undefined
}
