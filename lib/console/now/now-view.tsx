import type { Activity } from '../../client/operations.ts'
import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { useQuery } from '../hooks/use-query.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { Fact } from '../parts/fact.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { texts } from '../texts.ts'
import { useFailing } from '../webhooks/use-failing.ts'
import { CallsNow } from './calls-now.tsx'
import { Holds } from './holds.tsx'
import { UploadsNow } from './uploads-now.tsx'
import { useZones } from './use-zones.ts'
import { WebhooksNow } from './webhooks-now.tsx'

const POLL_EVERY = 4000
const POLL_WEBHOOKS_EVERY = 60_000
/** Subscriptions that are read. */
const PAGE_SIZE = 100

const { now } = texts

const Figures = ({ activity: { lines, overdue, due_in_next_hour: nextHour } }: { readonly activity: Activity }) => (
  <section aria-label={now.figures}>
    <dl class="figures">
      <Fact label={now.lines}>
        {now.ofLines(lines.in_use, lines.limit)}
        <progress value={Math.min(lines.in_use, lines.limit)} max={Math.max(1, lines.limit)} aria-label={now.lines} />
      </Fact>
      <Fact label={now.overdue}>{now.counted(overdue)}</Fact>
      <Fact label={now.nextHour}>{now.counted(nextHour)}</Fact>
    </dl>
  </section>
)

interface NextLeadsProps {
  readonly leads: Activity['next_leads']
  readonly zones: ReadonlyMap<number, readonly string[]>
}

const NextLeads = ({ leads, zones }: NextLeadsProps) => (
  <section aria-labelledby="next-leads">
    <h2 id="next-leads">{now.nextLeads}</h2>
    {leads.length === 0 && <p class="empty">{now.noNextLeads}</p>}
    {leads.length > 0 && (
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.leads.lead}</th>
            <th scope="col">{texts.leads.nextCall}</th>
            <th scope="col">{now.attempt}</th>
          </tr>
        </thead>
        <tbody>
          {leads.map(({ lead, call_time: time, attempt }) => (
            <tr key={lead}>
              <th scope="row">
                <a href={`#/leads/${lead}`}>{texts.lead.title(`${lead}`)}</a>
              </th>
              <td>
                <BothTimes at={time} zones={zones.get(lead) ?? []} />
              </td>
              <td>{attempt}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)

/** What happens at this moment: calls, leads that come next, what holds leads back, webhooks, and files that are read. */
export const NowView = () => {
  const activity = useQuery('activity', (client, signal) => client.request('GET /api/users/me/activity/', { signal }), POLL_EVERY)
  const leadTypes = useLeadTypes()
  const webhooks = useQuery(
    'webhooks',
    (client, signal) => client.request('GET /api/webhooks/', { query: { page_size: PAGE_SIZE }, signal }),
    POLL_WEBHOOKS_EVERY,
  )
  const failing = useFailing(POLL_WEBHOOKS_EVERY)
  const { data, failure } = activity
  const zones = useZones(data ? [...data.next_leads, ...data.calls].map(({ lead }) => lead) : [])
  const reload = (): void => {
    for (const part of [activity, leadTypes, webhooks, failing]) part.reload()
  }
  return (
    <>
      <Heading text={now.title} />
      <QueryNote query={{ data, failure: failure ?? leadTypes.failure ?? webhooks.failure ?? failing.failure, reload }} />
      {failure === undefined && data && (
        <>
          <Figures activity={data} />
          <div class="columns">
            <div>
              <CallsNow activity={data} zones={zones} />
              {webhooks.data && <WebhooksNow webhooks={webhooks.data.results} failing={failing.data?.results ?? []} />}
              <UploadsNow />
            </div>
            <div>
              <Holds activity={data} leadTypes={leadTypes.data?.results ?? []} />
              <NextLeads leads={data.next_leads} zones={zones} />
            </div>
          </div>
        </>
      )}
    </>
  )
}
