import { beforeAll, describe, expect, it } from '@jest/globals'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { handler } from '#functions/webhooks/create.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { deleteSubscription, enabledSubscriptions, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { suiteTable } from '#test/support/suite-world.ts'
import { aSubscription, NOW, OWNER } from '#test/support/webhook-fixtures.ts'

const BUSY = 8

suiteTable()

const post = (body: unknown, key = 'demo-key', headers = {}): Promise<APIGatewayProxyResult> =>
  handler(
    {
      httpMethod: 'POST',
      path: '/api/webhooks/',
      resource: '/api/webhooks',
      headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json', ...headers },
      pathParameters: null,
      queryStringParameters: null,
      body: JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r-1' },
    },
    { awsRequestId: 'r-1' } as Context,
  )

beforeAll(async () => {
  await saveApiKey('demo-key', { user: OWNER, created_time: NOW, revoked_time: null })
})

describe('creating a subscription', () => {
  it('creating a subscription returns it, and it is in force at once', async () => {
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

  it.each([[{}], [{ method: null }], [{ method: '' }]])('creating a subscription defaults to POST for %p', async (fields) => {
    const { statusCode, body } = await post({ url: 'https://example.com', trigger: 'LEAD_LOST', headers: {}, ...fields })
    expect([statusCode, JSON.parse(body)]).toMatchObject([201, { method: 'POST', trigger: ['LEAD_LOST'] }])
  })

  it.each([
    'http://127.0.0.1/',
    'https://127.0.0.1.:8443/{{trigger}}',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.01/',
    'http://127.1/',
    'http://10.0.0.1/hook',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://localhost/',
    'http://LOCALHOST.:3000/',
    'http://a.localhost/',
  ])('creating a subscription refuses a URL that names a private address: %s', async (url) => {
    const before = (await enabledSubscriptions(OWNER)).length
    const { statusCode, body } = await post({ url, trigger: 'LEAD_LOST' })
    expect([statusCode, JSON.parse(body)]).toEqual([400, { url: ['The address of the destination is not public.'] }])
    expect(await enabledSubscriptions(OWNER)).toHaveLength(before)
  })

  it('creating a subscription accepts a private destination that the deployment allows, and public ones', async () => {
    process.env['PRIVATE_WEBHOOK_HOSTS'] = '127.0.0.1:8080,localhost'
    const answers: number[] = []
    for (const url of [
      'http://127.0.0.1:8080/',
      'http://localhost:1/',
      'http://127.0.0.1:8081/',
      'http://8.8.8.8/',
      'http://10.example.com/',
    ])
      answers.push((await post({ url, trigger: 'LEAD_LOST' })).statusCode)
    delete process.env['PRIVATE_WEBHOOK_HOSTS']
    expect(answers).toEqual([201, 201, 400, 201, 201])
  })

  it('creating a subscription refuses invalid fields and unknown API keys', async () => {
    const { statusCode, body } = await post({ trigger: ['NEVER'] })
    expect([statusCode, JSON.parse(body)]).toEqual([400, { url: ['This field is required.'], trigger: expect.anything() }])
    expect((await post({ url: 'https://example.com', trigger: ['LEAD_LOST'] }, 'wrong')).statusCode).toBe(401)
  })

  it('creating a user’s 101st subscription is refused until one is deleted', async () => {
    await saveApiKey('busy-key', { user: BUSY, created_time: NOW, revoked_time: null })
    const own = { url: 'https://example.com/own', trigger: 'LEAD_LOST' }
    for (let id = 1001; id <= 1099; id++) await saveSubscription(aSubscription({ id, owner: BUSY, enabled: id % 2 === 0 }))
    const last = await post(own, 'busy-key', { 'Idempotency-Key': 'last' })
    expect(last.statusCode).toBe(201)
    const { statusCode, body } = await post(own, 'busy-key')
    expect([statusCode, JSON.parse(body)]).toEqual([
      400,
      { non_field_errors: ['A user can have at most 100 subscriptions. Delete one that you no longer need.'] },
    ])
    expect(await post(own, 'busy-key', { 'Idempotency-Key': 'last' })).toMatchObject({ statusCode: 201, body: last.body })
    expect((await post(own)).statusCode).toBe(201)
    await deleteSubscription(BUSY, 1001)
    expect((await post(own, 'busy-key')).statusCode).toBe(201)
  })
})
