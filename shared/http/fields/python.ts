import { cutText } from '../../platform/values/cut-text.ts'

/** Messages quote values as Python writes them, because the callers' code expects that. */

export const pythonType = (value: unknown): string => {
  if (value === null || value === undefined) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return 'dict'
}

/** Limits of what a message quotes. They bound the answer to hostile input. */
const MAX_DEPTH = 10
const MAX_CHARACTERS = 1000

const quoted = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}

const representation = (value: unknown, depth: number): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'string') return quoted(value.slice(0, MAX_CHARACTERS))
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return String(value)
  const list = Array.isArray(value)
  if (depth > MAX_DEPTH) return list ? '[...]' : '{...}'
  if (list)
    return `[${value
      .slice(0, MAX_CHARACTERS)
      .map((item) => representation(item, depth + 1))
      .join(', ')}]`
  const entries = Object.entries(value).slice(0, MAX_CHARACTERS)
  return `{${entries.map(([key, item]) => `${quoted(key)}: ${representation(item, depth + 1)}`).join(', ')}}`
}

/** A value as Python's `str` shows it, cut after 1,000 characters. */
export const pythonText = (value: unknown): string => cutText(typeof value === 'string' ? value : representation(value, 0), MAX_CHARACTERS)
