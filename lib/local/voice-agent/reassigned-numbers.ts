import * as v from 'valibot'

/** The body of `POST /reassigned-numbers`. */
const Questions = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ questions: v.array(v.object({ phone_number: v.string(), date: v.pipe(v.string(), v.isoDate()) })) }),
)

/** The day since which all carriers keep their disconnected numbers. */
const DATA_BEGIN = '2021-01-27'

/** The last four digits of a number that was always disconnected later. */
const REASSIGNED = '0041'

const answerTo = (phone: string, date: string): string => {
  if (phone.endsWith(REASSIGNED)) return 'yes'
  return date < DATA_BEGIN ? 'no_data' : 'no'
}

/** Simulates a service that asks the reassigned numbers database. @returns undefined when the body is malformed */
export const answerQuestions = (body: string) => {
  const read = v.safeParse(Questions, body)
  if (!read.success) return undefined
  return { answers: read.output.questions.map((asked) => ({ ...asked, answer: answerTo(asked.phone_number, asked.date) })) }
}
