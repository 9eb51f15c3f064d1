import * as v from 'valibot'
import { ServiceError } from '../platform/values/errors.ts'
import { jsonComplaint } from './steps/json-complaint.ts'

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
