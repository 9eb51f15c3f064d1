import { now } from '#shared/platform/clock.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { ANSWERS, type Answer } from '#shared/reassigned/answer.ts'
import { stricter } from '#shared/reassigned/rules/answers.ts'
import { type AnswerFault, type AnswerLine, readAnswerLine } from '#shared/reassigned/rules/line.ts'
import { phoneHasher } from '#shared/stops/phone-hash.ts'
import { readLines, wrongLine } from '../registry/read-lines.ts'
import { RecordFiles } from '../registry/record-files.ts'

/** A record: the hash of a number, four bytes with the day that was asked about, which may be long ago, and a byte with the answer. */
const HASH_BYTES = 32
const DAY_AT = HASH_BYTES
const ANSWER_AT = DAY_AT + 4
const RECORD_BYTES = ANSWER_AT + 1

const EXAMPLE = 'such as 2125550100,2026-06-10,no'

const FAULTS: Readonly<Record<AnswerFault['what'], string>> = {
  fields: `Each line must be a phone number, the day that was asked about, and the answer, ${EXAMPLE}.`,
  number: `The first field must be a phone number with ten digits, ${EXAMPLE}.`,
  date: `The second field must be a day, ${EXAMPLE}.`,
  answer: `The third field must be the answer: yes, no or no data, ${EXAMPLE}.`,
}

/** An answer about a number of which only the hash is known. */
export interface HashedAnswer {
  readonly hash: string
  readonly date: string
  readonly answer: Answer
}

/** The names of columns, which a first line may hold. */
const isHeading = (text: string, number: number): boolean => number === 1 && !/\d/.test(text)

const faultOf = ({ date }: AnswerLine, asOf: string): string | undefined => {
  if (date > dayOf(now())) return 'The day that was asked about is in the future.'
  return date > asOf ? `The day that was asked about is after --as-of ${asOf}, the day on which the database was asked.` : undefined
}

interface AnswerFiles {
  readonly files: readonly string[]
  /** For temporary files. */
  readonly folder: string
  /** The day on which the database was asked, as YYYY-MM-DD. */
  readonly asOf: string
}

/**
 * Reads all files to their ends, and sorts their answers into temporary files.
 * @throws OpsRefusal at the first line with a fault
 */
export const readAnswers = async ({ files, folder, asOf }: AnswerFiles) => {
  const records = new RecordFiles(folder, RECORD_BYTES)
  const hashOf = await phoneHasher()
  let count = 0
  for (const path of files) {
    await readLines(path, (text, number) => {
      if (isHeading(text, number)) return
      const line = readAnswerLine(text)
      if ('what' in line) throw wrongLine(path, number, text, FAULTS[line.what])
      const fault = faultOf(line, asOf)
      if (fault !== undefined) throw wrongLine(path, number, text, fault)
      const hash = hashOf(line.phoneNumber)
      records.add(hash.readUInt8(0), (record) => {
        hash.copy(record)
        record.writeInt32BE(Date.parse(line.date) / DAY, DAY_AT)
        record.writeUInt8(ANSWERS.indexOf(line.answer), ANSWER_AT)
      })
      count++
    })
  }
  records.close()
  return { count, records }
}

const answerIn = (record: Buffer): HashedAnswer => ({
  hash: record.subarray(0, HASH_BYTES).toString('base64url'),
  date: dayOf(record.readInt32BE(DAY_AT) * DAY),
  answer: ANSWERS[record.readUInt8(ANSWER_AT)] ?? 'yes',
})

/** The answers of one part, one for each number and day. If a question has several answers, the strictest counts. */
export const answersOfPart = (records: RecordFiles, part: number): HashedAnswer[] => {
  const found = new Map<string, HashedAnswer>()
  for (const record of records.records(part)) {
    const next = answerIn(record)
    const name = `${next.hash} ${next.date}`
    const known = found.get(name)
    found.set(name, known ? { ...next, answer: stricter(known.answer, next.answer) } : next)
  }
  return [...found.values()]
}
