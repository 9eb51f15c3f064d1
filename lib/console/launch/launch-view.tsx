import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { useQuery } from '../hooks/use-query.ts'
import { LeadTypeField } from '../leads/lead-type-field.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { open } from '../route.ts'
import { texts } from '../texts.ts'
import { CallPreview } from './call-preview.tsx'

const POLL_EVERY = 60_000

const { launch } = texts

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
      <p>{lookedAt < leads ? launch.lookedAt(lookedAt, leads) : launch.all(leads)}</p>
      <CallPreview calls={data} />
    </section>
  )
}

/** How many leads of a lead type would be called when, and how many are skipped and why. */
export const LaunchView = ({ id }: { readonly id: number | undefined }) => (
  <>
    <Heading text={launch.title} />
    <p>{launch.about}</p>
    <div class="narrow">
      <LeadTypeField types={useLeadTypes()} value={`${id ?? ''}`} empty={launch.choose} onChange={(type) => open(`launch/${type}`)} />
    </div>
    {id !== undefined && <LeadTypePreview key={id} id={id} />}
  </>
)
