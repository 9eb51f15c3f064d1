import { send } from '#test/support/api-event.ts'
import { keyOf } from './measure.ts'

/** A request that a view of the console sends. */
interface Asked {
  readonly function: string
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
}

/** By view: its requests, about a user with this lead. */
const SCREENS: Readonly<Record<string, (lead: string) => readonly Asked[]>> = {
  now: () => [{ function: 'users/activity' }, { function: 'lead-types/list' }, { function: 'webhooks/list' }],
  leads: () => [{ function: 'leads/list', query: { page_size: '25' } }],
  'leads of a status': () => [{ function: 'leads/list', query: { page_size: '25', status: 'OPEN' } }],
  'a lead': (id) => [
    { function: 'leads/retrieve', params: { id } },
    { function: 'leads/explain', params: { id } },
    { function: 'leads/calling-times', params: { id } },
    { function: 'leads/calls', params: { id }, query: { page_size: '20' } },
  ],
  'before launch': () => [{ function: 'lead-types/list' }, { function: 'lead-types/preview', params: { id: '4' } }],
  calls: () => [{ function: 'statistics/retrieve' }, { function: 'lead-types/list' }],
  map: () => [{ function: 'calling-hours/retrieve' }],
  uploads: () => [{ function: 'ingestion/list-uploads' }, { function: 'sources/list' }],
  webhooks: () => [{ function: 'webhooks/list' }],
  stops: () => [{ function: 'users/me' }, { function: 'dnc/retrieve', query: { phone_number: '+12125550199' } }],
}

/** Read units that a view may take with many leads besides those with 1,000, of which few have one status and type. */
const MORE: Readonly<Record<string, number>> = {
  /** The count goes up to 1,000. */
  'leads of a status': 50,
  /** The preview looks at 200 leads. */
  'before launch': 500,
}

export const mostMoreOf = (screen: string): number => MORE[screen] ?? 5

/** The read units of each view of the console when it opens. */
export const measureScreens = async (owner: number, lead: number): Promise<ReadonlyMap<string, number>> => {
  const { consumedUnits: consumed } = await import('#shared/platform/table/consumed-units.ts')
  const headers = { Authorization: `Token ${keyOf(owner)}` }
  const ask = async ({ function: name, params, query }: Asked): Promise<void> => {
    const { handler } = await import(`../../../functions/${name}.ts`)
    const { status } = await send(handler, { method: 'GET', path: `/api/${name}/`, params: params ?? null, query: query ?? null, headers })
    if (status !== 200) throw new Error(`${name} answered ${status}`)
  }
  const open = async (requests: readonly Asked[]): Promise<number> => {
    const before = consumed.read
    for (const request of requests) await ask(request)
    return consumed.read - before
  }
  const units = new Map<string, number>()
  // Functions read the key and the user only now and then: the cheaper of two times is the cost of the view.
  for (const [name, requestsOf] of Object.entries(SCREENS)) {
    const requests = requestsOf(`${lead}`)
    units.set(name, Math.min(await open(requests), await open(requests)))
  }
  return units
}
