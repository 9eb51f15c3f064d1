import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Source } from '../../client/operations.ts'
import { useAction } from '../hooks/use-action.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Field } from '../parts/field.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { type ChosenFile, chooseFile, fitOf } from './chosen-file.ts'
import { Columns } from './columns.tsx'
import { sendBytes } from './send-bytes.ts'

const { uploads } = texts

/** Sends a chosen file, shows how much is sent, and opens the view of the upload. Ends when the view is left. */
const useSending = () => {
  const [percent, setPercent] = useState(0)
  const control = useRef(new AbortController())
  useEffect(() => () => control.current.abort(), [])
  const action = useAction(
    async (client, { file, filename }: ChosenFile, source: string, isDryRun: boolean) => {
      control.current = new AbortController()
      setPercent(0)
      const answer = await client.request('POST /api/ingestion/upload/', { body: { source, filename, ...(isDryRun && { dry_run: true }) } })
      await sendBytes({ url: answer.data.signed_url, file, onProgress: setPercent, signal: control.current.signal })
      return { ...answer, data: { ...answer.data, isDryRun } }
    },
    ({ data: { upload_id, isDryRun } }, { tell }) => tell(isDryRun ? uploads.acceptedToCheck : uploads.accepted, `uploads/${upload_id}`),
  )
  const { isBusy } = action
  useEffect(() => {
    if (!isBusy) return
    // The browser asks whether to leave the page.
    const keepPage = (event: Event): void => event.preventDefault()
    addEventListener('beforeunload', keepPage)
    return () => removeEventListener('beforeunload', keepPage)
  }, [isBusy])
  return { ...action, percent, stop: () => control.current.abort() }
}

interface SourceFieldProps {
  readonly sources: readonly Source[]
  readonly source: Source
  readonly onChange: (key: string) => void
}

const SourceField = ({ sources, source: { key, mode, lookup_column }, onChange }: SourceFieldProps) => (
  <div>
    <Field id="source" label={uploads.source} hint={uploads.effects[mode]}>
      {(attributes) => (
        <select {...attributes} value={key} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {sources.map((one) => (
            <option key={one.key} value={one.key}>
              {one.key}
            </option>
          ))}
        </select>
      )}
    </Field>
    {lookup_column !== null && (
      <p class="hint">
        {uploads.lookup}: <QuotedText text={lookup_column} />
      </p>
    )}
  </div>
)

/** The file that was chosen or dropped last. Its beginning is read before it counts. */
const useChosenFile = () => {
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef<File | undefined>(undefined)
  const [chosen, setChosen] = useState<ChosenFile>()
  const [unreadable, setUnreadable] = useState<unknown>()

  const choose = async (file: File | undefined): Promise<void> => {
    setChosen(undefined)
    setUnreadable(undefined)
    latest.current = file
    if (!file) return
    // Another file may be chosen while this one is read.
    const ifLatest = (take: () => void) => latest.current === file && take()
    await chooseFile(file).then(
      (read) => ifLatest(() => setChosen(read)),
      (reason: unknown) => ifLatest(() => setUnreadable(reason)),
    )
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    const files = event.dataTransfer?.files
    if (!files || !input.current || input.current.disabled) return
    input.current.files = files
    void choose(files[0])
  }
  return { input, chosen, unreadable, choose, drop }
}

/** Chooses a file and its source, shows what the columns are, and sends the file. */
export const SendFile = ({ sources: [first, ...others] }: { readonly sources: readonly [Source, ...(readonly Source[])] }) => {
  const sources = [first, ...others]
  const { input, chosen, unreadable, choose, drop } = useChosenFile()
  const [key, setKey] = useState(first.key)
  const [isDryRun, setDryRun] = useState(false)
  const { run, isBusy, failure, percent, stop } = useSending()
  const source = sources.find((one) => one.key === key) ?? first
  const fit = useMemo(() => chosen && fitOf(chosen, source), [chosen, source])
  const isReady = fit !== undefined && 'columns' in fit

  const submit = (event: Event): void => {
    event.preventDefault()
    if (chosen && isReady) void run(chosen, source.key, isDryRun)
  }

  return (
    <form class="sheet" aria-label={uploads.send} onSubmit={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop} noValidate>
      <Field id="file" label={uploads.file} hint={uploads.fileHint}>
        {(attributes) => (
          <input
            {...attributes}
            ref={input}
            type="file"
            class="drop"
            accept=".csv,.tsv,.tab,.txt,text/csv"
            disabled={isBusy}
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        )}
      </Field>
      <SourceField sources={sources} source={source} onChange={setKey} />
      <div class="wide">
        <FailureNote failure={unreadable} />
        {fit && <Columns fit={fit} />}
        <p class="check">
          <input
            id="dry-run"
            type="checkbox"
            aria-describedby="dry-run-hint"
            checked={isDryRun}
            disabled={isBusy}
            onChange={({ currentTarget }) => setDryRun(currentTarget.checked)}
          />
          <label for="dry-run">{uploads.dryRun}</label>
          <span id="dry-run-hint" class="hint">
            {uploads.dryRunHint}
          </span>
        </p>
        <FailureNote failure={failure} />
        {isBusy && (
          <p>
            <progress aria-label={uploads.sending} max={100} value={percent} /> {uploads.sent(percent)}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="main" aria-disabled={isBusy || !isReady}>
            {isDryRun ? uploads.startDryRun : uploads.start}
          </button>
          {isBusy && (
            <button type="button" onClick={stop}>
              {uploads.stop}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}
