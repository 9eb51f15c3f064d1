/** Letters to put in, take out, replace or swap with the next to get from one to the other. */
const distance = (a: string, b: string): number => {
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

/** More than this share of the letters is another word. */
const SHARE = 0.4

/** The word that was probably meant. */
const nearest = (said: string, words: readonly string[]): string | undefined => {
  const found = words
    .map((word) => ({ word, far: distance(said.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(SHARE * Math.max(said.length, word.length))))
    .sort((a, b) => a.far - b.far)
  return found[0]?.word
}

/** ` Did you mean agent?`, or nothing. */
export const didYouMean = (said: string, words: Iterable<string>): string => {
  const word = nearest(said, [...words])
  return word === undefined ? '' : ` Did you mean ${word}?`
}
