import { useEffect, useRef } from 'preact/hooks'
import type { Upload } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useQuery } from '../hooks/use-query.ts'
import { CallPreview } from '../launch/call-preview.tsx'
import { Fact } from '../parts/fact.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'
import { FileNames, useFileName } from './file-name.tsx'
import { useIsSent } from './kept-files.ts'
import { isToCorrect, SendChecked } from './send-checked.tsx'
import { isInProgress, UploadBadge } from './upload-badge.tsx'
import { UploadReport } from './upload-report.tsx'

const { uploads } = texts
const { labels } = uploads

const POLL_IN_PROGRESS = 4000
/** While a file that was just sent is not read yet. */
const POLL_SOON = 2000
/** The links to the report are valid for an hour, and each answer has a new one. */
const POLL_IDLE = 60_000

/** Only a warning that this console does not know is shown with its code. */
const WARNINGS: ReadonlyMap<string, string> = new Map(Object.entries(uploads.warnings))

const COUNTS = ['rows', 'created', 'updated', 'reengaged', 'unchanged', 'rejected'] as const

/** A check only tells what would happen. */
const labelOf = (name: (typeof COUNTS)[number], { dry_run }: Upload): string =>
  dry_run && name !== 'rows' ? uploads.checkedLabels[name] : labels[name]

/** Whether the service has read the file and found only a header. */
const hasNoRows = ({ status, rows }: Upload): boolean => status === 'done' && rows === 0

const endInWords = (upload: Upload): string => {
  const { status, dry_run, rejected } = upload
  if (hasNoRows(upload)) return uploads.noRows
  return dry_run && status === 'done' ? uploads.isChecked(rejected) : uploads.isOver(uploads.statuses[status], rejected)
}

const Facts = ({ upload }: { readonly upload: Upload }) => (
  <dl class="facts">
    <Fact label={labels.file}>
      <FileNames chosen={useFileName(upload)} stored={upload.filename} />
    </Fact>
    <Fact label={labels.status}>
      <UploadBadge upload={upload} />
    </Fact>
    {COUNTS.map((name) => (
      <Fact key={name} label={labelOf(name, upload)}>
        {uploads.number(upload[name])}
      </Fact>
    ))}
    <Fact label={labels.source}>
      <QuotedText text={upload.source} />
    </Fact>
    <Fact label={labels.begun}>{timeIn(ownZone(), upload.created_time)}</Fact>
    <Fact label={labels.finished}>{upload.finished_time === null ? texts.none : timeIn(ownZone(), upload.finished_time)}</Fact>
    <Fact label={labels.rate}>{upload.rate === null ? texts.none : uploads.number(upload.rate)}</Fact>
  </dl>
)

/** Only the tab that has sent the file knows that it has arrived. */
const Waiting = ({ isSent }: { readonly isSent: boolean }) =>
  isSent ? (
    <p>
      <progress aria-label={uploads.isSent} /> {uploads.isSentAbout}
    </p>
  ) : (
    <p class="note">
      {uploads.notArrived} <a href="#/uploads">{uploads.chooseAgain}</a>
    </p>
  )

const State = ({ upload, isSent }: { readonly upload: Upload; readonly isSent: boolean }) => (
  <section aria-label={labels.status}>
    {upload.status === 'waiting' && <Waiting isSent={isSent} />}
    {upload.status === 'processing' && (
      <p>
        <progress aria-label={uploads.progress} /> {uploads.statuses[upload.status]}. {uploads.rowsSoFar(upload.rows)}
      </p>
    )}
    {upload.error !== null && (
      <div class={upload.status === 'failed' ? 'note failure' : 'note'}>
        <p>
          <QuotedText text={upload.error} most={3000} />
        </p>
      </div>
    )}
    {hasNoRows(upload) && <p class="note failure">{uploads.noRows}</p>}
    <Facts upload={upload} />
    {upload.dry_run && !isInProgress(upload) && <p class="note">{uploads.dryRunDone}</p>}
    {Object.entries(upload.warnings ?? {}).map(([code, rows]) => (
      <p key={code}>{uploads.warned(WARNINGS.get(code) ?? texts.create.warning(code, '', ''), rows, upload.warning_lines?.[code] ?? [])}</p>
    ))}
    <SendChecked upload={upload} />
    {(isSent || upload.status !== 'waiting') && !isToCorrect(upload) && <a href="#/uploads">{uploads.another}</a>}
  </section>
)

/** Of a check: when the leads could be called that the file would create or change. */
const Calls = ({ upload: { preview, created, updated } }: { readonly upload: Upload }) =>
  preview === undefined || created + updated === 0 ? null : (
    <section aria-labelledby="calls">
      <h2 id="calls">{uploads.calls}</h2>
      <p class="hint">{preview === null ? uploads.callsUnknown : uploads.callsAbout}</p>
      {preview && <CallPreview calls={preview} />}
    </section>
  )

/** One file: its progress, its counts, and its rejected rows. */
export const UploadView = ({ id }: { readonly id: string }) => {
  const wasInProgress = useRef(false)
  const isSent = useIsSent(id)
  const upload = useQuery(
    'upload',
    (client, signal) => client.request('GET /api/ingestion/uploads/{upload_id}/', { path: { upload_id: id }, signal }),
    (one) => (isSent && one.status === 'waiting' ? POLL_SOON : isInProgress(one) ? POLL_IN_PROGRESS : POLL_IDLE),
  )
  const { data } = upload
  useEffect(() => {
    if (!data) return
    if (wasInProgress.current && !isInProgress(data)) announce(endInWords(data))
    wasInProgress.current = isInProgress(data)
  }, [data])
  const report = data?.report_url ?? data?.rejected_url ?? null
  return (
    <>
      <Heading text={uploads.oneTitle} />
      <QueryNote query={upload} missing={uploads.missingUpload} />
      {data && <State upload={data} isSent={isSent} />}
      {data && <Calls upload={data} />}
      {data && report !== null && !isInProgress(data) && <UploadReport url={report} upload={data} />}
    </>
  )
}
