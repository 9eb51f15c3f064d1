import { useQuery } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { open } from '../route.ts'
import { texts } from '../texts.ts'
import { CallPreview } from './call-preview.tsx'

const POLL_EVERY = 60_000

const { launch } = texts

const LeadTypes = ({ chosen }: { readonly chosen: number | undefined }) => {
  const { data, failure, reload } = useQuery('lead types', (client, signal) =>
    client.request('GET /api/lead-types/', { query: { page_size: 100 }, signal }),
  )
  return (
    <div class="field narrow">
      <label for="launch-type">{launch.leadType}</label>
      <select id="launch-type" value={`${chosen ?? ''}`} onChange={({ currentTarget: { value } }) => open(`launch/${value}`)}>
        <option value="" disabled>
          {launch.choose}
        </option>
        {data?.results.map(({ id, name }) => (
          <option key={id} value={`${id}`}>
            {name}
          </option>
        ))}
      </select>
      <FailureNote failure={failure} onRetry={reload} />
    </div>
  )
}

const LeadTypePreview = ({ id }: { readonly id: number }) => {
  const preview = useQuery(
    'preview',
    (client, signal) => client.request('GET /api/lead-types/{id}/preview/', { path: { id }, signal }),
    POLL_EVERY,
  )
  const { data, failure } = preview
  if (failure !== undefined || !data) return <QueryNote query={preview} missing={launch.noType} />
  const { leads, looked_at: lookedAt } = data
  if (leads === 0) return <p class="empty">{launch.empty}</p>
  return (
    <section aria-label={launch.preview}>
      <p>{lookedAt < leads ? launch.lookedAt(lookedAt, leads >= 1000 ? texts.leads.count(leads, true) : `${leads}`) : launch.all(leads)}</p>
      <CallPreview calls={data} />
    </section>
  )
}

/** How many leads of a lead type would be called when, and how many are skipped and why. */
export const LaunchView = ({ id }: { readonly id: number | undefined }) => (
  <>
    <Heading text={launch.title} />
    <p>{launch.about}</p>
    <LeadTypes chosen={id} />
    {id !== undefined && <LeadTypePreview key={id} id={id} />}
  </>
)
