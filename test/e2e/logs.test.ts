import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DynamodbEngine, startDynamodb } from '#lib/local/engines/dynamodb.ts'
import { CREDENTIALS, REGION } from '#lib/local/engines/engine.ts'
import { dueAt } from '#shared/platform/keys.ts'
import { METRICS } from '#shared/platform/metrics.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { email, HEADERS, phone, provoke, secret, secrets, uploadFiles } from '#test/support/sensitive.ts'
import { type Json, type Service, startService, until } from '#test/support/service.ts'

const NOW = '2026-11-20T16:00:00Z'
/** A zone where it is day, and one where nobody may be called yet. */
const [DAY, NIGHT] = ['America/New_York', 'Pacific/Honolulu']

/** Metrics that the log must contain. */
const MEASURED = [
  ...['requests_2xx', 'requests_4xx', 'requests_5xx', 'rows_ingested', 'rows_rejected', 'leads_overdue', 'calls_started', 'call_lateness'],
  ...['calls_COMPLETED_CLOSED_LIVE_TRANSFER', 'deliveries_delivered', 'deliveries_pending', 'delivery_duration', 'failures'],
]

let engine: DynamodbEngine
let service: Service
let receiver: Receiver
let log = ''

beforeAll(async () => {
  // Echoes requests in its answers, as failing systems do.
  receiver = await startReceiver({
    respond: ({ path, headers, body }, _, response) => {
      if (!path.startsWith('/broken')) return { status: path.startsWith('/failing') ? 500 : 200, body: JSON.stringify({ headers, body }) }
      response.destroy()
      return undefined
    },
  })
  engine = await startDynamodb({ file: undefined, environment: {}, log: () => {} })
  const environment = { POWERTOOLS_LOG_LEVEL: 'DEBUG', DYNAMODB_ENDPOINT: engine.url }
  service = await startService(['--memory', '--port', '0', '--now', NOW], { environment })
  log = service.log()
  service.process.stderr?.on('data', (text: string) => {
    log += text
  })
  const { apiKey, otherApiKey, staffApiKey, webhookSecret } = service
  for (const text of [apiKey, otherApiKey, staffApiKey, webhookSecret]) secret(text)
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
  await engine?.stop()
})

const create = async (national: string, timezone: string, fields: Record<string, unknown> = {}): Promise<Json> => {
  const answer = await service.call('POST', '/api/leads/', {
    phone_number: phone(national),
    email: email(`lead.${national}`),
    timezone,
    ...fields,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

/** The functions' log lines, parsed. */
const entries = (): Record<string, unknown>[] =>
  log.split('\n').flatMap((line) => {
    const start = line.indexOf('{')
    try {
      return start < 0 ? [] : [JSON.parse(line.slice(start))]
    } catch {
      return []
    }
  })

const isSetSince = (lead: Json): boolean => lead.status !== 'OPEN'

const subscribe = async (path: string, headers?: Record<string, string>) => {
  const trigger = ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_COMPLETE', 'LEAD_CLOSED']
  const answer = await service.call('POST', '/api/webhooks/', { url: `${receiver.url}${path}`, trigger, ...(headers && { headers }) })
  expect(answer.status).toBe(201)
}

/** Writes a lead that the service cannot read. A request reads it, and it becomes due. */
const poison = async (): Promise<void> => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: engine.url, region: REGION, credentials: CREDENTIALS }))
  const { TableNames: [TableName] = [] } = await client.send(new ListTablesCommand({}))
  const lead = await create('8085550161', NIGHT)
  await client.send(
    new UpdateCommand({
      TableName,
      Key: { pk: `LEAD#${lead.id}`, sk: 'LEAD' },
      UpdateExpression: 'SET #status = :bad, due_at = :now, next_call_time = :at',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':bad': `${phone('2125550162')} of ${email('poison')}`,
        ':now': dueAt(Date.parse(NOW), 1, service.userId),
        ':at': Date.parse(NOW),
      },
    }),
  )
  client.destroy()
  expect((await service.call('GET', `/api/leads/${lead.id}/`)).status).toBe(500)
}

/** Waits until the log contains a text. */
const mentioned = async (text: string): Promise<void> => {
  expect({ text, mentioned: await until(() => log.includes(text), Boolean) }).toEqual({ text, mentioned: true })
}

describe('the debug log of a busy service', () => {
  beforeAll(async () => {
    await subscribe(`/good?token=${secret('query-token-5d1')}`, HEADERS)
    await subscribe(`/failing/${secret('path-token-6e2')}`, HEADERS)
    await subscribe('/broken', HEADERS)
    const leads = await Promise.all(
      ['2125550001', '2125550006', '2125550007', '3125550009', '3125550010', '3125550012'].map((national) => create(national, DAY)),
    )
    await Promise.all([provoke(service), uploadFiles(service), poison()])
    for (const { id } of leads.slice(0, 3)) {
      const lead = await until(async () => (await service.call('GET', `/api/leads/${id}/`)).body, isSetSince)
      expect(isSetSince(lead)).toBe(true)
    }
    await until(() => entries().some(({ route, status }) => route === '/api/leads' && status === 201), Boolean)
  })

  it('the debug log of a busy service contains no phone number, email address, key, secret or header value', async () => {
    // These messages must be in the log; otherwise its lack of personal data would prove nothing.
    for (const message of [
      'request',
      'run',
      'The request failed.',
      'A change cannot be published: it goes to the dead letters.',
      'A webhook was not delivered.',
      'A lead that cannot be called is removed from the due index.',
      'The agent has not confirmed a call.',
    ])
      await mentioned(`"message":"${message}"`)
    for (const worker of ['deliver-webhook', 'dispatch-due', 'ingest-csv', 'match-webhooks', 'place-call', 'publish-changes']) {
      await mentioned(`"function":"lead-outreach-local-workers-${worker}"`)
    }
    for (const name of MEASURED) await mentioned(`"${name}":[`)

    expect([...secrets].flatMap((text) => log.split('\n').filter((line) => line.includes(text)))).toEqual([])
    expect(log.match(/\+\d{10,}|@example|whsec_\w|lok_\w|\bv1,\w+|X-Amz-Signature/gi)).toBeNull()
  })

  it('the debug log has one line per request, with its id, route, status and cost', () => {
    const requests = entries().filter(({ message }) => message === 'request')
    for (const entry of requests) {
      expect(entry).toMatchObject({ request_id: expect.any(String), method: expect.any(String), route: expect.any(String) })
      for (const name of ['status', 'milliseconds', 'read_units', 'write_units']) expect(entry).toHaveProperty(name, expect.any(Number))
    }
    expect(new Set(requests.map(({ request_id }) => request_id)).size).toBe(requests.length)
    expect(requests).toContainEqual(expect.objectContaining({ route: '/api/leads', status: 201, user: service.userId }))
  })

  it('the debug log contains only metrics with known names', () => {
    const measured = entries().filter((entry) => '_aws' in entry)
    const names = new Set<string>(METRICS.map(({ name }) => name))
    const found = new Set(measured.flatMap(({ _aws, stage, function: _, ...values }) => Object.keys(values)))
    expect([...found].filter((name) => !names.has(name))).toEqual([])
    expect(new Set(measured.map(({ stage }) => stage))).toEqual(new Set(['local']))
  })
})
