import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Confirmation } from '../hooks/use-confirmed.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { FailureNote } from './failure-note.tsx'

interface ConfirmProps {
  readonly question: string
  readonly about: string
  /** Facts that help to answer. */
  readonly facts?: ComponentChildren
  readonly verb: string
  /** The action that it asks about. */
  readonly of: Confirmation
  /** What a 404 means here. */
  readonly missing?: string
}

/** Asks before something that cannot simply be undone. The browser keeps the focus inside, at first on the way back. */
export const Confirm = ({ question, about, facts, verb, of: { isBusy, failure, confirm, close }, missing }: ConfirmProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isIn = useStore(session).state === 'in'
  // While it is open, the page around it takes no input. Hidden behind the sign-in, it would block the sign-in.
  const show = (): void => (isIn ? dialog.current?.showModal() : dialog.current?.close())
  useEffect(show, [isIn])
  // The browser gives the focus back only when a dialog is closed, not when it is removed.
  useLayoutEffect(() => () => dialog.current?.close(), [])
  useEffect(() => {
    if (!isIn && !isBusy) close()
  }, [isIn, isBusy])
  // Not only when the browser tells that the dialog is closed: by then, the next question may be open.
  const back = (): void => {
    if (isBusy) return
    dialog.current?.close()
    close()
  }
  // A second Escape closes it in any case. While the action runs, it must stay to show a failure.
  const closed = (): void => {
    if (isBusy) show()
    else if (dialog.current) close()
  }
  return (
    <dialog
      ref={dialog}
      onClose={closed}
      onCancel={(event) => {
        event.preventDefault()
        back()
      }}
      aria-labelledby="question"
      aria-describedby="question-about"
    >
      <h2 id="question">{question}</h2>
      <div id="question-about">
        <p>{about}</p>
        {facts && <dl class="facts">{facts}</dl>}
      </div>
      <FailureNote failure={failure} missing={missing} />
      <div class="buttons">
        <button type="button" class="main" aria-disabled={isBusy} onClick={confirm}>
          {verb}
        </button>
        <button type="button" autofocus aria-disabled={isBusy} onClick={back}>
          {texts.actions.back}
        </button>
      </div>
    </dialog>
  )
}
