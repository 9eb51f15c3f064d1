import { Confirm } from '../parts/confirm.tsx'
import { Fact } from '../parts/fact.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { FileNames } from './file-name.tsx'
import type { FileSending } from './use-sending.ts'

const { uploads } = texts

/** The question before a file is sent. Nobody can take back the leads that it creates, and their phones may ring. */
export const SendQuestion = ({ of: sending, verb }: { readonly of: FileSending; readonly verb: string }) => {
  const { asked } = sending
  if (!asked) return null
  const { file, filename, source, rows } = asked
  return (
    <Confirm
      question={uploads.sendQuestion}
      about={`${uploads.effects[source.mode]} ${uploads.sendAbout}`}
      facts={
        <>
          <Fact label={uploads.labels.file}>
            <FileNames chosen={file.name} stored={filename} />
          </Fact>
          <Fact label={uploads.labels.source}>
            <QuotedText text={source.key} />
          </Fact>
          <Fact label={uploads.labels.rows}>{uploads.rowCount(rows.rows, rows.isExact)}</Fact>
        </>
      }
      verb={verb}
      of={sending}
    />
  )
}

/** How much of a file is sent, or why it is not. */
export const SendingNote = ({ of: { isBusy, failure, percent, isWaiting } }: { readonly of: FileSending }) => (
  <>
    <FailureNote failure={failure} />
    {isWaiting && (
      <p class="note" role="alert">
        {uploads.waiting}
      </p>
    )}
    {isBusy && (
      <p>
        <progress aria-label={uploads.sending} max={100} value={percent} /> {uploads.sent(percent)}
      </p>
    )}
  </>
)

export const StopButton = ({ of: { isBusy, stop } }: { readonly of: FileSending }) =>
  isBusy ? (
    <button type="button" onClick={stop}>
      {uploads.stop}
    </button>
  ) : null
