import type { Subscription, SubscriptionPage } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { pageIn } from '../page-in.ts'
import { Heading } from '../parts/heading.tsx'
import { IgnoredFilters } from '../parts/ignored-filters.tsx'
import { FirstPage, Pager } from '../parts/pager.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { triggersInWords } from './triggers-in-words.ts'
import { useFailing } from './use-failing.ts'
import { WebhookState } from './webhook-state.tsx'

const { webhooks } = texts

const POLL_EVERY = 10_000
const PAGE_SIZE = 25

const Row = ({ one, isFailing }: { readonly one: Subscription; readonly isFailing: boolean }) => (
  <tr>
    <th scope="row">
      <a href={`#/webhooks/${one.id}`}>
        <QuotedText text={one.url} />
      </a>
      <span class="second">{triggersInWords(one.trigger)}</span>
    </th>
    <td>
      {one.filter_condition === '' ? (
        <span class="second">{webhooks.noCondition}</span>
      ) : (
        <code>
          <QuotedText text={one.filter_condition} />
        </code>
      )}
    </td>
    <td>
      <WebhookState of={one} isFailing={isFailing} />
    </td>
  </tr>
)

interface TableProps {
  readonly page: SubscriptionPage
  /** Ids of the subscriptions whose deliveries do not arrive. */
  readonly failing: ReadonlySet<number>
}

const Table = ({ page: { count, results }, failing }: TableProps) => (
  <table>
    <caption>{webhooks.count(count)}</caption>
    <thead>
      <tr>
        <th scope="col">{webhooks.destination}</th>
        <th scope="col">{webhooks.condition}</th>
        <th scope="col">{webhooks.state}</th>
      </tr>
    </thead>
    <tbody>
      {results.map((one) => (
        <Row key={one.id} one={one} isFailing={failing.has(one.id)} />
      ))}
    </tbody>
  </table>
)

/** The subscriptions of the user. */
export const WebhooksView = ({ query }: { readonly query: URLSearchParams }) => {
  const page = pageIn(query)
  const list = useQuery(
    'list',
    (client, signal) => client.request('GET /api/webhooks/', { query: { page_size: PAGE_SIZE, ...page }, signal }),
    POLL_EVERY,
  )
  const failing = useFailing(POLL_EVERY)
  const { data, isLoading } = list
  return (
    <>
      <Heading text={webhooks.title} />
      <p>
        <a href="#/webhooks/new">{webhooks.create}</a> · <a href="#/webhooks/filter">{texts.filter.title}</a>
      </p>
      <section aria-label={webhooks.list} aria-busy={isLoading}>
        <IgnoredFilters query={query} place="webhooks" />
        <QueryNote query={list} missing={webhooks.noPage} wayOut={<FirstPage at="webhooks" query={query} />} />
        {data && data.results.length > 0 && <Table page={data} failing={new Set(failing.data?.results.map(({ id }) => id))} />}
        {data?.results.length === 0 && (
          <p class="empty">
            {webhooks.empty} <a href="#/webhooks/new">{webhooks.create}</a>
          </p>
        )}
      </section>
      {data && <Pager page={data} at="webhooks" query={query} />}
    </>
  )
}
