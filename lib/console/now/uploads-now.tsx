import { useQuery } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { texts } from '../texts.ts'
import { FileName } from '../uploads/file-name.tsx'
import { isInProgress, UploadBadge } from '../uploads/upload-badge.tsx'

const { now, uploads } = texts

const POLL_IN_PROGRESS = 10_000
const POLL_IDLE = 60_000
/** The newest files: as many as a page can have. A large file may be read for hours while newer ones are done. */
const LOOKED_AT = 100

/** The files that the service is reading, or will read once they have arrived. */
export const UploadsNow = () => {
  const { data, failure, reload } = useQuery(
    'uploads',
    (client, signal) => client.request('GET /api/ingestion/uploads/', { query: { page_size: LOOKED_AT }, signal }),
    ({ results }) => (results.some(isInProgress) ? POLL_IN_PROGRESS : POLL_IDLE),
  )
  const running = data?.results.filter(isInProgress) ?? []
  return (
    <section aria-labelledby="uploads-now">
      <h2 id="uploads-now">{now.uploads}</h2>
      <FailureNote failure={failure} onRetry={reload} />
      {data && running.length === 0 && <p class="empty">{now.noUploads}</p>}
      {running.length > 0 && (
        <ul class="plain">
          {running.map((upload) => (
            <li key={upload.upload_id}>
              <a href={`#/uploads/${upload.upload_id}`}>
                <FileName upload={upload} />
              </a>{' '}
              <UploadBadge upload={upload} /> {uploads.rowsSoFar(upload.rows)}
            </li>
          ))}
        </ul>
      )}
      {data && data.count > LOOKED_AT && <p class="hint">{now.someUploads(LOOKED_AT)}</p>}
    </section>
  )
}
