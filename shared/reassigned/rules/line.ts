import { readDay } from '../../registries/rules/line.ts'
import type { Answer } from '../answer.ts'

/** A line of an answer file. */
export interface AnswerLine {
  /** In E.164. */
  readonly phoneNumber: string
  /** The day that was asked about, as YYYY-MM-DD. */
  readonly date: string
  readonly answer: Answer
}

const NUMBER = /^(?:\+?1[-. ]?)?\(?(\d{3})\)?[-. ]?(\d{3})[-. ]?(\d{4})$/

const WORDS: ReadonlyMap<string, Answer> = new Map([
  ['yes', 'yes'],
  ['no', 'no'],
  ['no data', 'no_data'],
  ['no_data', 'no_data'],
])

/** Why a line is no answer. `what` is the name of the wrong part. */
export interface AnswerFault {
  readonly what: 'fields' | 'number' | 'date' | 'answer'
}

const LONGEST_NUMBER = 20

/** The number of the North American plan that a text holds, in E.164. */
const phoneIn = (text: string): string | undefined => {
  const [, area, exchange, rest] = (text.length <= LONGEST_NUMBER && NUMBER.exec(text)) || []
  return area === undefined ? undefined : `+1${area}${exchange}${rest}`
}

export const readAnswerLine = (line: string): AnswerLine | AnswerFault => {
  const [number, day, word, ...more] = line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'))
  if (number === undefined || day === undefined || word === undefined || more.length > 0) return { what: 'fields' }
  const phoneNumber = phoneIn(number)
  if (phoneNumber === undefined) return { what: 'number' }
  const date = readDay(day)
  if (date === undefined) return { what: 'date' }
  const answer = WORDS.get(word.toLowerCase())
  return answer === undefined ? { what: 'answer' } : { phoneNumber, date, answer }
}
