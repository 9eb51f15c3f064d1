import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { saveApiKey } from '#shared/storage/api-keys.ts'
import { enabledSubscriptions } from '#shared/storage/subscriptions.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { NOW, OWNER } from '#test/support/webhook-fixtures.ts'

let engine: Engine
let handler: typeof import('#functions/webhooks/create/index.ts')['handler']

const post = (body: unknown, key = 'demo-key'): Promise<APIGatewayProxyResult> =>
  handler(
    {
      httpMethod: 'POST',
      path: '/api/webhooks/',
      resource: '/api/webhooks',
      headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
      pathParameters: null,
      queryStringParameters: null,
      body: JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r-1' },
    },
    { awsRequestId: 'r-1' } as Context,
  )

beforeAll(async () => {
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  engine = await startEngine()
  ;({ handler } = await import('#functions/webhooks/create/index.ts'))
  await saveApiKey('demo-key', { user: OWNER, is_staff: false, created_time: NOW, revoked_time: null })
})
afterAll(() => engine?.stop())

describe('creating a subscription', () => {
  it('answers with it, and it is in force', async () => {
    const { statusCode, body } = await post({ url: 'https://example.com/{{id}}', trigger: ['LEAD_CREATED', 'CALL_DNC'], method: 'PUT' })
    expect(statusCode).toBe(201)
    const subscription = JSON.parse(body)
    expect(subscription).toEqual({
      id: expect.any(Number),
      url: 'https://example.com/{{id}}',
      trigger: ['LEAD_CREATED', 'CALL_DNC'],
      method: 'PUT',
      filter_condition: '',
    })
    const [stored] = await enabledSubscriptions(OWNER)
    expect(stored).toMatchObject({ ...subscription, owner: OWNER, headers: null, enabled: true, created_time: expect.any(Number) })
    expect(await enabledSubscriptions(OWNER + 1)).toEqual([])
  })

  it.each([[{}], [{ method: null }], [{ method: '' }]])('%p means POST', async (fields) => {
    const { statusCode, body } = await post({ url: 'https://example.com', trigger: 'LEAD_LOST', headers: {}, ...fields })
    expect([statusCode, JSON.parse(body)]).toMatchObject([201, { method: 'POST', trigger: ['LEAD_LOST'] }])
  })

  it('refuses what does not fit, and whom it does not know', async () => {
    const { statusCode, body } = await post({ trigger: ['NEVER'] })
    expect([statusCode, JSON.parse(body)]).toEqual([400, { url: ['This field is required.'], trigger: expect.anything() }])
    expect((await post({ url: 'https://example.com', trigger: ['LEAD_LOST'] }, 'wrong')).statusCode).toBe(401)
  })
})
