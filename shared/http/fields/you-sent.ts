import { cutText } from '../../platform/values/cut-text.ts'

/** Characters of a value that a message repeats. */
const MOST_SHOWN = 50

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  return JSON.stringify(cutText(value, MOST_SHOWN))
}

/** ` You sent "tomorrow".` Follows the words of a message that clients parse. Not for secrets, phone numbers and emails. */
export const youSent = (value: unknown): string => ` You sent ${shown(value)}.`
