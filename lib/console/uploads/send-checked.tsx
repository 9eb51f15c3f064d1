import type { ComponentChildren } from 'preact'
import type { Upload } from '../../client/operations.ts'
import { open } from '../route.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { checkedFiles, dropChecked, type FileOrder, isCheckNext } from './kept-files.ts'
import { SendingNote, SendQuestion, StopButton } from './sending-note.tsx'
import { useSending } from './use-sending.ts'

const { uploads } = texts

interface SendCheckedProps {
  readonly upload: Upload
  readonly order: FileOrder
  /** The button for the corrected file, if there is something to correct. */
  readonly correct: ComponentChildren
}

const SendOrder = ({ upload: { upload_id, rows, rejected }, order, correct }: SendCheckedProps) => {
  const verb = uploads.sendChecked(rejected)
  const sending = useSending(() => dropChecked(upload_id))
  return (
    <>
      <SendingNote of={sending} />
      <div class="buttons">
        {correct}
        <button
          type="button"
          class={correct ? '' : 'main'}
          aria-disabled={sending.isBusy}
          onClick={() => sending.ask({ ...order, rows: { rows, isExact: true }, isDryRun: false })}
        >
          {verb}
        </button>
        <StopButton of={sending} />
      </div>
      <SendQuestion of={sending} verb={verb} />
    </>
  )
}

/** Whether a check found rows that can be corrected before anything is written. */
export const isToCorrect = ({ dry_run, status, rejected }: Upload): boolean => dry_run === true && status === 'done' && rejected > 0

const chooseCorrected = (): void => {
  isCheckNext.set(true)
  open('uploads')
}

/**
 * After a check: leads to the choice of the corrected file, and sends the file as it is, if its rows would create or change leads. After a
 * reload, the page has no file any more.
 */
export const SendChecked = ({ upload }: Pick<SendCheckedProps, 'upload'>) => {
  const order = useStore(checkedFiles).get(upload.upload_id)
  const isUseful = upload.status === 'done' && upload.created + upload.updated > 0
  const correct = isToCorrect(upload) && (
    <button type="button" class="main" onClick={chooseCorrected}>
      {uploads.chooseCorrected}
    </button>
  )
  if (order && isUseful) return <SendOrder {...{ upload, order, correct }} />
  return correct && <div class="buttons">{correct}</div>
}
