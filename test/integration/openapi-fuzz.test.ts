import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import document from '#functions/docs/openapi.json' with { type: 'json' }
import { handler as createLead } from '#functions/leads/create.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { routes } from '#lib/routes.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import { PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { built } from '#test/support/built.ts'
import { newUrl } from '#test/support/ingestion.ts'
import { type Documented, documented } from '#test/support/openapi/documented.ts'
import { type Given, promises } from '#test/support/openapi/promise.ts'
import { type DrawnRequest, drawRequest } from '#test/support/openapi/requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { suiteReceiver, suiteWorld } from '#test/support/suite-world.ts'
import { consumeAll, KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

type Handler = Parameters<typeof request>[0]

/** Requests of each kind and operation. `PROPERTY_SEED=$RANDOM FUZZ_RUNS=500` tries more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40)

const world = suiteWorld()
const ids: number[] = []
let callId = ''
/** The call for calendar requests and updates of a live call. No report ends it. */
let bookingCallId = ''
let liveLead = 0
const calendar = suiteReceiver(({ path }) => ({ body: path.endsWith('slots') ? '{"slots":[]}' : '{}' }))
let taskIds: string[] = []
const deliveryIds: string[] = []
const ingestionUrls: string[] = []
const uploadIds: string[] = []
/** Ids of subscriptions that are deleted, and of those that last. */
let deletable: number[] = []
let lasting: number[] = []

const handlers = new Map<string, Handler>()

const load = async (name: string, bundles: string): Promise<void> => {
  // It reads files that the build puts beside it.
  const place = name.endsWith('/page') ? pathToFileURL(join(bundles, bundleName(name), 'index.mjs')).href : `../../functions/${name}.ts`
  handlers.set(name, (await import(place)).handler)
}

const INBOUND_NUMBER = '+12125550190'

const limitless = { sustained_per_day: 10_000_000, burst_per_minute: 1_000_000 }

beforeAll(async () => {
  process.env['UPLOADS_ORIGIN'] = 'http://127.0.0.1:1'
  process.env['COUNTED_EVENT_QUEUES'] = `uncounted  ${process.env['UPDATE_QUEUE_URL']}`
  process.env['COUNTED_QUEUES'] = `calls ${process.env['CALL_QUEUE_URL']} ${process.env['UPDATE_QUEUE_URL']}`
  const settings = { url: calendar().url, secret: null, representative_field: 'representative' }
  await saveLeadType(sampleLeadType({ owner: OWNER, calendar: settings, inbound_numbers: [INBOUND_NUMBER] }))
  const { bundles } = await built()
  await Promise.all([...new Set(routes.map((route) => route.function))].map((name) => load(name, bundles)))
  for (const id of [OWNER, 2]) {
    const others = { is_staff: id === OWNER, default_lead_type: 4, dnc_group: `${id}`, lines: 1000, webhook_secrets: ['whsec_AAAA'] }
    await saveUser({ id, name: `User ${id}`, ...others, throttle: limitless })
  }
  for (const name of PLATFORM_NAMES) {
    const credentials = await sealCredentials(name, { api_key: 'key', callback_secret: null })
    const platform = { name, assistant: 'one', from: [], settings: {}, credentials, credentials_hash: '', longest_call_seconds: 600 }
    await saveAgent({ id: name, url: 'http://127.0.0.1:1', secrets: [], platform })
  }
  for (const [place, key] of [KEY, KEY, KEY, OTHER_KEY].entries()) {
    const { body } = await request(createLead, {
      method: 'POST',
      path: '/api/leads/',
      headers: { Authorization: `Token ${key}` },
      body: { phone_number: `+1212555010${place}`, email: 'ann@example.com', timezone: 'America/New_York' },
    })
    ids.push(body.id)
  }
  await consumeAll(placeCall, await world().queues.take('CALL_QUEUE_URL'))
  callId = `${ids[0]}-1`
  bookingCallId = `${ids[1]}-1`
  const ringing = { provider_call_id: 'p-live', from: '+12125550301', to: INBOUND_NUMBER }
  const taken = await request(handlers.get('agents/inbound-calls')!, agentRequest(world().agentSecret, '', ringing))
  liveLead = taken.body.lead.id
  const updated = await request(handlers.get('leads/bulk-update')!, {
    method: 'PATCH',
    path: '/api/leads/bulk-update/',
    body: { leads: ids.map((id) => ({ id, lead_source: 'x' })) },
  })
  const subscribe = async () => {
    const body = { url: 'https://lasting.example/', trigger: ['LEAD_CREATED'] }
    return (await request(handlers.get('webhooks/create')!, { method: 'POST', path: '/api/webhooks/', body })).body.id
  }
  const sendTest = handlers.get('webhooks/test')!
  deletable = [await subscribe(), await subscribe()]
  lasting = [await subscribe(), await subscribe()]
  for (const id of lasting) {
    const { body } = await request(sendTest, { method: 'POST', path: `/api/webhooks/${id}/test/`, parameters: { id: `${id}` } })
    deliveryIds.push(body.delivery_id)
  }
  ingestionUrls.push(await newUrl(), await newUrl({ token_required: false, throttle: limitless }))
  // URLs are made without asking the bucket.
  process.env['UPLOADS_BUCKET'] = 'uploads'
  await saveSource({ owner: OWNER, name: 'demo', mode: 'create', mapping: [{ to: 'phone_number', from: 'Phone' }] })
  const file = { source: 'demo', filename: 'leads.csv' }
  const upload = await request(handlers.get('ingestion/upload')!, { method: 'POST', path: '/api/ingestion/upload/', body: file })
  uploadIds.push(upload.body.upload_id)
  taskIds = updated.body.results.flatMap((result: { task_id?: string }) => result.task_id ?? [])
})

const idsFor = (method: string, path: string): readonly number[] => {
  if (!path.startsWith('/api/webhooks/')) return [...ids, OWNER]
  return method === 'DELETE' ? deletable : lasting
}

/** A provider's request, in the shape that its URL maps. */
const foreignLead = () =>
  fc.record(
    {
      ref: fc.constantFrom('a', 'b', null, 7),
      contact: fc.record({
        phone: fc.integer({ min: 100, max: 160 }).map((number) => `+12125550${number}`),
        email: fc.constantFrom('ann@example.com', ''),
      }),
      state: fc.constantFrom('ny', 'TX', ''),
      stop: fc.constantFrom('yes', 'no', null),
    },
    { requiredKeys: ['contact'] },
  )

/** Numbers and ids that meet one another and what is there. */
const known = ({ method, path }: Documented) => ({
  id: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...idsFor(method, path)) }, fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  phone_number: fc.integer({ min: 100, max: 160 }).map((number) => `+12125550${number}`),
  email: fc.oneof(fc.constantFrom('ann@example.com', 'bob@example.com', null), fc.emailAddress()),
  lead_type: fc.constantFrom(4, 4, 4, 5, null),
  min_reengagement_days: fc.constantFrom(0, 0, 30),
  task_id: fc.oneof(fc.constantFrom(...taskIds), fc.uuid()),
  call_id: fc.constant(path.includes('/calendar/') ? bookingCallId : callId),
  delivery_id: fc.constantFrom(...deliveryIds),
  source: fc.constantFrom('demo', 'demo', 'other'),
  upload_id: fc.oneof(fc.constantFrom(...uploadIds), fc.uuid()),
  lead_id: fc.oneof(fc.constant(liveLead), fc.constantFrom(...ids)),
  agent: fc.constantFrom(...PLATFORM_NAMES, 'simulator'),
  ...(path.startsWith('/api/ingest-lead/') && { id: fc.oneof(fc.constantFrom(...ingestionUrls), fc.uuid()), body: foreignLead() }),
  ...(path.endsWith('/inbound-calls/') && {
    from: fc.integer({ min: 300, max: 310 }).map((number) => `+12125550${number}`),
    to: fc.constant(INBOUND_NUMBER),
  }),
  ...(path.startsWith('/api/statistics/') && {
    from: fc.constantFrom('2026-11-01', '2026-11-10'),
    to: fc.constantFrom('2026-11-05', '2026-11-20'),
  }),
  'X-Act-As-User': fc.constantFrom(OWNER, OWNER, OWNER, 2, 2_000_000_000),
  page: fc.oneof(fc.constantFrom('1', '2', 'last'), fc.integer({ min: 1, max: 50 })),
})

/** Headers with the agent's signature of the body. */
const signed = (headers: DrawnRequest['headers'], body: Buffer): Record<string, string> => {
  const at = new Date()
  const id = headers['webhook-id'] ?? ''
  const signature = new Webhook(world().agentSecret).sign(id, at, body.toString())
  return { ...headers, 'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`, 'webhook-signature': signature }
}

const send = async ({ method, path, security }: Documented, { params, query, headers, body }: DrawnRequest): Promise<Given> => {
  const { function: name } = routes.find((route) => route.method === method && route.path === path)!
  const at = path.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(params[parameter] ?? ''))
  const event = {
    httpMethod: method,
    path: at,
    resource: path,
    headers: security === 'agent' ? signed(headers, body) : headers,
    pathParameters: Object.keys(params).length > 0 ? params : null,
    queryStringParameters: Object.keys(query).length > 0 ? query : null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    requestContext: { requestId: 'request-1', path: at, domainName: 'api.example.com' },
  }
  const answer = await handlers.get(name)!(event, { awsRequestId: 'request-1' } as Parameters<Handler>[1])
  return { status: answer.statusCode, headers: (answer.headers ?? {}) as Record<string, string>, body: answer.body }
}

const breaches = promises(document)
const operations = documented(document).map((one) => [`${one.method} ${one.path}`, one] as const)

/** A voice platform signs in its own way, not as `signed` does. The tests of each platform send what it sends. */
const isOfPlatform = ({ path }: Documented): boolean => path.startsWith('/api/agents/platforms/')

/** Sends what is drawn. @returns the statuses that were seen */
const tryAll = async (one: Documented, valid: boolean): Promise<Set<number>> => {
  const seen = new Set<number>()
  const drawing = { valid, known: known(one), keys: valid ? [KEY] : [KEY, KEY, KEY, OTHER_KEY] }
  await fc.assert(
    fc.asyncProperty(drawRequest(document, one, drawing), async (drawn) => {
      const answer = await send(one, drawn)
      seen.add(answer.status)
      if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.body}`)
      expect(breaches(one, answer)).toEqual([])
      if (valid) expect([401, 413, 415]).not.toContain(answer.status)
    }),
    // Without shrinking: each step of it would be a request that changes the table.
    { numRuns: RUNS, endOnFailure: true },
  )
  return seen
}

describe.each(operations)('%s', (name, one) => {
  it(`${name} answers valid requests as documented, at least one of them with success`, async () => {
    if (isOfPlatform(one)) return
    const seen = await tryAll(one, true)
    expect([...seen].filter((status) => status < 300)).not.toEqual([])
  })

  it(`${name} answers invalid requests as documented`, async () => {
    await tryAll(one, false)
  })

  it(`${name} accepts forms only where the API document says so`, async () => {
    if (!one.body) return
    const id = one.path.startsWith('/api/webhooks/') ? lasting[0] : ids[0]
    const form = { params: { id: `${id}`, call_id: callId }, query: {}, headers: { Authorization: `Token ${KEY}`, 'webhook-id': 'x' } }
    const type = 'application/x-www-form-urlencoded'
    const answer = await send(one, { ...form, headers: { ...form.headers, 'Content-Type': type }, body: Buffer.from('a=b') })
    const taken = one.operation.mediaTypes.includes(type) || one.security === 'agent' || isOfPlatform(one)
    expect(answer.status === 415).toBe(!taken)
  })
})
