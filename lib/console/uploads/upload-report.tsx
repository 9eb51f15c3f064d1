import type { Upload } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { type ReportRow, readReport } from './report-rows.ts'

const { uploads } = texts

const Row = ({ row: { line, column, value, message } }: { readonly row: ReportRow }) => (
  <tr>
    <th scope="row">{line}</th>
    <td>
      {column === '' ? <span class="second">{uploads.wholeRow}</span> : <QuotedText text={column} />}
      <span class="second">
        <QuotedText text={value} />
      </span>
    </td>
    <td>
      <QuotedText text={sentenceInWords(message)} />
    </td>
  </tr>
)

interface UploadReportProps {
  /** Signed URL of the report. Each answer of the API has a new one. */
  readonly url: string
  readonly upload: Pick<Upload, 'dry_run' | 'rejected'>
}

const Rejected = ({ url, isCheck }: Pick<UploadReportProps, 'url'> & { readonly isCheck: boolean }) => {
  const part = useQuery('report', (_, signal) => readReport(url, signal))
  const { data } = part
  return (
    <>
      <QueryNote query={part} missing={uploads.reportGone} />
      {data?.rows.length === 0 && <p class="empty">{uploads.noneRejected}</p>}
      {data && data.rows.length > 0 && (
        <>
          <p class="hint">
            {uploads.reportAbout} {!isCheck && uploads.reportAboutOthers}
          </p>
          <table>
            <caption>{uploads.reportShown(data.rows.length, data.isCut)}</caption>
            <thead>
              <tr>
                <th scope="col">{uploads.line}</th>
                <th scope="col">
                  {uploads.column}, {uploads.value}
                </th>
                <th scope="col">{uploads.message}</th>
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row, at) => (
                <Row key={`${at} ${row.line}`} row={row} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  )
}

/** The first rejected rows of a file, and the file with all of them. The report of a check has all rows. */
export const UploadReport = ({ url, upload: { dry_run, rejected } }: UploadReportProps) => (
  <section aria-labelledby="report">
    <h2 id="report">{rejected > 0 ? uploads.report : uploads.checkReport}</h2>
    <p>
      <a href={url} download="">
        {dry_run ? uploads.downloadAll : uploads.download}
      </a>
    </p>
    {rejected > 0 && <Rejected url={url} isCheck={dry_run === true} />}
  </section>
)
