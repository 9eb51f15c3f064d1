import { useQuery } from '../hooks/use-query.ts'

/** A user cannot have more subscriptions. */
const PAGE_SIZE = 100

/** The subscriptions that are enabled, and whose deliveries do not arrive. */
export const useFailing = (pollEvery: number) =>
  useQuery(
    'failing-webhooks',
    (client, signal) => client.request('GET /api/webhooks/', { query: { status: 'failing', page_size: PAGE_SIZE }, signal }),
    pollEvery,
  )
