import * as v from 'valibot'
import { addressRefusal, guardedPost } from '#shared/platform/safe-fetch/guarded-post.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { ANSWERS, type Answer } from '#shared/reassigned/answer.ts'
import { stricter } from '#shared/reassigned/rules/answers.ts'
import { OpsMistake, OpsRefusal } from '../refusal.ts'
import type { Waiting } from '../waiting.ts'
import type { Question } from './questions.ts'

/** A service that asks the reassigned numbers database. Another one needs another implementation of this. */
export interface QueryService {
  /** @returns the answers in the order of the questions. @throws OpsRefusal when the service does not answer each of them */
  readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
}

/** Most questions of a request, as the database permits: see docs/compliance.md. */
export const MOST_QUESTIONS = 1000

const TIMEOUT = 30 * SECOND
const MOST_BYTES = 1024 * 1024
const MAX_TRIES = 5
/** Doubled with each try. */
const PAUSE = SECOND

/** Characters of an answer that a message shows. */
const MOST_SHOWN = 200

const Answers = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ answers: v.array(v.object({ phone_number: v.string(), date: v.string(), answer: v.picklist(ANSWERS) })) }),
)

/** If a question has several answers, the strictest counts. @throws OpsRefusal when a question has no answer */
const inOrder = (questions: readonly Question[], text: string): Answer[] => {
  const read = v.safeParse(Answers, text)
  if (!read.success) throw new OpsRefusal(`The query service sent something else than answers: ${text.slice(0, MOST_SHOWN)}`)
  const found = new Map<string, Answer>()
  for (const { phone_number, date, answer } of read.output.answers) {
    const name = `${phone_number} ${date}`
    found.set(name, stricter(found.get(name) ?? answer, answer))
  }
  return questions.map(({ phoneNumber, date }) => {
    const answer = found.get(`${phoneNumber} ${date}`)
    if (answer === undefined) throw new OpsRefusal(`The query service left out the answer about a number and ${date}.`)
    return answer
  })
}

/** A service that takes the questions as JSON. docs/compliance.md describes the request and the answer. */
export const openQueryService = (address: string, key: string, waiting: Waiting): QueryService => {
  const url = URL.parse(address)
  if (!url) throw new OpsMistake(`--url must be an address such as https://checks.example.com/, not "${address}".`)
  const refusal = addressRefusal(url)
  if (refusal !== undefined) throw new OpsMistake(`--url: ${refusal}`)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const never = new AbortController().signal
  return {
    ask: async (questions) => {
      const body = JSON.stringify({ questions: questions.map(({ phoneNumber, date }) => ({ phone_number: phoneNumber, date })) })
      for (let tries = 1; ; tries++) {
        const answer = await guardedPost({ url, headers, body, timeout: TIMEOUT, mostBytes: MOST_BYTES })
        if (answer.kind === 'answered' && answer.status === 200) return inOrder(questions, answer.text)
        const why = answer.kind === 'answered' ? `answered ${answer.status}: ${answer.text.slice(0, MOST_SHOWN)}` : answer.reason
        const isPassing = answer.kind !== 'answered' || answer.status === 429 || answer.status >= 500
        if (!isPassing || tries === MAX_TRIES) throw new OpsRefusal(`The query service failed: ${why}`)
        await waiting.pause(PAUSE * 2 ** (tries - 1), never)
      }
    },
  }
}
