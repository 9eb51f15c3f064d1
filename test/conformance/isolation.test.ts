import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Route, routes } from '#lib/routes.ts'
import { type Json, type Service, startService } from '#test/support/service.ts'
import { HONOLULU } from './rows.ts'

let service: Service
beforeAll(async () => {
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(() => service?.end())

let lastPhone = 0
const newPhone = () => `+1202555${`${++lastPhone}`.padStart(4, '0')}`

const createLead = async (fields: Record<string, unknown> = {}) => {
  const { status, body } = await service.call('POST', '/api/leads/', { phone_number: newPhone(), timezone: HONOLULU, ...fields })
  expect(status).toBe(201)
  return body
}

const createTask = async () => {
  const { body } = await service.call('PATCH', '/api/leads/bulk-update/', { leads: [{ id: (await createLead()).id, lead_source: 'a' }] })
  return `${(body['results'] as { task_id: string }[])[0]!.task_id}`
}

const createSubscription = async (url = 'https://example.com/hook') =>
  (await service.call('POST', '/api/webhooks/', { url, trigger: ['LEAD_CREATED'] })).body

const createUpload = async () => {
  const { status, body } = await service.call('POST', '/api/ingestion/upload/', { source: service.uploadSource, filename: 'leads.csv' })
  expect(status).toBe(200)
  return `${body['upload_id']}`
}

const dialledCall = async () => {
  const lead = await createLead({ timezone: 'America/New_York' })
  return `${lead.id}-1`
}

interface Fixture {
  /** Path parameters of something of the first user, separated by spaces. */
  readonly own: () => Promise<string>
  /** Path parameters of something that does not exist. */
  readonly missing: string
  /** Expected status. Default: 404. */
  readonly status?: number
  /** Bodies that would change something of the caller's own. Default: none. */
  readonly bodies?: readonly unknown[]
}

const AN_ID = '2000000000'
const A_UUID = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'
const ANY_BODY = [undefined, {}, [], '{', { email: 'x' }]

const sentTest = async () => {
  const { id } = await createSubscription()
  const { body } = await service.call('POST', `/api/webhooks/${id}/test/`)
  return `${id} ${body['delivery_id']}`
}

/** By the start of a path, up to its parameter. All longer paths share the fixture. */
const FIXTURES: Readonly<Record<string, Fixture>> = {
  '/api/leads/{id}/': {
    own: async () => `${(await createLead()).id}`,
    missing: AN_ID,
    bodies: [
      { lead_source: 'a' },
      { status: 'CANCELLED' },
      { call_dnc: true },
      { phone_number: '+12025559999', email: 'a@example.com' },
      { metadata: { a: 1 } },
      { lead_type: 2_000_000_000 },
      { call_time: '2026-11-21T20:00:00Z' },
      { call_time: 'x' },
    ],
  },
  '/api/users/{id}/': {
    own: async () => `${service.userId}`,
    missing: AN_ID,
    status: 403,
    bodies: [{ only_existing_leads: true }, { only_existing_leads: 'x' }],
  },
  '/api/webhooks/{id}/deliveries/{delivery_id}/': { own: sentTest, missing: `${AN_ID} ${AN_ID}-0-1-test` },
  '/api/webhooks/{id}/': { own: async () => `${(await createSubscription()).id}`, missing: AN_ID },
  '/api/lead-types/{id}/': { own: async () => `${service.leadTypeId}`, missing: AN_ID },
  '/api/ingest-lead/{id}/': {
    own: async () => service.ingestId,
    missing: A_UUID,
    bodies: [{ ref: 'a', contact: { phone: '+12025559996' } }, { contact: { phone: 'x' } }],
  },
  '/api/ingestion/uploads/{upload_id}/': { own: createUpload, missing: A_UUID },
  '/api/tasks/{task_id}/': { own: createTask, missing: A_UUID },
  '/api/agents/calls/{call_id}/': {
    own: dialledCall,
    missing: '2000000000-1',
    status: 401,
    bodies: [{ type: 'call.ended' }, { start_time: '2030-01-15T16:00:00Z' }],
  },
  '/api/agents/platforms/{agent}/tools/': { own: async () => 'simulator do_not_call', missing: 'nobody do_not_call', status: 401 },
  // An agent is the operator's. Whether it exists is for nobody else to know.
  '/api/agents/platforms/{agent}/': { own: async () => 'simulator', missing: 'nobody', status: 401 },
}

/** Paths whose parameter names nothing that belongs to a user. */
const NOBODYS = ['/api/docs/{file}/', '/console/{file}/']

const withParameter: readonly Route[] = routes.filter(({ path }) => path.includes('{'))
const fixtureFor = ({ path }: Route) => Object.entries(FIXTURES).find(([prefix]) => path.startsWith(prefix))?.[1]
const owned = withParameter.filter((route) => !NOBODYS.includes(route.path))

const NOT_THE_SERVICES = ['date', 'connection', 'keep-alive', 'content-length', 'x-request-id', 'x-amzn-requestid']

/** The answer with its ids replaced, so that two answers can be compared. */
const withoutIds = (answer: { status: number; headers: Headers; body: Json }, id: string) => ({
  status: answer.status,
  headers: [...answer.headers]
    .filter(([name]) => !NOT_THE_SERVICES.includes(name))
    .map(([name, value]) => [name, value.replaceAll(id, 'ID')]),
  body: JSON.stringify(answer.body)?.replaceAll(id, 'ID'),
})

const asOther = async (method: string, template: string, ids: string, body?: unknown) => {
  const parts = ids.split(' ')
  const path = template.replace(/\{\w+\}/g, () => parts.shift() ?? '')
  return withoutIds(await service.call(method, path, body, service.otherApiKey), ids)
}

describe('an item named by a path', () => {
  it.each(owned.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'the tests have an item of another user for the path of %s',
    (_name, route) => {
      expect(fixtureFor(route)).toBeDefined()
    },
  )

  it.each(owned.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'an item named by a path is answered as missing for another user: %s',
    async (_name, route) => {
      const { own, missing, status = 404, bodies = [] } = fixtureFor(route)!
      const id = await own()
      for (const body of route.method === 'GET' ? [undefined] : [...ANY_BODY, ...bodies]) {
        const [foreign, absent] = [
          await asOther(route.method, route.path, id, body),
          await asOther(route.method, route.path, missing, body),
        ]
        expect({ sent: body, ...foreign }).toEqual({ sent: body, ...absent })
        expect(foreign.status).toBe(status)
      }
    },
  )

  it.each([...new Set(owned.map(({ path }) => path))])(
    'an item named by a path is answered as missing for another user with every method: %s',
    async (path) => {
      const { own, missing } = Object.entries(FIXTURES).find(([prefix]) => path.startsWith(prefix))![1]
      const id = await own()
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
        expect(await asOther(method, path, id)).toEqual(await asOther(method, path, missing))
      }
    },
  )
})

describe('an item named by a body or a query', () => {
  const cases: readonly (readonly [method: string, path: string, body: (lead: Json) => unknown])[] = [
    ['PATCH', '/api/leads/bulk-update/', ({ id }) => ({ leads: [{ id, status: 'CANCELLED' }] })],
    ['PATCH', '/api/leads/bulk-update/', ({ id }) => ({ leads: [{ id, call_dnc: true }] })],
    ['PUT', '/api/leads/update/', ({ phone_number }) => ({ phone_number, status: 'CANCELLED' })],
    ['PATCH', '/api/leads/update/', ({ phone_number, email }) => ({ phone_number, email, call_dnc: true })],
    ['POST', '/api/leads/', ({ lead_type }) => ({ phone_number: '+12025559998', lead_type })],
    ['POST', '/api/calls/live/', ({ id }) => ({ lead_id: id, external_id: 'x' })],
    ['POST', '/api/calls/live/', ({ phone_number }) => ({ phone_number, external_id: 'x' })],
    ['POST', '/api/calls/live/', ({ id }) => ({ call_id: `${id}-1`, external_id: 'x' })],
    ['POST', '/api/webhooks/check-filter/', ({ id }) => ({ filter_condition: '', lead_id: id })],
    ['POST', '/api/leads/bulk-create/', ({ lead_type }) => ({ leads: [{ phone_number: '+12025559998', lead_type }] })],
  ]

  it.each(cases)(
    'an item named by a body or a query is answered as missing for another user and stays unchanged: %s %s',
    async (method, path, bodyFor) => {
      const lead = await createLead({ email: 'mine@example.com' })
      const missing = { ...lead, id: 2_000_000_000, phone_number: '+12025559997', lead_type: 2_000_000_000 }
      const answers = await Promise.all(
        [lead, missing].map(async (named) => {
          const answer = withoutIds(await service.call(method, path, bodyFor(named), service.otherApiKey), `${named.id}`)
          return {
            ...answer,
            body: answer.body?.replaceAll(`"${named['lead_type']}`, '"ID').replaceAll(`\\"${named['lead_type']}\\"`, '\\"ID\\"'),
          }
        }),
      )
      expect(answers[0]).toEqual(answers[1])
      expect((await service.call('GET', `/api/leads/${lead.id}/`)).body).toEqual(lead)
    },
  )

  it.each(['phone_number', 'email', 'external_id'])('an item is not found by another user who searches by %s', async (field) => {
    const lead = await createLead({ email: 'look@example.com', external_id: 'look-up' })
    const path = `/api/leads/?${field}=${encodeURIComponent(`${lead[field]}`)}`
    expect((await service.call('GET', path)).body['count']).toBeGreaterThan(0)
    expect((await service.call('GET', path, undefined, service.otherApiKey)).body).toMatchObject({ count: 0, results: [] })
  })
})

it('subscriptions of one user cannot be listed or deleted by another', async () => {
  const subscription = await createSubscription('https://mine.example/')
  const body = { url: 'https://mine.example/' }
  expect((await service.call('GET', '/api/webhooks/', undefined, service.otherApiKey)).body).toMatchObject({ count: 0, results: [] })
  expect((await service.call('POST', '/api/webhooks/delete-by-url/', body, service.otherApiKey)).body).toEqual({ deleted: 0 })
  expect((await service.call('GET', `/api/webhooks/${subscription.id}/`)).body).toMatchObject(subscription)
})

it('leads of one user cannot be listed by another', async () => {
  await createLead()
  for (const key of [service.otherApiKey, service.staffApiKey]) {
    expect((await service.call('GET', '/api/leads/', undefined, key)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
  }
})
