import { isMentioned } from './mention.ts'

/** What stands where a number stood. */
const ERASED = 'erased'

const isContainer = (text: string): boolean => /^\s*[[{]/.test(text)

const parsed = (text: string): unknown => {
  try {
    return isContainer(text) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Without the number, wherever it is mentioned: in texts, in JSON that is kept as text, as a number, and in keys. */
export const redacted = (mentions: RegExp, value: unknown): unknown => {
  if (typeof value === 'number') return isMentioned(mentions, `${value}`) ? null : value
  if (typeof value === 'string') {
    if (!isMentioned(mentions, value)) return value
    const json = parsed(value)
    return json === undefined ? value.replaceAll(mentions, ERASED) : JSON.stringify(redacted(mentions, json))
  }
  if (Array.isArray(value)) return value.map((each) => redacted(mentions, each))
  if (value instanceof Set) return new Set([...value].map((each) => redacted(mentions, each)))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.replaceAll(mentions, ERASED), redacted(mentions, each)]))
}

/** Whether a value mentions the number anywhere. What is compressed is not looked into. */
export const tells = (mentions: RegExp, value: unknown): boolean => {
  if (typeof value === 'string') return isMentioned(mentions, value)
  if (Array.isArray(value) || value instanceof Set) return [...value].some((each) => tells(mentions, each))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false
  return Object.entries(value).some(([key, each]) => isMentioned(mentions, key) || tells(mentions, each))
}
