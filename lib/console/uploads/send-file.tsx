import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Source } from '../../client/operations.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Field } from '../parts/field.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { type ChosenFile, chooseFile, fitOf } from './chosen-file.ts'
import { Columns } from './columns.tsx'
import { isCheckNext, keepChecked } from './kept-files.ts'
import { SendingNote, SendQuestion, StopButton } from './sending-note.tsx'
import { useSending } from './use-sending.ts'

const { uploads } = texts

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
  const [isDryRun, setDryRun] = useState(isCheckNext.get)
  useEffect(() => isCheckNext.set(false), [])
  const sending = useSending((id, order) => order.isDryRun && keepChecked(id, order))
  const { isBusy, run, ask } = sending
  const source = sources.find((one) => one.key === key) ?? first
  const fit = useMemo(() => chosen && fitOf(chosen, source), [chosen, source])
  const fitting = fit && 'columns' in fit && !fit.isEmpty ? fit : undefined

  const submit = (event: Event): void => {
    event.preventDefault()
    if (!chosen || !fitting) return
    const { file, filename } = chosen
    const order = { file, filename, source, rows: fitting.rows, isDryRun }
    if (isDryRun) void run(order)
    else ask(order)
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
        <SendingNote of={sending} />
        <div class="buttons">
          <button type="submit" class="main" aria-disabled={isBusy || !fitting}>
            {isDryRun ? uploads.startDryRun : uploads.start}
          </button>
          <StopButton of={sending} />
        </div>
        <SendQuestion of={sending} verb={uploads.start} />
      </div>
    </form>
  )
}
