import { useEffect, useRef } from 'preact/hooks'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { FailureNote } from './failure-note.tsx'

interface ConfirmProps {
  readonly question: string
  readonly about: string
  readonly verb: string
  readonly isBusy: boolean
  readonly failure: unknown
  /** What a 404 means here. */
  readonly missing?: string
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Asks before something that cannot simply be undone. The browser keeps the focus inside, and Escape goes back. */
export const Confirm = ({ question, about, verb, isBusy, failure, missing, onYes, onNo }: ConfirmProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { state } = useStore(session)
  // While it is open, the page around it takes no input. Hidden behind the sign-in, it would block the sign-in.
  useEffect(() => (state === 'in' ? dialog.current?.showModal() : onNo()), [state])
  // Not only when the browser tells that the dialog is closed: by then, the next question may be open.
  const back = (): void => {
    dialog.current?.close()
    onNo()
  }
  return (
    <dialog
      ref={dialog}
      onClose={() => dialog.current && onNo()}
      onCancel={(event) => {
        event.preventDefault()
        if (!isBusy) back()
      }}
      aria-labelledby="question"
      aria-describedby="question-about"
    >
      <h2 id="question">{question}</h2>
      <p id="question-about">{about}</p>
      <FailureNote failure={failure} missing={missing} />
      <div class="buttons">
        <button type="button" class="main" disabled={isBusy} onClick={onYes}>
          {verb}
        </button>
        <button type="button" disabled={isBusy} onClick={back}>
          {texts.actions.back}
        </button>
      </div>
    </dialog>
  )
}
