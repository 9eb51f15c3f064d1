import { useQuery } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { MOST_REPORTED, type ReportRow, readReport } from './report-rows.ts'

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
      <QuotedText text={message} />
    </td>
  </tr>
)

interface UploadReportProps {
  /** Signed URL of the report. Each answer of the API has a new one. */
  readonly url: string
  readonly isDryRun: boolean
}

/** The first rejected rows of a file, and the file with all of them. */
export const UploadReport = ({ url, isDryRun }: UploadReportProps) => {
  const { data, failure, reload } = useQuery('report', (_, signal) => readReport(url, signal))
  return (
    <section aria-labelledby="report">
      <h2 id="report">{uploads.report}</h2>
      <FailureNote failure={failure} onRetry={reload} missing={uploads.reportGone} />
      <p>
        <a href={url} download="">
          {isDryRun ? uploads.downloadAll : uploads.download}
        </a>
      </p>
      {failure === undefined && data === undefined && <p>{texts.loading}</p>}
      {data?.length === 0 && <p class="empty">{uploads.noneRejected}</p>}
      {data && data.length > 0 && (
        <>
          <p class="hint">{uploads.reportAbout}</p>
          <table>
            <caption>{uploads.reportShown(data.length, data.length >= MOST_REPORTED)}</caption>
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
              {data.map((row, at) => (
                <Row key={`${at} ${row.line}`} row={row} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
