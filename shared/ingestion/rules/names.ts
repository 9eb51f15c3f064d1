const SUFFIX = /^(jr|sr|ii|iii|iv|v|md|phd|esq)\.?$/i

const wordsOf = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')

export interface NameParts {
  /** Empty when there is none. */
  readonly first: string
  readonly last: string
}

/**
 * Splits a full name into its first word and the rest: `Ann de la Cruz`. `Cruz, Ann` is in reverse order. A suffix such as `Jr.` is
 * dropped.
 */
export const splitName = (fullName: string): NameParts => {
  const [before = '', ...after] = fullName.split(',').map((part) => part.trim())
  const given = after.filter((part) => part !== '' && !SUFFIX.test(part))
  if (given.length > 0) return { first: wordsOf(given.join(' '))[0] ?? '', last: wordsOf(before).join(' ') }
  const words = wordsOf(before)
  const kept = words.length > 2 && SUFFIX.test(words.at(-1) ?? '') ? words.slice(0, -1) : words
  return { first: kept[0] ?? '', last: kept.slice(1).join(' ') }
}

/** Each word with a capital first letter and the rest in lower case: `O'Neil-Smith`. */
export const capitalize = (text: string): string =>
  text.toLowerCase().replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`)
