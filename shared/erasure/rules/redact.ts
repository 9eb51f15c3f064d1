import { isDeeperThan } from '../../http/fields/metadata.ts'
import { isMentioned } from './mention.ts'

/** Replaces each mention of a number. */
const ERASED = 'erased'

const isContainer = (text: string): boolean => /^\s*[[{]/.test(text)

/** Levels of nesting that are searched, including JSON inside strings of JSON. The limit protects the stack. */
const MAX_DEPTH = 128

/** @returns undefined when the text is not JSON, or is nested too deeply; then it is plain text */
const parsed = (text: string, levels: number): unknown => {
  try {
    const json: unknown = isContainer(text) ? JSON.parse(text) : undefined
    return isDeeperThan(json, levels) ? undefined : json
  } catch {
    return undefined
  }
}

/** Whether a text may mention the number, directly or in JSON escapes. */
const mayTell = (mentions: RegExp, text: string): boolean => isMentioned(mentions, text) || text.includes('\\')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

interface Redaction {
  /** Keys of the outermost object whose values stay unchanged. */
  readonly kept?: readonly string[]
  /** In JSON, a client may have sent the phone number as a number. Other numbers are the service's own. */
  readonly inJson?: boolean
  readonly levels?: number
}

const redactedText = (mentions: RegExp, text: string, kept: readonly string[], levels: number): string => {
  if (!mayTell(mentions, text)) return text
  const json = parsed(text, levels)
  if (json === undefined) return text.replaceAll(mentions, ERASED)
  const rest = JSON.stringify(redacted(mentions, json, { kept, inJson: true, levels }))
  return rest === JSON.stringify(json) ? text : rest
}

/** Removes each mention of the number: in strings, in JSON inside strings, in JSON numbers, and in keys. */
export const redacted = (mentions: RegExp, value: unknown, { kept = [], inJson = false, levels = MAX_DEPTH }: Redaction = {}): unknown => {
  if (typeof value === 'number') return inJson && isMentioned(mentions, `${value}`) ? null : value
  if (typeof value === 'string') return redactedText(mentions, value, kept, levels)
  const within = (each: unknown): unknown => redacted(mentions, each, { inJson, levels: levels - 1 })
  if (Array.isArray(value)) return value.map(within)
  if (value instanceof Set) return new Set([...value].map(within))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.replaceAll(mentions, ERASED), kept.includes(key) ? each : within(each)]),
  )
}

/** Whether a value mentions the number anywhere, as `redacted` sees it. Compressed data is not searched. */
export const containsMention = (mentions: RegExp, value: unknown, inJson = false, levels = MAX_DEPTH): boolean => {
  if (typeof value === 'number') return inJson && isMentioned(mentions, `${value}`)
  if (typeof value === 'string') {
    if (!mayTell(mentions, value)) return false
    const json = parsed(value, levels)
    return json === undefined ? isMentioned(mentions, value) : containsMention(mentions, json, true, levels)
  }
  const within = (each: unknown): boolean => containsMention(mentions, each, inJson, levels - 1)
  if (Array.isArray(value) || value instanceof Set) return [...value].some(within)
  return isObject(value) && Object.entries(value).some(([key, each]) => isMentioned(mentions, key) || within(each))
}
