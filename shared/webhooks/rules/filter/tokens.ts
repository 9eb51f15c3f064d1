import { FilterError } from './filter-error.ts'

interface Place {
  /** The token's text in the condition. */
  readonly source: string
  /** Index of its first UTF-16 unit. */
  readonly at: number
}

export type Token = Place &
  (
    | { readonly kind: 'name' | 'sign' | 'end' }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'number'; readonly value: number | string }
  )

const BLANKS = /\s+/y
const NAME = /[\p{ID_Start}_]\p{ID_Continue}*/uy
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy
const COMPARISON = /[=!]=/y
const SIGNS: ReadonlySet<string> = new Set('()[],.')

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gsu
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ...['\\', "'", '"', '/'].map((character) => [character, character] as const),
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
])

const HINTS: ReadonlyMap<string, string> = new Map([
  ['=', ' Use == to compare.'],
  ['!', ' Use != to compare, and == false to negate.'],
  ['&', ' Use the word and.'],
  ['|', ' Use the word or.'],
  ['<', ' Only == and != compare.'],
  ['>', ' Only == and != compare.'],
  ...['“', '”', '‘', '’', '`', '´'].map((quote) => [quote, ' Put text in straight quotes: \' or ".'] as const),
])

/** Clients count characters, not UTF-16 units. */
export const charactersIn = (text: string): number => {
  let characters = 0
  for (const _ of text) characters += 1
  return characters
}

/** `problem` has no full stop at its end, because the position follows there. */
export const faultAt = (text: string, at: number, problem: string, hint = ''): FilterError => {
  const position = charactersIn(text.slice(0, at)) + 1
  return new FilterError(`${problem} at position ${position}.${hint}`, position)
}

const textOf = (text: string, source: string, at: number): string => {
  const inner = source.slice(1, -1)
  if (!inner.includes('\\')) return inner
  return inner.replace(ESCAPE, (written, four?: string, two?: string, one = '', offset = 0) => {
    const code = four ?? two
    const character = code === undefined ? ESCAPED.get(one) : String.fromCharCode(Number.parseInt(code, 16))
    if (character === undefined) throw faultAt(text, at + 1 + offset, `Unknown escape "${written}"`)
    return character
  })
}

/** A number that a double cannot hold stays text, as in payloads. */
const numberOf = (text: string, source: string, at: number): number | string => {
  if (/^-?0\d/.test(source)) throw faultAt(text, at, 'Leading zeros', ' Put digits that are not a number in quotes.')
  const value = Number(source)
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) ? value : source
}

/** The tokens of a filter condition; the `end` token is last. Time and space are linear. @throws FilterError */
export const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
  }
  const next = (): Token => {
    const character = text.charAt(at)
    if (character === "'" || character === '"') {
      const source = take(TEXT)
      if (source === undefined) throw faultAt(text, at, 'Unclosed text that begins')
      return { kind: 'text', source, at, value: textOf(text, source, at) }
    }
    const sign = SIGNS.has(character) ? character : take(COMPARISON)
    if (sign !== undefined) return { kind: 'sign', source: sign, at }
    const name = take(NAME)
    if (name !== undefined) return { kind: 'name', source: name, at }
    const digits = take(NUMBER)
    if (digits !== undefined) return { kind: 'number', source: digits, at, value: numberOf(text, digits, at) }
    const whole = String.fromCodePoint(text.codePointAt(at) ?? 0)
    throw faultAt(text, at, `Unexpected "${whole}"`, HINTS.get(whole))
  }
  for (;;) {
    at += take(BLANKS)?.length ?? 0
    if (at >= text.length) break
    const token = next()
    tokens.push(token)
    at += token.source.length
  }
  tokens.push({ kind: 'end', source: '', at })
  return tokens
}
