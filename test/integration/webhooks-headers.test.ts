import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openHeaders, sealHeaders } from '#shared/adapters/sealed-headers.ts'
import type { Delivery } from '#shared/schema/webhook.ts'
import { client } from '#shared/storage/client.ts'
import { getDelivery, insertDelivery } from '#shared/storage/deliveries.ts'
import { subscriptionKey } from '#shared/storage/keys.ts'
import { getSubscription, saveSubscription } from '#shared/storage/subscriptions.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '#test/support/receiver.ts'
import { batchOf } from '#test/support/webhook-fixtures.ts'
import { OWNER, request, startWorld } from '#test/support/world.ts'

const SECRET = 'Bearer s3cr3t-T0ken.of.the-customer'
const TOKEN = 's3cr3t-T0ken.of.the-customer'
const lines = captureLog()

let world: Awaited<ReturnType<typeof startWorld>>
let deliver: typeof import('#functions/workers/deliver-webhook/index.ts')['handler']
let receiver: Receiver | undefined
const handlers = new Map<string, Parameters<typeof request>[0]>()

/** What clients and tests have been shown. */
const shown: string[] = []

const ask = async (name: string, method: string, path: string, options: { id?: number; body?: unknown; key?: string } = {}) => {
  const answer = await request(handlers.get(name)!, {
    method,
    path,
    ...(options.id && { parameters: { id: `${options.id}` } }),
    ...(options.key && { headers: { 'Idempotency-Key': options.key } }),
    body: options.body,
  })
  shown.push(JSON.stringify(answer))
  return answer
}

const subscribe = async (headers: unknown, fields: Record<string, unknown> = {}, key?: string) => {
  const body = { url: `${receiver?.url ?? 'https://example.com'}/hook`, trigger: ['LEAD_CREATED'], headers, ...fields }
  return ask('webhooks/create', 'POST', '/api/webhooks/', { body, ...(key && { key }) })
}

let serial = 0
const pending = async (subscription: number): Promise<Delivery> => {
  const now = Date.now() + Number(process.env['CLOCK_OFFSET_MS'])
  const id = `e${++serial}`
  const delivery: Delivery = {
    ...{ delivery_id: `${subscription}-1-${now}-${id}`, subscription, owner: OWNER, event_id: id, trigger: 'LEAD_CREATED', lead: 1 },
    ...{ payload: '{"id":1}', status: 'pending', attempts: [], earlier_attempts: 0, next_attempt_time: now, turn: null, created_time: now },
    expires_at: Math.floor(now / 1000) + 86_400,
  }
  await insertDelivery(delivery)
  return delivery
}

const send = async ({ delivery_id, subscription, owner }: Delivery) => {
  expect(await deliver(batchOf([{ owner, subscription, delivery_id }]))).toEqual({ batchItemFailures: [] })
  const log = await getDelivery(delivery_id)
  shown.push(JSON.stringify(log))
  return log!
}

const receive = async (respond?: ReceiverOptions['respond']) => {
  receiver = await startReceiver(respond ? { respond } : {})
}

/** The key engine is asked for keys to be opened; how often. */
const opened = { count: 0, refuse: false, hang: false }

beforeAll(async () => {
  world = await startWorld()
  for (const name of ['webhooks/create', 'webhooks/list', 'webhooks/retrieve', 'webhooks/enable'])
    handlers.set(name, (await import(`../../functions/${name}/index.ts`)).handler)
  ;({ handler: deliver } = await import('#functions/workers/deliver-webhook/index.ts'))
  const { DecryptCommand, KMSClient } = await import('@aws-sdk/client-kms')
  const { send: original } = KMSClient.prototype
  KMSClient.prototype.send = function (this: unknown, command: object, options: { abortSignal: AbortSignal }) {
    if (command instanceof DecryptCommand) opened.count++
    if (command instanceof DecryptCommand && opened.refuse) throw new Error('The key is disabled.')
    if (opened.hang) return new Promise((_, reject) => options.abortSignal.addEventListener('abort', reject))
    return Reflect.apply(original, this, [command, options])
  } as typeof original
})
beforeEach(() => {
  Object.assign(opened, { count: 0, refuse: false, hang: false })
})
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})
afterAll(() => world?.stop())

describe('headers of a subscription', () => {
  it('go with every request, whatever its method', async () => {
    await receive()
    for (const method of ['POST', 'PUT', 'PATCH', 'GET']) {
      const { status, body } = await subscribe({ Authorization: SECRET, constructor: 'x' }, { method })
      expect([status, Object.keys(body)]).toEqual([201, ['id', 'url', 'trigger', 'method', 'filter_condition']])
      expect(await send(await pending(body.id))).toMatchObject({ status: 'delivered' })
    }
    expect(receiver?.requests.map(({ method, headers }) => [method, headers['authorization'], headers['constructor']])).toEqual(
      ['POST', 'PUT', 'PATCH', 'GET'].map((method) => [method, SECRET, 'x']),
    )
    expect(receiver?.requests[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  })

  it('are bytes of Latin-1 on the wire', async () => {
    await receive()
    const { body } = await subscribe({ 'X-Greeting': 'Grüße' })
    await send(await pending(body.id))
    expect(receiver?.requests[0]?.headers['x-greeting']).toBe('Grüße')
  })

  it('may replace the type and the agent, in any case', async () => {
    await receive()
    const { body } = await subscribe({ 'Content-Type': 'application/cloudevents+json', 'user-AGENT': 'ours' })
    await send(await pending(body.id))
    expect(receiver?.requests[0]?.headers).toMatchObject({ 'content-type': 'application/cloudevents+json', 'user-agent': 'ours' })
  })

  it('none: none are stored, and no key is asked for', async () => {
    await receive()
    for (const headers of [{}, null, undefined]) {
      const { body } = await subscribe(headers)
      expect((await getSubscription(OWNER, body.id))?.headers).toBeNull()
      expect(await send(await pending(body.id))).toMatchObject({ status: 'delivered' })
    }
    expect(opened.count).toBe(0)
  })

  it('are opened once for many deliveries, also at the same moment', async () => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    const deliveries = await Promise.all(Array.from({ length: 5 }, () => pending(body.id)))
    await deliver(batchOf(deliveries.map(({ delivery_id }) => ({ owner: OWNER, subscription: body.id, delivery_id }))))
    await send(await pending(body.id))
    expect(receiver?.requests.map(({ headers }) => headers['authorization'])).toEqual(Array(6).fill(SECRET))
    expect(opened.count).toBe(1)
  })

  it('are the same when the request is repeated with its key', async () => {
    await receive()
    const first = await subscribe({ Authorization: SECRET }, {}, 'a-key')
    const second = await subscribe({ Authorization: SECRET }, {}, 'a-key')
    expect(second.body).toEqual(first.body)
    expect(second.headers).toMatchObject({ 'Idempotent-Replayed': 'true' })
    expect((await subscribe({ Authorization: 'another' }, {}, 'a-key')).status).toBe(422)
  })
})

describe('headers that cannot be opened', () => {
  it('keep a delivery from being sent: it is tried again, and goes out with them', async () => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    const delivery = await pending(body.id)
    opened.refuse = true
    const log = await send(delivery)
    expect(log).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, error: 'The headers of the subscription could not be decrypted: nothing was sent.' }],
    })
    expect(log.next_attempt_time! - log.attempts[0]!.time).toBeGreaterThan(4_000)
    expect(receiver?.requests).toHaveLength(0)
    expect(lines.join('')).toContain('The key is disabled.')
    opened.refuse = false
    const before = process.env['CLOCK_OFFSET_MS']
    process.env['CLOCK_OFFSET_MS'] = `${Number(before) + 10_000}`
    expect(await send(delivery)).toMatchObject({ status: 'delivered' })
    process.env['CLOCK_OFFSET_MS'] = before
    expect(receiver?.requests.map(({ headers }) => headers['authorization'])).toEqual([SECRET])
  })

  const changes: readonly (readonly [string, (sealed: string) => string])[] = [
    ['of another format', (sealed) => sealed.replace(/^1/, '2')],
    ['cut off', (sealed) => sealed.slice(0, -4)],
    ['with another box', (sealed) => sealed.replace(/[^.]{8}$/, 'AAAAAAAA')],
    ['with another key', (sealed) => sealed.replace(/^1\.[^.]{8}/, '1.AAAAAAAA')],
    ['with no key', () => '1...'],
    ['nonsense', () => 'x'],
    ['empty', () => ''],
  ]
  it.each(changes)('%s: never sent without them', async (_, change) => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    const stored = await getSubscription(OWNER, body.id)
    await saveSubscription({ ...stored!, headers: change(stored!.headers!) })
    expect(await send(await pending(body.id))).toMatchObject({
      status: 'pending',
      attempts: [{ error: expect.stringContaining('decrypted') }],
    })
    expect(receiver?.requests).toHaveLength(0)
  })

  it('of another subscription or owner: what is sealed for one opens for no other', async () => {
    const whose = { owner: OWNER, id: 77 }
    const headers = await sealHeaders({ Authorization: SECRET }, whose)
    expect(await openHeaders({ ...whose, headers })).toEqual({ Authorization: SECRET })
    await expect(openHeaders({ ...whose, id: 78, headers })).rejects.toThrow()
    await expect(openHeaders({ ...whose, owner: 2, headers })).rejects.toThrow()
  })

  it('a key service that hangs is not waited for', async () => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    opened.hang = true
    const delivery = await pending(body.id)
    const began = performance.now()
    expect(await send(delivery)).toMatchObject({ status: 'pending', attempts: [{ error: expect.stringContaining('decrypted') }] })
    expect(performance.now() - began).toBeLessThan(4_000)
  })
})

describe('what is stored of them', () => {
  it('cannot be read, and is another text each time', async () => {
    const first = await subscribe({ Authorization: SECRET })
    const second = await subscribe({ Authorization: SECRET })
    const raw = await Promise.all(
      [first, second].map(async ({ body }) => {
        const { Item } = await client.send(new GetCommand({ TableName: process.env['TABLE_NAME'], Key: subscriptionKey(OWNER, body.id) }))
        return Item
      }),
    )
    for (const item of raw) expect(item?.['headers']).toMatch(/^1(\.[\w-]+){3}$/)
    expect(raw[0]?.['headers']).not.toBe(raw[1]?.['headers'])
    expect(JSON.stringify(raw)).not.toMatch(/Authorization|s3cr3t|customer/i)
  })

  it('a destination that repeats them does not bring them into the log of deliveries', async () => {
    await receive(({ headers }) => ({ status: 500, body: `${'x'.repeat(1010)} ${headers['authorization']} ${JSON.stringify(headers)}` }))
    const { body } = await subscribe({ Authorization: SECRET, 'X-Short': 'x' })
    const { attempts } = await send(await pending(body.id))
    expect(attempts[0]?.response_body).toBe(`${'x'.repeat(1010)} [removed] {"h`.slice(0, 1024))
    await receiver?.close()
    await receive(({ headers }) => ({ status: 200, body: `the token is ${headers['authorization']?.slice(7)}!` }))
    const other = await subscribe({ Authorization: SECRET })
    expect((await send(await pending(other.body.id))).attempts[0]?.response_body).toBe('the token is [removed]!')
  })

  it('nothing: in no answer, in no line of the log, nowhere in the table', async () => {
    await receive()
    const made = await subscribe({ Authorization: SECRET })
    await subscribe({ Authorization: SECRET, Host: TOKEN, 'a b': TOKEN, X: `${TOKEN}\n` })
    await subscribe({ Authorization: [TOKEN] })
    await subscribe({ Authorization: SECRET }, { url: 'x' })
    await ask('webhooks/list', 'GET', '/api/webhooks/')
    await ask('webhooks/retrieve', 'GET', `/api/webhooks/${made.body.id}/`, { id: made.body.id })
    await ask('webhooks/enable', 'POST', `/api/webhooks/${made.body.id}/enable/`, { id: made.body.id })
    await send(await pending(made.body.id))
    await receiver?.close()
    receiver = undefined
    await send(await pending(made.body.id))
    const { Items } = await client.send(new ScanCommand({ TableName: process.env['TABLE_NAME'] }))
    expect(Items?.length).toBeGreaterThan(10)
    expect(lines.length).toBeGreaterThan(5)
    for (const text of [shown.join('\n'), lines.join(''), JSON.stringify(Items)]) {
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 20))
    }
  })
})
