import { useEffect, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { texts } from '../texts.ts'

const { edit } = texts

/** Says that a form was opened with entries from before, until none is left. */
export const KeptNote = ({ isEdited }: { readonly isEdited: boolean }) => {
  const [isKept, setKept] = useState(isEdited)
  useEffect(() => {
    if (!isEdited) setKept(false)
  }, [isEdited])
  return isKept && isEdited ? <p class="note wide">{edit.kept}</p> : null
}

interface DiscardButtonProps {
  readonly isEdited: boolean
  readonly isBusy: boolean
  /** What is announced afterwards. */
  readonly discarded: string
  readonly onDiscard: () => void
}

/** Empties a form of its entries. */
export const DiscardButton = ({ isEdited, isBusy, discarded, onDiscard }: DiscardButtonProps) => {
  const discard = (): void => {
    if (!isEdited || isBusy) return
    onDiscard()
    announce(discarded)
  }
  return (
    <button type="button" aria-disabled={!isEdited || isBusy} onClick={discard}>
      {edit.discard}
    </button>
  )
}
