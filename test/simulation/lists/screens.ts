import { MOST_SHOWN } from '#shared/calling/rules/explain/activity.ts'
import { send } from '#test/support/api-event.ts'
import { NOW_REQUESTS } from '#test/support/console/now-requests.ts'
import { keyOf } from './measure.ts'

/** A request that a view of the console sends. */
interface Asked {
  readonly function: string
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  /** The body of a POST request. The others are GET requests. */
  readonly body?: Record<string, string>
}

/** The lead, upload and webhook that views show. */
interface Shown {
  readonly lead: string
  readonly upload: string
  readonly webhook: string
}

/** A day on which leads were created and changed. */
const DAY = '2026-01-01'

/** By view: its requests. */
const SCREENS: Readonly<Record<string, (shown: Shown) => readonly Asked[]>> = {
  now: ({ lead: id, webhook }) => [
    { function: 'users/activity' },
    // The time zones of the leads that come next.
    ...Array.from({ length: MOST_SHOWN }, () => ({ function: 'leads/retrieve', params: { id } })),
    { function: 'lead-types/list', query: { page_size: '100' } },
    { function: 'webhooks/list', query: { page_size: '100' } },
    { function: 'webhooks/list', query: { page_size: '100', status: 'failing' } },
    { function: 'webhooks/deliveries', params: { id: webhook }, query: { page_size: '20' } },
    { function: 'ingestion/list-uploads', query: { page_size: '100' } },
  ],
  leads: () => [{ function: 'leads/list', query: { page_size: '25' } }],
  'leads of a status': () => [{ function: 'leads/list', query: { page_size: '25', status: 'OPEN' } }],
  'leads that were created on a day': () => [
    { function: 'leads/list', query: { page_size: '25', created_time_after: DAY, created_time_before: `${DAY}T23:59:59.999Z` } },
  ],
  'leads that changed on a day': () => [
    { function: 'leads/list', query: { page_size: '25', modified_time_after: DAY, modified_time_before: `${DAY}T23:59:59.999Z` } },
  ],
  'a lead': ({ lead: id }) => [
    { function: 'leads/retrieve', params: { id } },
    { function: 'leads/explain', params: { id } },
    { function: 'leads/calling-times', params: { id } },
    { function: 'leads/calls', params: { id }, query: { page_size: '20' } },
    { function: 'dnc/retrieve', query: { phone_number: '+12125550199', history: 'true' } },
    { function: 'consents/list', query: { phone_number: '+12125550199', page_size: '20' } },
  ],
  'before launch': () => [
    { function: 'lead-types/list', query: { page_size: '100' } },
    { function: 'lead-types/preview', params: { id: '4' } },
  ],
  calls: () => [{ function: 'statistics/retrieve' }, { function: 'lead-types/list', query: { page_size: '100' } }],
  'calls of a lead type and source': () => [{ function: 'statistics/retrieve', query: { lead_type: '4', lead_source: 'Partner' } }],
  'calls of 92 days': () => [{ function: 'statistics/retrieve', query: { from: '2026-08-21', to: '2026-11-20' } }],
  map: () => [{ function: 'calling-hours/retrieve' }],
  uploads: () => [
    { function: 'ingestion/list-uploads', query: { page_size: '25' } },
    { function: 'sources/list', query: { page_size: '100' } },
  ],
  'an upload': ({ upload: upload_id }) => [{ function: 'ingestion/retrieve-upload', params: { upload_id } }],
  webhooks: () => [{ function: 'webhooks/list', query: { page_size: '25' } }],
  'a webhook': ({ webhook: id }) => [
    { function: 'webhooks/retrieve', params: { id } },
    { function: 'webhooks/deliveries', params: { id }, query: { page_size: '20' } },
  ],
  'failed deliveries of a webhook': ({ webhook: id }) => [
    { function: 'webhooks/deliveries', params: { id }, query: { page_size: '20', status: 'failed' } },
  ],
  stops: () => [{ function: 'users/me' }, { function: 'dnc/retrieve', query: { phone_number: '+12125550199' } }],
  users: () => [{ function: 'users/list', query: { page_size: '25' } }],
}

const NOW_MINUTE = 'a minute of the open view now'

/** By view. Of 1,000 leads, few have one status and type. */
const MORE: Readonly<Record<string, number>> = {
  /** The count goes up to 1,000. */
  'leads of a status': 50,
  'failed deliveries of a webhook': 50,
  /** Each list of due leads has the 100 leads that are read of it at most. */
  ...{ now: 10, [NOW_MINUTE]: 60 },
  /** A search in the order of creation. */
  'leads that were created on a day': 50,
  /** An item of the statistics grows until it has each hour with each outcome. */
  ...{ calls: 30, 'calls of a lead type and source': 30, 'calls of 92 days': 30 },
  /** The preview looks at 200 leads. */
  'before launch': 500,
}

/** Read units that a view may take with many leads besides those with 1,000. */
export const mostMoreOf = (screen: string): number => MORE[screen] ?? 5

/** How often an open view Now sends each of its requests in two minutes, at most, besides those for deliveries. */
const NOW_IN_TWO_MINUTES: Readonly<Record<string, number>> = {
  'users/activity': NOW_REQUESTS['/api/users/me/activity/'],
  'users/me': NOW_REQUESTS['/api/users/me/'],
  'webhooks/list': NOW_REQUESTS['/api/webhooks/'],
  'ingestion/list-uploads': NOW_REQUESTS['/api/ingestion/uploads/'],
}

/** The read units of each view of the console when it opens, and of a minute of an open view Now. */
export const measureScreens = async (owner: number, lead: number, webhook: number): Promise<ReadonlyMap<string, number>> => {
  const { consumedUnits: consumed } = await import('#shared/platform/table/consumed-units.ts')
  const headers = { Authorization: `Token ${keyOf(owner)}` }
  const ask = async ({ function: name, params, query, body }: Asked) => {
    const { handler } = await import(`../../../functions/${name}.ts`)
    const method = body === undefined ? 'GET' : 'POST'
    const { status, json } = await send(handler, {
      method,
      path: `/api/${name}/`,
      params: params ?? null,
      query: query ?? null,
      body,
      headers,
    })
    if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(json)}`)
    return json
  }
  const upload = await ask({ function: 'ingestion/upload', body: { source: 'Partner', filename: 'leads.csv' } })
  const shown: Shown = { lead: `${lead}`, upload: upload.upload_id, webhook: `${webhook}` }
  const open = async (requests: readonly Asked[]): Promise<number> => {
    const before = consumed.read
    for (const request of requests) await ask(request)
    return consumed.read - before
  }
  const units = new Map<string, number>()
  // Functions read the key and the user only now and then: the cheaper of two times is the cost of the view.
  for (const [name, requestsOf] of Object.entries(SCREENS)) {
    const requests = requestsOf(shown)
    units.set(name, Math.min(await open(requests), await open(requests)))
  }
  let inTwoMinutes = 0
  for (const [name, times] of Object.entries(NOW_IN_TWO_MINUTES)) {
    const request = [{ function: name }]
    inTwoMinutes += times * Math.min(await open(request), await open(request))
  }
  units.set(NOW_MINUTE, inTwoMinutes / 2)
  return units
}
