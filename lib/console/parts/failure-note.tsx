import type { ComponentChildren } from 'preact'
import { ApiError, NoAnswerError } from '../../client/api-error.ts'
import { connection, isKeyRefused } from '../connection.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { sentenceInWords } from './api-sentence.ts'

/** Characters that turn the direction of the text after them. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g

/** An error of the API, which may quote what was sent. Quoted characters must not turn the rest of the sentence. */
export const errorInWords = (text: string): string => sentenceInWords(text).replace(TURNS, '\uFFFD')

type Labels = Readonly<Record<string, string>>

const sentencesOf = (failure: ApiError, missing: string | undefined, labels: Labels): readonly string[] => {
  if (failure.status === 404 && missing !== undefined) return [missing]
  if (failure.detail !== undefined) return [failure.detail]
  const found = Object.entries(failure.fields).flatMap(([name, said]) =>
    said.map((sentence) => (name === 'non_field_errors' ? sentence : `${labels[name] ?? name}: ${sentence}`)),
  )
  return found.length > 0 ? found : [texts.failures.service(failure.status)]
}

/** A failure in sentences. `missing`: what a 404 means; undefined: what the service says. */
export const linesOf = (failure: unknown, missing: string | undefined, labels: Labels): readonly string[] => {
  if (failure instanceof NoAnswerError)
    return [failure.operation.startsWith('GET ') ? texts.failures.noAnswerToRead : texts.failures.noAnswer]
  if (!(failure instanceof ApiError)) return [failure instanceof Error ? failure.message : texts.failures.unexpected]
  const request = failure.status >= 500 && failure.requestId !== undefined ? [texts.failures.request(failure.requestId)] : []
  return [...sentencesOf(failure, missing, labels), ...request]
}

export interface FailureNoteProps {
  readonly failure: unknown
  readonly onRetry?: () => void
  /** What a 404 means here. By default, what the service says. */
  readonly missing?: string | undefined
  /** A link that leads on after a 404. */
  readonly wayOut?: ComponentChildren
  /** What the page calls the fields of the API. */
  readonly labels?: Labels
  /** What to do when the service answers again. By default, the user must find out whether a change was made. */
  readonly answersAgain?: string
}

/** What to do when the service answers again, after a request that got no answer. */
const afterReturn = ({ operation }: NoAnswerError): string =>
  operation.startsWith('GET ') ? texts.failures.answersAgainToRead : texts.failures.answersAgain

/** Why something failed, with the button that tries it again if there is one. */
export const FailureNote = ({ failure, onRetry, missing, wayOut, labels = {}, answersAgain }: FailureNoteProps) => {
  const { state } = useStore(connection)
  // The sign-in says it.
  if (failure === undefined || isKeyRefused(failure)) return null
  // The banner says at the same moment that the service does not answer, or nothing.
  const isBack = failure instanceof NoAnswerError && state !== 'lost'
  const lines = isBack ? [answersAgain ?? afterReturn(failure)] : linesOf(failure, missing, labels)
  return (
    <div class="note failure" role="alert">
      {lines.map((line) => (
        <p key={line}>{errorInWords(line)}</p>
      ))}
      {failure instanceof ApiError && failure.status === 404 && wayOut}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.failures.retry}
        </button>
      )}
    </div>
  )
}
