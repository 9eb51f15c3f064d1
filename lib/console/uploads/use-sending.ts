import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { texts } from '../texts.ts'
import { keepName } from './file-name.tsx'
import { type FileOrder, noteFileSent } from './kept-files.ts'
import { checkReadable, sendBytes } from './send-bytes.ts'

const { uploads } = texts

/** Sends a file, shows how much is sent, and opens the view of the upload. Ends when the view is left. */
export const useSending = (onSent: (id: string, order: FileOrder) => void) => {
  const [percent, setPercent] = useState(0)
  const [isWaiting, setWaiting] = useState(false)
  const control = useRef(new AbortController())
  useEffect(() => () => control.current.abort(), [])
  const action = useConfirmed(
    async (client, { file, filename, source: { key: source }, isDryRun }: FileOrder) => {
      control.current = new AbortController()
      setPercent(0)
      await checkReadable(file)
      const answer = await client.request('POST /api/ingestion/upload/', { body: { source, filename, ...(isDryRun && { dry_run: true }) } })
      keepName(answer.data.upload_id, file.name)
      const { signal } = control.current
      await sendBytes({ url: answer.data.signed_url, file, onProgress: setPercent, onWait: setWaiting, signal }).finally(() =>
        setWaiting(false),
      )
      noteFileSent(answer.data.upload_id)
      return answer
    },
    ({ data: { upload_id } }, { tell }, order) => {
      onSent(upload_id, order)
      tell(order.isDryRun ? uploads.acceptedToCheck : uploads.accepted, `uploads/${upload_id}`)
    },
  )
  const { isBusy, asked, close, run } = action
  // Not `useEffect`, which begins some time after the page shows that the file is being sent.
  useLayoutEffect(() => {
    if (!isBusy) return
    // The browser asks whether to leave the page.
    const keepPage = (event: Event): void => event.preventDefault()
    addEventListener('beforeunload', keepPage)
    return () => removeEventListener('beforeunload', keepPage)
  }, [isBusy])
  // The question must not hide how much is sent.
  const confirm = (): void => {
    close()
    if (asked) void run(asked)
  }
  return { ...action, confirm, percent, isWaiting, stop: () => control.current.abort() }
}

export type FileSending = ReturnType<typeof useSending>
