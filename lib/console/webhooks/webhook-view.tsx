import { useQuery } from '../hooks/use-query.ts'
import { pageIn } from '../page-in.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Heading } from '../parts/heading.tsx'
import { Pager } from '../parts/pager.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { Deliveries } from './deliveries.tsx'
import { triggersInWords } from './triggers-in-words.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { isDisabled, WebhookState } from './webhook-state.tsx'

const { webhooks } = texts

const POLL_EVERY = 10_000
const PAGE_SIZE = 20
/** As long as conditions may be. */
const MOST_OF_CONDITION = 2000

/** One subscription, with what was sent to its destination. */
export const WebhookView = ({ id, query }: { readonly id: number; readonly query: URLSearchParams }) => {
  const path = { id }
  const page = pageIn(query)
  const webhook = useQuery('webhook', (client, signal) => client.request('GET /api/webhooks/{id}/', { path, signal }), POLL_EVERY)
  const deliveries = useQuery(
    'deliveries',
    (client, signal) => client.request('GET /api/webhooks/{id}/deliveries/', { path, query: { page_size: PAGE_SIZE, ...page }, signal }),
    POLL_EVERY,
  )
  const reload = (): void => {
    webhook.reload()
    deliveries.reload()
  }
  const { data, failure } = webhook
  return (
    <>
      <Heading text={webhooks.one(id)} />
      <FailureNote failure={failure} missing={webhooks.missing} onRetry={reload} />
      {failure === undefined && data === undefined && <p>{texts.loading}</p>}
      {failure === undefined && data && (
        <>
          <section aria-labelledby="facts">
            <h2 id="facts">{webhooks.facts}</h2>
            <dl class="facts">
              <div>
                <dt>{webhooks.url}</dt>
                <dd>
                  {data.method} <QuotedText text={data.url} />
                </dd>
              </div>
              <div>
                <dt>{webhooks.state}</dt>
                <dd>
                  <WebhookState of={data} />
                </dd>
              </div>
              <div>
                <dt>{webhooks.triggers}</dt>
                <dd>{triggersInWords(data.trigger)}</dd>
              </div>
              <div>
                <dt>{webhooks.condition}</dt>
                <dd>
                  {data.filter_condition === '' ? (
                    webhooks.noCondition
                  ) : (
                    <code>
                      <QuotedText text={data.filter_condition} most={MOST_OF_CONDITION} />
                    </code>
                  )}
                </dd>
              </div>
            </dl>
            <WebhookActions webhook={data} onDone={reload} />
          </section>
          <Deliveries webhook={id} isHeld={isDisabled(data)} deliveries={deliveries} onDone={deliveries.reload} />
          {deliveries.data && <Pager page={deliveries.data} at={`webhooks/${id}`} query={query} />}
        </>
      )}
    </>
  )
}
