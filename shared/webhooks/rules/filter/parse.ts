import { FilterError } from './filter-error.ts'
import { charactersIn, faultAt, type Token, tokensOf } from './tokens.ts'
import type { Literal, PathStep, Tree } from './tree.ts'

export const MAX_CHARACTERS = 2000
/** Most nested parentheses, including those of `has()` and `get()`. */
export const MAX_NESTING = 32

const CONSTANTS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
])

/** No field has these names. As a field, one would always be null, which is never what the author meant. */
const RESERVED = /^(?:true|false|null|none|undefined|and|or|not|in|is|if|else)$/i

/** The words that authors mean, by what they write in lower case. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...['and', 'or', 'true', 'false', 'null'].map((word) => [word, word] as const),
  ...['none', 'nil', 'undefined'].map((word) => [word, 'null'] as const),
])
const COMPARING = /^(?:in|is|like|contains)$/i

const hintFor = ({ kind, source }: Token): string | undefined => {
  if (kind !== 'name') return undefined
  if (source === 'not') return ' Use == false.'
  if (COMPARING.test(source)) return ' Only == and != compare.'
  const meant = MEANT.get(source.toLowerCase())
  return meant === undefined || meant === source ? undefined : ` Write ${meant}.`
}

const NULL: Tree = { type: 'literal', value: null }

/** Reads the tokens of a filter condition one by one. */
const reader = (text: string) => {
  const tokens = tokensOf(text)
  const end: Token = { kind: 'end', source: '', at: text.length }
  let place = 0
  const peek = (ahead = 0): Token => tokens[place + ahead] ?? end
  const fault = (token: Token, problem: string, hint?: string): FilterError => faultAt(text, token.at, problem, hint)
  const unexpected = (token: Token, hint = hintFor(token)): FilterError =>
    fault(token, token.kind === 'end' ? 'Unexpected end' : `Unexpected ${token.kind === 'text' ? 'text' : `"${token.source}"`}`, hint)
  const take = (): Token => {
    const token = peek()
    place += 1
    return token
  }
  const isAt = (source: string, ahead = 0): boolean => {
    const token = peek(ahead)
    return token.source === source && (token.kind === 'sign' || token.kind === 'name')
  }
  const skip = (source: string): boolean => {
    const found = isAt(source)
    if (found) place += 1
    return found
  }
  const expect = (source: string): void => {
    if (!skip(source)) throw unexpected(peek(), ` Expected "${source}".`)
  }
  return { peek, take, isAt, skip, expect, fault, unexpected }
}

/** Counts characters only if needed: a character has one or two UTF-16 units. */
const isTooLong = (text: string): boolean =>
  text.length > 2 * MAX_CHARACTERS || (text.length > MAX_CHARACTERS && charactersIn(text) > MAX_CHARACTERS)

/**
 * Reads a filter condition that is not blank. Its length and nesting are limited, so that it needs little time and stack.
 * @throws FilterError
 */
export const parseFilter = (text: string): Tree => {
  if (isTooLong(text)) throw new FilterError(`Ensure this field has no more than ${MAX_CHARACTERS} characters.`, MAX_CHARACTERS + 1)
  const { peek, take, isAt, skip, expect, fault, unexpected } = reader(text)
  let nesting = 0

  const inParentheses = <T>(read: () => T): T => {
    const open = peek()
    expect('(')
    nesting += 1
    if (nesting > MAX_NESTING) throw fault(open, `Ensure this field has no more than ${MAX_NESTING} levels of nesting: there is one more`)
    const inner = read()
    expect(')')
    nesting -= 1
    return inner
  }

  const index = (): PathStep => {
    const token = take()
    if (token.kind === 'text') return token.value
    if (token.kind === 'number' && Number.isSafeInteger(token.value)) return Number(token.value)
    throw unexpected(token, ' An index is a text in quotes or a whole number.')
  }

  const key = (): PathStep => {
    const token = take()
    if (token.kind === 'name') return token.source
    throw unexpected(token, ' Expected a name.')
  }

  const steps = (): PathStep[] => {
    const found: PathStep[] = []
    for (;;) {
      if (skip('.')) found.push(key())
      else if (skip('[')) {
        found.push(index())
        expect(']')
      } else return found
    }
  }

  const path = (): PathStep[] => {
    const token = take()
    if (token.kind !== 'text') throw unexpected(token, ' Expected a path in quotes.')
    return token.value.split('.')
  }

  const inside = (of: Tree): Tree => {
    const further = steps()
    return further.length === 0 ? of : { type: 'inside', of, steps: further }
  }

  const call = (name: Token): Tree => {
    if (name.source === 'has') return inParentheses(() => ({ type: 'has', steps: path() }))
    if (name.source === 'get') return inParentheses(() => ({ type: 'get', steps: path(), otherwise: skip(',') ? either() : NULL }))
    throw fault(name, `Unknown function "${name.source}"`, ' There are has() and get().')
  }

  const named = (): Tree => {
    const name = take()
    const constant = CONSTANTS.get(name.source)
    if (constant !== undefined) return { type: 'literal', value: constant }
    if (RESERVED.test(name.source)) throw unexpected(name)
    return isAt('(') ? inside(call(name)) : { type: 'path', steps: [name.source, ...steps()] }
  }

  const operand = (): Tree => {
    const token = peek()
    if (token.kind === 'name') return named()
    if (isAt('(')) return inside(inParentheses(either))
    take()
    if (token.kind === 'text' || token.kind === 'number') return { type: 'literal', value: token.value }
    throw unexpected(token)
  }

  const comparison = (): Tree => {
    const left = operand()
    if (!isAt('==') && !isAt('!=')) return left
    const negated = take().source === '!='
    const right = operand()
    if (isAt('==') || isAt('!=')) throw unexpected(peek(), ' Join comparisons with and.')
    return { type: 'compare', left, right, negated }
  }

  const joined = (type: 'and' | 'or', read: () => Tree): Tree => {
    const first = read()
    if (!skip(type)) return first
    const parts: [Tree, Tree, ...Tree[]] = [first, read()]
    while (skip(type)) parts.push(read())
    return { type, parts }
  }

  const both = (): Tree => joined('and', comparison)
  const either = (): Tree => joined('or', both)

  const tree = either()
  if (peek().kind !== 'end') throw unexpected(peek())
  return tree
}
