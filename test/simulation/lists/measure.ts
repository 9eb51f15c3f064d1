import type { Lead } from '#shared/leads/lead.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { LEAD_STATUSES } from '#shared/platform/values/values.ts'
import { seedLeads } from '#test/simulation/seed.ts'
import { send } from '#test/support/api-event.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'

const BEGAN = Date.parse('2026-01-01T00:00:00Z')
export const TYPES = [null, 4, 5] as const
export const SOURCES = ['Partner', 'Web form', 'Fair', ''] as const
export const USED = LEAD_STATUSES.slice(0, 5)

/** A lead was created each ten seconds, and changed within the next month. */
const GAP = 10_000

/** The statuses, types and times of leads change evenly, so that each filter finds leads everywhere in the list. Open leads are due soon. */
export const varied = (index: number): Partial<Lead> => {
  const status = USED[index % USED.length]!
  return {
    status,
    lead_type: TYPES[Math.floor(index / USED.length) % TYPES.length]!,
    lead_source: SOURCES[Math.floor(index / USED.length / TYPES.length) % SOURCES.length]!,
    created_time: BEGAN + index * GAP,
    modified_time: BEGAN + index * GAP + ((index * 7919) % (30 * DAY)),
    ...(isCallable(status) && { next_call_time: NOON + (index % 3600) * 1000, next_call_time_reason: 'FIRST_CALL', due_list: 'CALL' }),
  }
}

interface Varied {
  readonly owner: number
  readonly leads: number
  readonly progress?: (written: number) => void
}

/** Creates an owner with two lead types, a source and varied leads. @returns the id of an open lead */
export const seedVaried = async ({ owner, leads, progress = () => undefined }: Varied): Promise<number> => {
  const [{ saveUser }, { saveApiKey }, { saveLeadType }, { saveSource }] = await Promise.all([
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/api-key-store.ts'),
    import('#shared/accounts/lead-type-store.ts'),
    import('#shared/ingestion/source-store.ts'),
  ])
  await saveUser({ id: owner, name: 'Lists', is_staff: true, default_lead_type: 4, dnc_group: `${owner}`, lines: 1, webhook_secrets: [] })
  await saveApiKey(keyOf(owner), { user: owner, created_time: 0, revoked_time: null })
  for (const id of [4, 5]) await saveLeadType(sampleLeadType({ owner, id }))
  await saveSource({
    owner,
    name: 'Partner',
    lead_type: 4,
    mode: 'upsert',
    lookup_column: 'Phone',
    mapping: [{ to: 'phone_number', from: 'Phone' }],
  })
  const { firstId } = await seedLeads({ owner, leads, vary: varied, progress })
  return firstId + USED.findIndex(isCallable)
}

export const keyOf = (owner: number): string => `a-key-for-lists-${owner}`

const iso = (instant: number): string => new Date(instant).toISOString()

/** By name: the query of each combination that is measured, for a list of this many leads. */
export const LISTED: Readonly<Record<string, (leads: number) => Record<string, string>>> = {
  'status and lead_type': () => ({ status: 'OPEN', lead_type: '4' }),
  'status and lead_type, earliest change first': () => ({ status: 'OPEN', lead_type: '4', ordering: 'modified_time' }),
  'status, lead_type and modified_time': (leads) => ({
    ...{ status: 'OPEN', lead_type: '4' },
    modified_time_after: iso(BEGAN + (leads * GAP) / 4),
    modified_time_before: iso(BEGAN + (leads * GAP) / 2 + 30 * DAY),
  }),
  status: () => ({ status: 'OPEN' }),
  'three statuses': () => ({ status: 'OPEN,NEW,CLOSED' }),
  lead_type: () => ({ lead_type: '4' }),
  modified_time: (leads) => ({ modified_time_after: iso(BEGAN + (leads * GAP) / 4) }),
  'modified_time, earliest change first': (leads) => ({ modified_time_after: iso(BEGAN + (leads * GAP) / 4), ordering: 'modified_time' }),
  created_time_after: (leads) => ({ created_time_after: iso(BEGAN + (leads * GAP) / 3) }),
  'created_time, an hour in the middle': (leads) => ({
    created_time_after: iso(BEGAN + (leads * GAP) / 2),
    created_time_before: iso(BEGAN + (leads * GAP) / 2 + HOUR + MINUTE),
  }),
}

export interface FilterCost {
  readonly leads: number
  readonly count: number
  /** Read units of the first page. */
  readonly first: number
  /** The same, without the leads on the page. */
  readonly list: number
  /** Read units of the second page. Undefined: there is none. */
  readonly second: number | undefined
  readonly milliseconds: number
}

/** Measures the first two pages of each combination of filters. */
export const measureFilters = async (owner: number, leads: number, pageSize: number): Promise<ReadonlyMap<string, FilterCost>> => {
  const [{ handler }, { consumedUnits: consumed }, { getLeads }] = await Promise.all([
    import('#functions/leads/list.ts'),
    import('#shared/platform/table/consumed-units.ts'),
    import('#shared/leads/lead-store.ts'),
  ])
  const headers = { Authorization: `Token ${keyOf(owner)}` }
  const measure = async (query: Record<string, string>) => {
    const [before, started] = [consumed.read, performance.now()]
    const { json } = await send(handler, { method: 'GET', query, headers })
    return { json, read: consumed.read - before, milliseconds: Math.round(performance.now() - started) }
  }
  /** Functions read the key and the user only now and then: the cheaper of two requests is the cost of the list. */
  const cheaper = async (query: Record<string, string>) => {
    const [one, other] = [await measure(query), await measure(query)]
    return one.read < other.read ? one : other
  }
  const costs = new Map<string, FilterCost>()
  for (const [name, queryFor] of Object.entries(LISTED)) {
    const { json, read, milliseconds } = await cheaper({ ...queryFor(leads), page_size: `${pageSize}` })
    const ids: number[] = json.results.map(({ id }: { id: number }) => id)
    const before = consumed.read
    await getLeads(ids, { consistent: false })
    const alone = consumed.read - before
    const second = json.next === null ? undefined : await cheaper(Object.fromEntries(new URL(json.next).searchParams))
    costs.set(name, { leads: ids.length, count: json.count, first: read, list: read - alone, second: second?.read, milliseconds })
  }
  return costs
}
