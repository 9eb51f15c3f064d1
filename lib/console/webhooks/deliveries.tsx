import type { Delivery, DeliveryPage } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useAction } from '../hooks/use-action.ts'
import type { Query } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'
import { Attempts } from './attempts.tsx'

const { deliveries: words } = texts

const KINDS: Readonly<Record<Delivery['status'], string>> = { pending: 'wait', delivered: 'good', failed: 'bad', disabled: '' }

interface DeliveriesProps {
  readonly webhook: number
  /** Whether the subscription is disabled, so that nothing can be sent. */
  readonly isHeld: boolean
  readonly onDone: () => void
}

const Row = ({ delivery, webhook, isHeld, onDone }: Omit<DeliveriesProps, 'deliveries'> & { readonly delivery: Delivery }) => {
  const { delivery_id, trigger, lead, status, attempts, next_attempt_time: next } = delivery
  const { run, isBusy, failure } = useAction(
    (client) => client.request('POST /api/webhooks/{id}/deliveries/{delivery_id}/resend/', { path: { id: webhook, delivery_id } }),
    () => {
      announce(words.resent)
      onDone()
    },
  )
  return (
    <tr>
      <th scope="row">
        {texts.triggers[trigger]}
        <span class="second">{lead === null ? words.test : <a href={`#/leads/${lead}`}>{words.lead(lead)}</a>}</span>
      </th>
      <td>
        <span class={`badge ${KINDS[status]}`}>{words.statuses[status]}</span>
        {next !== null && <span class="second">{words.next(timeIn(ownZone(), next))}</span>}
        {!isHeld && (
          <div class="buttons">
            <button type="button" aria-disabled={isBusy} aria-label={words.resendOne(texts.triggers[trigger])} onClick={() => void run()}>
              {words.resend}
            </button>
          </div>
        )}
        <FailureNote failure={failure} missing={words.missing} />
      </td>
      <td>
        <Attempts attempts={attempts} />
      </td>
    </tr>
  )
}

/** What was sent to the destination of a subscription, the latest event first. */
export const Deliveries = ({
  deliveries: { data, failure, isLoading, reload },
  ...rest
}: DeliveriesProps & { readonly deliveries: Query<DeliveryPage> }) => (
  <section aria-labelledby="deliveries" aria-busy={isLoading}>
    <h2 id="deliveries">{words.title}</h2>
    <FailureNote failure={failure} missing={words.noPage} onRetry={reload} />
    {failure === undefined && data === undefined && <p>{texts.loading}</p>}
    {data?.results.length === 0 && <p class="empty">{words.empty}</p>}
    {data && data.results.length > 0 && (
      <table>
        <caption>{words.count(data.count)}</caption>
        <thead>
          <tr>
            <th scope="col">{words.event}</th>
            <th scope="col">{words.result}</th>
            <th scope="col">{words.attempts}</th>
          </tr>
        </thead>
        <tbody>
          {data.results.map((delivery) => (
            <Row key={delivery.delivery_id} delivery={delivery} {...rest} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)
