/** The edit distance: letters to insert, delete, replace or swap with the next. */
const editDistance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === other
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}

/** The small letters and digits of a name: they are the same in `zipCode` and `ZIP Code`. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * How many letters may differ for a likely typing error: two in a long name, one in a short one. In a name of three letters, one other
 * letter makes another word.
 */
const mostLettersOff = ({ length }: string): number => {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}

/**
 * Whether a word is a likely typing error of another one. Compare the lengths first: most names differ in length, and a file may have
 * thousands of rows.
 */
export const isSlip = (word: string, meant: string, most = mostLettersOff(meant)): boolean =>
  most > 0 && Math.abs(word.length - meant.length) <= most && editDistance(word, meant) <= most

/** A name that differs in a larger share of its letters is another word. */
const SHARE = 0.4

/** Longer text is not compared: it would take too long, and no name is that long. */
const MOST_LETTERS = 100

/** Whether one name contains the other as whole parts: `time` and `call_time`. */
const isPart = (a: string, b: string): boolean => `_${a}_`.includes(`_${b}_`) || `_${b}_`.includes(`_${a}_`)

const isNear = (far: number, { length }: string, { length: other }: string): boolean =>
  far <= Math.max(1, Math.floor(SHARE * Math.max(length, other)))

/** The word that the client probably meant: the most similar one, or the only one that shares whole parts. */
export const nearest = (text: string, words: readonly string[]): string | undefined => {
  if (text.length > MOST_LETTERS) return undefined
  const said = text.toLowerCase()
  const [alike] = words
    .map((word) => ({ word, far: editDistance(said, word.toLowerCase()) }))
    .filter(({ word, far }) => isNear(far, said, word))
    .sort((a, b) => a.far - b.far)
  if (alike) return alike.word
  const [first, ...others] = words.filter((word) => isPart(said, word.toLowerCase()))
  return others.length === 0 ? first : undefined
}

/** ` Did you mean agent?`, or nothing. */
export const didYouMean = (said: string, words: Iterable<string>): string => {
  const word = nearest(said, [...words])
  return word === undefined ? '' : ` Did you mean ${word}?`
}

/** `A, B and 8 more`. */
export const listedUpTo = (most: number, words: readonly string[]): string => {
  const more = words.length - most
  return listed([...words.slice(0, most), ...(more > 0 ? [`${more} more`] : [])])
}

/** `A, B and C`. */
export const listed = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join('')
