import { useLayoutEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../client/api-error.ts'
import { texts } from '../texts.ts'
import { FailureNote } from './failure-note.tsx'

/** Whether the request itself is wrong, so that it would be refused again. */
export const isRefusal = (failure: unknown): failure is ApiError => failure instanceof ApiError && failure.status === 400

/** What the API said about one field of a form. */
export const errorsOfField = (failure: unknown, name: string): readonly string[] => (isRefusal(failure) ? (failure.fields[name] ?? []) : [])

interface FormFailureProps {
  readonly failure: unknown
  /** The fields of the form, which show their own errors. */
  readonly shown: readonly string[]
  /** Set if the form itself found mistakes, and was not sent: another object for each attempt. */
  readonly stopped?: object | undefined
}

/**
 * Explains why a form was refused or not sent, except for errors that its fields show. A form without an answer can be sent again: the
 * service applies it once. The focus goes from the button to the first wrong field, which may be out of sight.
 */
export const FormFailure = ({ failure, shown, stopped }: FormFailureProps) => {
  const named = isRefusal(failure) ? Object.keys(failure.fields) : []
  const areAllShown = named.length > 0 && named.every((name) => shown.includes(name))
  const isWrong = stopped !== undefined || isRefusal(failure)
  const note = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    // Whoever went on to another control while the answer was on its way stays there.
    if (!isWrong || !document.activeElement?.matches('[type="submit"]')) return
    note.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"], .invalid input')?.focus()
  }, [failure, stopped])
  return (
    <>
      {isWrong && (
        <p ref={note} class="error" role="alert">
          {(stopped || named.some((name) => shown.includes(name))) && texts.failures.fields}
        </p>
      )}
      {!areAllShown && <FailureNote failure={failure} answersAgain={texts.failures.answersAgainToSend} />}
    </>
  )
}
