import { useState } from 'preact/hooks'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { Delivery, DeliveryPage } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { type Query, useQuery } from '../hooks/use-query.ts'
import { pageIn } from '../page-in.ts'
import { Confirm } from '../parts/confirm.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { IgnoredFilters } from '../parts/ignored-filters.tsx'
import { FirstPage, Pager } from '../parts/pager.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { open } from '../route.ts'
import { serviceTime } from '../service-clock.ts'
import { texts } from '../texts.ts'
import { exactTimeIn, ownZone, timeIn } from '../times.ts'
import { Attempts } from './attempts.tsx'

const { deliveries: words } = texts

const KINDS: Readonly<Record<Delivery['status'], string>> = { pending: 'wait', delivered: 'good', failed: 'bad', disabled: '' }

const POLL_EVERY = 10_000
/** While an attempt is due. */
const POLL_SOON = 2000
const PAGE_SIZE = 20

interface Resending {
  readonly webhook: number
  /** Whether the subscription is disabled, so that nothing can be sent. */
  readonly isHeld: boolean
  readonly onDone: () => void
}

/** Whether an attempt is due now, as after a resend, and not in the list yet. If it takes a minute, the queue may stand still. */
const isSoon = ({ status, next_attempt_time: next }: Delivery): boolean => {
  const wait = next === null ? MINUTE : Date.parse(next) - serviceTime()
  return status === 'pending' && wait < POLL_SOON && wait > -MINUTE
}

/** Tells deliveries apart. The log of a delivery begins with its first attempt. */
const timeOf = ({ attempts: [first], next_attempt_time: next }: Delivery): string => {
  const time = first?.time ?? next
  return time === null ? words.noAttempt : exactTimeIn(ownZone(), time)
}

/** What follows on a resend whose attempt has failed. It counts as one more attempt, so the service waits longer before the next one. */
const resendInWords = ({ status, next_attempt_time: next }: Delivery): string | undefined => {
  if (status === 'pending' && next !== null) return words.resendFailed(timeIn(ownZone(), next))
  return status === 'failed' ? words.resendGivenUp : undefined
}

const Row = ({ delivery, webhook, isHeld, onDone }: Resending & { readonly delivery: Delivery }) => {
  const { delivery_id, trigger, lead, status, attempts, next_attempt_time: next } = delivery
  const [attemptsBefore, setAttemptsBefore] = useState<number>()
  const action = useConfirmed(
    (client, _: true) => client.request('POST /api/webhooks/{id}/deliveries/{delivery_id}/resend/', { path: { id: webhook, delivery_id } }),
    () => {
      announce(words.resent)
      setAttemptsBefore(attempts.length)
      onDone()
    },
  )
  const { asked, ask, run, isBusy, failure } = action
  const about = lead === null ? words.test : words.lead(lead)
  return (
    <tr>
      <th scope="row">
        {texts.triggers[trigger]}
        <span class="second">{lead === null ? about : <a href={`#/leads/${lead}`}>{about}</a>}</span>
      </th>
      <td>
        <span class={`badge ${KINDS[status]}`}>{words.statuses[status]}</span>
        {next !== null && <span class="second">{words.next(timeIn(ownZone(), next))}</span>}
        {attemptsBefore !== undefined && (
          <span class="second" role="status">
            {attempts.length > attemptsBefore && resendInWords(delivery)}
          </span>
        )}
        {!isHeld && (
          <div class="buttons">
            <button
              type="button"
              aria-disabled={isBusy}
              aria-label={words.resendOne(texts.triggers[trigger], about, timeOf(delivery))}
              onClick={() => (status === 'delivered' ? ask(true) : void run(true))}
            >
              {words.resend}
            </button>
          </div>
        )}
        {asked ? (
          <Confirm question={words.resendQuestion} about={words.resendAbout} verb={words.resend} of={action} missing={words.missing} />
        ) : (
          <FailureNote failure={failure} missing={words.missing} />
        )}
      </td>
      <td>
        <Attempts attempts={attempts} />
      </td>
    </tr>
  )
}

interface TableProps extends Resending {
  readonly page: DeliveryPage
}

const Table = ({ page: { count, results }, ...rest }: TableProps) => (
  <table>
    <caption>{words.count(count)}</caption>
    <thead>
      <tr>
        <th scope="col">{words.event}</th>
        <th scope="col">{words.result}</th>
        <th scope="col">{words.attempts}</th>
      </tr>
    </thead>
    <tbody>
      {results.map((delivery) => (
        <Row key={delivery.delivery_id} delivery={delivery} {...rest} />
      ))}
    </tbody>
  </table>
)

interface DeliveriesProps extends Omit<Resending, 'onDone'> {
  /** The query of the address: the page, and which deliveries. */
  readonly query: URLSearchParams
  /** Another one reads the deliveries again. */
  readonly version: number
}

/** One page of deliveries. Another page needs another key, so that no old answer stands in it. */
const Page = ({ query, version, ...rest }: DeliveriesProps) => {
  const isFailed = query.get('status') === 'failed'
  const cursor = query.get('cursor')
  const asked = {
    page_size: PAGE_SIZE,
    ...pageIn(query),
    ...(isFailed && { status: 'failed' as const }),
    ...(cursor !== null && { cursor }),
  }
  const list: Query<DeliveryPage> = useQuery(
    `${version}`,
    (client, signal) => client.request('GET /api/webhooks/{id}/deliveries/', { path: { id: rest.webhook }, query: asked, signal }),
    ({ results }) => (results.some(isSoon) ? POLL_SOON : POLL_EVERY),
  )
  const { data, reload } = list
  const place = { at: `webhooks/${rest.webhook}`, query, heading: 'deliveries' }
  return (
    <>
      <IgnoredFilters query={query} place={isFailed ? `${place.at}?status=failed` : place.at} />
      <QueryNote query={list} missing={words.noPage} wayOut={<FirstPage {...place} />} />
      {data?.results.length === 0 && <p class="empty">{isFailed ? words.noneFailed : words.empty}</p>}
      {data && data.results.length > 0 && <Table page={data} onDone={reload} {...rest} />}
      {data && <Pager page={data} {...place} />}
    </>
  )
}

/** What was sent to the destination of a subscription, the latest event first: everything, or only what was given up. */
export const Deliveries = (props: DeliveriesProps) => {
  const { webhook, query } = props
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries" tabIndex={-1}>
        {words.title}
      </h2>
      <div class="field narrow">
        <label for="delivery-status">{words.filter}</label>
        <select
          id="delivery-status"
          value={query.get('status') === 'failed' ? 'failed' : ''}
          onChange={({ currentTarget: { value } }) => open(value === '' ? `webhooks/${webhook}` : `webhooks/${webhook}?status=${value}`)}
        >
          <option value="">{words.all}</option>
          <option value="failed">{words.failed}</option>
        </select>
      </div>
      <Page key={`${query}`} {...props} />
    </section>
  )
}
