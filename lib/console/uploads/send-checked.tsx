import type { Upload } from '../../client/operations.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { checkedFiles, dropChecked } from './checked-files.ts'
import { SendingNote, SendQuestion, StopButton } from './sending-note.tsx'
import { type FileOrder, useSending } from './use-sending.ts'

const { uploads } = texts

interface SendCheckedProps {
  readonly upload: Upload
  readonly order: FileOrder
}

const SendOrder = ({ upload: { upload_id, rows }, order }: SendCheckedProps) => {
  const sending = useSending(() => dropChecked(upload_id))
  return (
    <>
      <SendingNote of={sending} />
      <div class="buttons">
        <button
          type="button"
          class="main"
          aria-disabled={sending.isBusy}
          onClick={() => sending.ask({ ...order, rows: { rows, isExact: true }, isDryRun: false })}
        >
          {uploads.sendChecked}
        </button>
        <StopButton of={sending} />
      </div>
      <SendQuestion of={sending} verb={uploads.sendChecked} />
    </>
  )
}

/** Sends a file that was checked in this tab, if its rows would create or change leads. After a reload, the page has no file any more. */
export const SendChecked = ({ upload }: Pick<SendCheckedProps, 'upload'>) => {
  const order = useStore(checkedFiles).get(upload.upload_id)
  const isUseful = upload.status === 'done' && upload.created + upload.updated > 0
  return order && isUseful ? <SendOrder upload={upload} order={order} /> : null
}
