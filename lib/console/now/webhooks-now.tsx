import type { Subscription } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { isDisabled } from '../webhooks/webhook-state.tsx'

const { now } = texts

const POLL_EVERY = 120_000
/** The latest deliveries of a subscription. */
const LOOKED_AT = 20
/** Subscriptions whose deliveries are read. They bound the requests of an open view. */
const MOST_READ = 5

/** How many of the latest deliveries of a subscription did not arrive, or not yet. The view of the subscription uses the same words. */
const Arrival = ({ id }: { readonly id: number }) => {
  const { data, failure, reload } = useQuery(
    'deliveries',
    (client, signal) => client.request('GET /api/webhooks/{id}/deliveries/', { path: { id }, query: { page_size: LOOKED_AT }, signal }),
    POLL_EVERY,
  )
  if (failure !== undefined) return <FailureNote failure={failure} missing={texts.webhooks.missing} onRetry={reload} />
  if (!data) return <span class="second">{texts.loading}</span>
  const { results } = data
  if (results.length === 0) return <span class="second">{now.noDeliveries}</span>
  const missing = results.filter(({ status }) => status !== 'delivered')
  const failing = missing.filter(({ status }) => status !== 'pending').length
  const waiting = missing.filter(({ status, attempts }) => status === 'pending' && attempts.length > 0).length
  if (failing + waiting > 0)
    return (
      <span class="badges">
        {failing > 0 && <span class="badge bad">{now.failing(failing, results.length)}</span>}
        {waiting > 0 && <span class="badge bad">{now.waiting(waiting, results.length)}</span>}
      </span>
    )
  if (missing.length > 0) return <span class="badge wait">{texts.deliveries.statuses.pending}</span>
  return <span class="badge good">{now.arriving}</span>
}

/** How a subscription stands. Without `isRead`, it is known to fail, and its deliveries are not read. */
const Standing = ({ of, isRead }: { readonly of: Subscription; readonly isRead: boolean }) => {
  if (isDisabled(of)) return <span class="badge bad">{texts.webhooks.disabled}</span>
  return isRead ? <Arrival id={of.id} /> : <span class="badge bad">{now.noneArrives}</span>
}

interface WebhooksNowProps {
  readonly webhooks: readonly Subscription[]
  /** The subscriptions among them whose deliveries fail. */
  readonly failing: readonly Subscription[]
}

/** Whether events arrive at their destinations. Shows every subscription with a problem, and some of the others. */
export const WebhooksNow = ({ webhooks, failing }: WebhooksNowProps) => {
  const failingIds = new Set(failing.map(({ id }) => id))
  const urgency = (one: Subscription): number => (isDisabled(one) ? 2 : Number(failingIds.has(one.id)))
  const urgent = webhooks.filter((one) => urgency(one) > 0).length
  const shown = webhooks.toSorted((one, other) => urgency(other) - urgency(one)).slice(0, Math.max(urgent, MOST_READ))
  const disabled = webhooks.filter(isDisabled).length
  return (
    <section aria-labelledby="webhooks-now">
      <h2 id="webhooks-now">{texts.shell.webhooks}</h2>
      {shown.length === 0 && <p class="empty">{now.noWebhooks}</p>}
      {disabled > 0 && <p>{now.disabledWebhooks(disabled)}</p>}
      {shown.length > 0 && (
        <table>
          {webhooks.length > shown.length && <caption>{now.someWebhooks(shown.length, webhooks.length)}</caption>}
          <thead>
            <tr>
              <th scope="col">{texts.webhooks.destination}</th>
              <th scope="col">{now.deliveries}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one, place) => (
              <tr key={one.id}>
                <th scope="row">
                  <a href={`#/webhooks/${one.id}`}>
                    <QuotedText text={one.url} />
                  </a>
                </th>
                <td>
                  <Standing of={one} isRead={place < MOST_READ} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
