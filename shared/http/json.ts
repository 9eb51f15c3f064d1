import * as v from 'valibot'
import { ServiceError } from '../platform/values/errors.ts'

interface Complaint {
  readonly what: string
  /** Index of the character in the JSON text. Absent when the error has no position. */
  readonly at?: number
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const BLANK = /[ \t\n\r]*/y
const WORD = /true|false|null/y
const NOT_FINITE = /NaN|-?Infinity/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Length of the match of `pattern` at a position of the text, or 0. */
const lengthAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

const skipBlank = (text: string, at: number): number => at + lengthAt(BLANK, text, at)

/** @returns the position after the string that begins at `start`, or the complaint */
const skipString = (text: string, start: number): number | Complaint => {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character < ' ') return { what: 'Invalid control character at', at }
    if (character !== '\\') continue
    const length = lengthAt(ESCAPE, text, at)
    if (length === 0 && at + 1 === text.length) break
    if (length === 0) return text[at + 1] === 'u' ? { what: 'Invalid \\uXXXX escape', at: at + 1 } : { what: 'Invalid \\escape', at }
    at += length - 1
  }
  return { what: 'Unterminated string starting at', at: start }
}

/** @returns the position after a name and its colon, or the complaint */
const skipName = (text: string, at: number): number | Complaint => {
  if (text[at] !== '"') return { what: 'Expecting property name enclosed in double quotes', at }
  const end = skipString(text, at)
  if (typeof end !== 'number') return end
  const colon = skipBlank(text, end)
  return text[colon] === ':' ? skipBlank(text, colon + 1) : { what: "Expecting ':' delimiter", at: colon }
}

type Open = ('[' | '{')[]

/** The parser's position, and whether a value must begin there. */
interface Step {
  readonly at: number
  readonly expectsValue: boolean
}

const beginValue = (text: string, at: number, open: Open): Step | Complaint => {
  const character = text[at]
  if (character === '[' || character === '{') {
    const inside = skipBlank(text, at + 1)
    open.push(character)
    if (text[inside] === (character === '{' ? '}' : ']')) return { at: inside, expectsValue: false }
    const place = character === '{' ? skipName(text, inside) : inside
    return typeof place === 'number' ? { at: place, expectsValue: true } : place
  }
  const number = text.slice(at, at + lengthAt(NOT_FINITE, text, at))
  if (number !== '') return { what: `Out of range float values are not JSON compliant: '${number}'` }
  const end = character === '"' ? skipString(text, at) : at + (lengthAt(WORD, text, at) || lengthAt(NUMBER, text, at))
  if (typeof end !== 'number') return end
  return end === at ? { what: 'Expecting value', at } : { at: end, expectsValue: false }
}

const afterValue = (text: string, from: number, open: Open): Step | Complaint => {
  const at = skipBlank(text, from)
  const container = open.at(-1)
  if (text[at] === (container === '{' ? '}' : ']')) {
    open.pop()
    return { at: at + 1, expectsValue: false }
  }
  if (text[at] !== ',') return { what: "Expecting ',' delimiter", at }
  const next = skipBlank(text, at + 1)
  const place = container === '{' ? skipName(text, next) : next
  return typeof place === 'number' ? { at: place, expectsValue: true } : place
}

const findComplaint = (text: string): Complaint => {
  if (text.startsWith('\ufeff')) return { what: 'Unexpected UTF-8 BOM (decode using utf-8-sig)', at: 0 }
  const open: Open = []
  let step: Step = { at: skipBlank(text, 0), expectsValue: true }
  while (step.expectsValue || open.length > 0) {
    const next = step.expectsValue ? beginValue(text, step.at, open) : afterValue(text, step.at, open)
    if ('what' in next) return next
    step = next
  }
  return { what: 'Extra data', at: skipBlank(text, step.at) }
}

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Explains why a text is not JSON, in the words of Python's parser, which clients know. Only for a text that has already failed to parse.
 * It uses no recursion, so no nesting is too deep for it.
 * @returns for example `Expecting value: line 1 column 1 (char 0)`; positions count code points
 */
const jsonComplaint = (text: string): string => {
  const { what, at } = findComplaint(text)
  if (at === undefined) return what
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = codePoints(before.slice(before.lastIndexOf('\n') + 1)) + 1
  return `${what}: line ${line} column ${column} (char ${codePoints(before)})`
}

const NumberContext = v.object({ source: v.string() })

/** Only a text that matches may contain a number that a double would change. */
const LONG_NUMBER = /\d{16}|[eE]\+?\d{3}/

/** Numbers that a double would change, mostly ids of other systems, stay as sent: their digits, as text. */
const keepDigits = (...[, value, context]: readonly unknown[]): unknown => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source } = v.parse(NumberContext, context)
  return Number.isFinite(value) && !/^-?\d+$/.test(source) ? value : source
}

/** @throws ServiceError `parse` when the text is not JSON */
export const parseJson = (text: string): unknown => {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch (error) {
    const complaint = error instanceof RangeError ? 'maximum recursion depth exceeded' : jsonComplaint(text)
    throw new ServiceError('parse', `JSON parse error - ${complaint}`)
  }
}
