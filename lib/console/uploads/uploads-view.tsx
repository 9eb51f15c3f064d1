import type { Upload, UploadPage } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { pageIn } from '../page-in.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Heading } from '../parts/heading.tsx'
import { IgnoredFilters } from '../parts/ignored-filters.tsx'
import { FirstPage, Pager } from '../parts/pager.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'
import { FileName } from './file-name.tsx'
import { SendFile } from './send-file.tsx'
import { isInProgress, UploadBadge } from './upload-badge.tsx'

const { uploads } = texts

const PAGE_SIZE = 25
const POLL_IN_PROGRESS = 4000
const POLL_IDLE = 60_000

const Row = ({ upload }: { readonly upload: Upload }) => (
  <tr>
    <th scope="row">
      <a href={`#/uploads/${upload.upload_id}`}>
        <FileName upload={upload} />
      </a>
      <span class="second">
        {uploads.source}: <QuotedText text={upload.source} />
      </span>
    </th>
    <td>
      <UploadBadge upload={upload} />
    </td>
    <td>
      {uploads.number(upload.rows)}
      {upload.rejected > 0 && (
        <span class="second">
          {uploads.labels.rejected}: {uploads.number(upload.rejected)}
        </span>
      )}
    </td>
    <td>{timeIn(ownZone(), upload.created_time)}</td>
  </tr>
)

const Table = ({ page: { count, results } }: { readonly page: UploadPage }) => (
  <table>
    <caption>{uploads.count(count)}</caption>
    <thead>
      <tr>
        <th scope="col">{uploads.file}</th>
        <th scope="col">{uploads.labels.status}</th>
        <th scope="col">{uploads.labels.rows}</th>
        <th scope="col">{uploads.labels.begun}</th>
      </tr>
    </thead>
    <tbody>
      {results.map((upload) => (
        <Row key={upload.upload_id} upload={upload} />
      ))}
    </tbody>
  </table>
)

/** One page of uploads. Another page needs another key, so that no old answer stands below it. */
const UploadList = ({ query }: { readonly query: URLSearchParams }) => {
  const asked = { page_size: PAGE_SIZE, ...pageIn(query) }
  const list = useQuery(
    'uploads',
    (client, signal) => client.request('GET /api/ingestion/uploads/', { query: asked, signal }),
    ({ results }) => (results.some(isInProgress) ? POLL_IN_PROGRESS : POLL_IDLE),
  )
  const { data, isLoading } = list
  const place = { at: 'uploads', query, heading: 'uploads' }
  return (
    <div aria-busy={isLoading}>
      <QueryNote query={list} missing={uploads.noPage} wayOut={<FirstPage {...place} />} />
      {data && data.results.length > 0 && <Table page={data} />}
      {data?.results.length === 0 && <p class="empty">{uploads.empty}</p>}
      {data && <Pager page={data} {...place} />}
    </div>
  )
}

/** Sends files, and lists those that were sent. */
export const UploadsView = ({ query }: { readonly query: URLSearchParams }) => {
  const { data, failure, reload } = useQuery('sources', (client, signal) =>
    client.request('GET /api/sources/', { query: { page_size: 100 }, signal }),
  )
  const [first, ...others] = data?.results ?? []
  return (
    <>
      <Heading text={uploads.title} />
      <p>{uploads.about}</p>
      <FailureNote failure={failure} onRetry={reload} />
      {data && data.count > data.results.length && <p class="hint">{uploads.someSources(data.results.length)}</p>}
      {first && <SendFile sources={[first, ...others]} />}
      {data && !first && <p class="note">{uploads.noSources}</p>}
      <section aria-labelledby="uploads">
        <h2 id="uploads" tabIndex={-1}>
          {uploads.list}
        </h2>
        <IgnoredFilters query={query} place="uploads" />
        <UploadList key={query.get('page')} query={query} />
      </section>
    </>
  )
}
