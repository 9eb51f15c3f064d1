/** What is known of a file beside its bytes. */
export interface Expected {
  readonly filename: string
  /** Name of its source. */
  readonly source: string
  /** Columns that the source reads. */
  readonly columns: readonly string[]
  /** The one among them without which no row can be looked up; null when rows are not looked up. */
  readonly lookup: string | null
}

const told = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** How many of the columns a header has. */
export const known = (header: readonly string[], columns: readonly string[]): number =>
  columns.filter((column) => header.includes(column)).length

/** What to say of columns that a header has in other letters: a sentence, with a space before it. */
const inOtherLetters = (header: readonly string[], columns: readonly string[]): string => {
  const pairs = columns.flatMap((column) => {
    const similar = header.find((name) => name.toLowerCase() === column.toLowerCase())
    return similar === undefined ? [] : [`The file has "${similar}", and the source wants "${column}"`]
  })
  return pairs.length === 0 ? '' : ` ${pairs.join('. ')}: capital and small letters count.`
}

/** Why a file with this header cannot be read: a sentence or two. */
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
