import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import type { Delivery, Subscription } from '#shared/schema/webhook.ts'
import { claimAttempt, dueDeliveries, getDelivery, insertDelivery } from '#shared/storage/deliveries.ts'
import { disableSubscription, getSubscription, saveSubscription } from '#shared/storage/subscriptions.ts'
import { saveUser } from '#shared/storage/users.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { type QueueEngine, startQueueEngine } from '#test/support/queue-engine.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '#test/support/receiver.ts'
import { aSubscription, batchOf, OWNER, SECRETS } from '#test/support/webhook-fixtures.ts'

let engine: Engine
let queues: QueueEngine
let handler: typeof import('#functions/workers/deliver-webhook/index.ts')['handler']
let receiver: Receiver | undefined
let serial = 100
let silence: Promise<Delivery>

const QUEUE = 'DELIVERY_QUEUE_URL'
const SLOW = 'SLOW_DELIVERY_QUEUE_URL'
const PAYLOAD = JSON.stringify({ id: 1001, trigger: 'LEAD_CREATED', metadata: { us_state: 'NY', city: 'São Paulo' } })

const receive = async (respond?: ReceiverOptions['respond']) => {
  receiver = await startReceiver(respond ? { respond } : {})
}
const requests = () => receiver?.requests ?? []

const parsed = (bodies: string[]) => bodies.map((body) => JSON.parse(body))

/** A delivery to a subscription of its own, and the message about it. */
const pending = async (subscription: Partial<Subscription> = {}, fields: Partial<Delivery> = {}) => {
  const id = ++serial
  await saveSubscription(aSubscription({ id, url: `${receiver?.url}/hook`, ...subscription }))
  const now = Date.now()
  const delivery: Delivery = {
    delivery_id: `${id}-1-${now}-e${id}`,
    subscription: id,
    owner: OWNER,
    event_id: `e${id}`,
    trigger: 'LEAD_CREATED',
    lead: 1001,
    payload: PAYLOAD,
    status: 'pending',
    attempts: [],
    earlier_attempts: 0,
    next_attempt_time: now,
    created_time: now,
    expires_at: Math.floor(now / 1000) + 86_400,
    ...fields,
  }
  await insertDelivery(delivery)
  return { owner: OWNER, subscription: id, delivery_id: delivery.delivery_id }
}

type Message = Awaited<ReturnType<typeof pending>>
const deliver = (...bodies: unknown[]) => handler(batchOf(bodies))
const logOf = async ({ delivery_id }: Message) => (await getDelivery(delivery_id))!
const tick = (ms: number) => {
  process.env['CLOCK_OFFSET_MS'] = `${Number(process.env['CLOCK_OFFSET_MS'] ?? 0) + Math.ceil(ms)}`
}
const serviceNow = () => Date.now() + Number(process.env['CLOCK_OFFSET_MS'] ?? 0)
const due = async (message: Message) => {
  const found = await dueDeliveries(1, Date.parse('2100-01-01'), 1000)
  return found.filter(({ message: { delivery_id } }) => delivery_id === message.delivery_id)
}

/** In the lane that waits. Takes its 15 seconds beside the other tests. */
const deliverToSilence = async (): Promise<Delivery> => {
  const silent = await startReceiver({ respond: () => new Promise(() => {}) })
  const message = await pending({ url: silent.url })
  await deliver({ ...message, waited: 0 })
  await silent.close()
  return logOf(message)
}

beforeAll(async () => {
  process.env['PRIVATE_HOSTS'] = '127.0.0.1'
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  ;[engine, queues] = await Promise.all([startEngine(), startQueueEngine([QUEUE, SLOW])])
  ;({ handler } = await import('#functions/workers/deliver-webhook/index.ts'))
  await saveUser({
    id: OWNER,
    name: 'Owner',
    is_staff: false,
    default_lead_type: null,
    dnc_group: 'g',
    lines: 10,
    webhook_secrets: SECRETS,
  })
  silence = deliverToSilence()
})
beforeEach(async () => {
  process.env['CLOCK_OFFSET_MS'] = '0'
  await queues.take(QUEUE)
  await queues.take(SLOW)
})
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})
afterAll(async () => {
  await Promise.all([engine?.stop(), queues?.stop()])
})

describe('delivering', () => {
  it('none', async () => {
    expect(await deliver()).toEqual({ batchItemFailures: [] })
  })

  it('one: what is sent, and how it is signed', async () => {
    await receive(() => ({ status: 202, body: 'thanks' }))
    const message = await pending()
    expect(await deliver(message)).toEqual({ batchItemFailures: [] })
    const [request] = requests()
    expect(request).toMatchObject({ method: 'POST', path: '/hook', body: PAYLOAD })
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/./),
      'webhook-id': `e${message.subscription}`,
    })
    expect(String(request!.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of SECRETS) {
      expect(new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)).toEqual(JSON.parse(PAYLOAD))
    }
    const stranger = new Webhook(`whsec_${Buffer.from('another secret').toString('base64')}`)
    expect(() => stranger.verify(request!.body, request!.headers as Record<string, string>)).toThrow()
    expect(await logOf(message)).toMatchObject({
      status: 'delivered',
      next_attempt_time: null,
      attempts: [{ status_code: 202, error: null, response_body: 'thanks', duration_ms: expect.any(Number) }],
    })
  })

  it('many, beside each other: a slow destination delays nobody', async () => {
    await receive(async ({ path }) => {
      if (path === '/slow') await new Promise((resolve) => setTimeout(resolve, 600))
      return {}
    })
    const slow = await pending({ url: `${receiver?.url}/slow` })
    const others = [await pending(), await pending(), await pending()]
    const done = deliver(slow, ...others)
    await receiver?.waitFor(4, 500)
    expect(await done).toEqual({ batchItemFailures: [] })
    for (const message of [slow, ...others]) expect(await logOf(message)).toMatchObject({ status: 'delivered' })
  })

  it('partial failure and bad JSON: only those come back', async () => {
    await receive()
    const response = await deliver('{', await pending(), { owner: OWNER })
    expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm2'])
    expect(requests()).toHaveLength(1)
  })

  it.each(['PUT', 'PATCH', 'GET'] as const)('%s', async (method) => {
    await receive()
    const message = await pending({ method, url: `${receiver?.url}/{{metadata.us_state}}?c={{metadata.city}}&x={{nothing}}` })
    await deliver(message)
    const [request] = requests()
    expect(request).toMatchObject({ method, path: '/NY?c=S%C3%A3o%20Paulo&x=', body: method === 'GET' ? '' : PAYLOAD })
    expect(request!.headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json')
    new Webhook(SECRETS[0]!).verify(request!.body, request!.headers as Record<string, string>)
    expect(await logOf(message)).toMatchObject({ status: 'delivered' })
  })

  it('a signature keeps to real time, whatever the service’s clock says', async () => {
    await receive()
    process.env['CLOCK_OFFSET_MS'] = String(-400 * 86_400_000)
    await deliver(await pending({}, { next_attempt_time: serviceNow() }))
    new Webhook(SECRETS[0]!).verify(requests()[0]!.body, requests()[0]!.headers as Record<string, string>)
  })

  it('what was delivered is not sent again, and a message about nothing is dropped', async () => {
    await receive()
    const message = await pending()
    await deliver(message)
    expect(await deliver(message, { ...message, delivery_id: `9-1-${Date.now()}-none` }, { ...message, delivery_id: 'x' })).toEqual({
      batchItemFailures: [],
    })
    expect(requests()).toHaveLength(1)
    expect((await logOf(message)).attempts).toHaveLength(1)
  })

  it('two messages at the same moment count once', async () => {
    await receive(() => ({ status: 500 }))
    const message = await pending()
    await deliver(message, message)
    expect(await logOf(message)).toMatchObject({ status: 'pending', attempts: [{ status_code: 500 }] })
  })
})

describe('retries', () => {
  it('of a failing destination follow the schedule to its end', async () => {
    await receive(() => ({ status: 500, body: 'no' }))
    const message = await pending()
    const waits: number[] = []
    const delayed = await queues.delayed(QUEUE)
    for (let made = 1; made < 10; made++) {
      await deliver(message)
      expect(requests()).toHaveLength(made)
      const { status, next_attempt_time } = await logOf(message)
      expect(status).toBe('pending')
      expect(await due(message)).toMatchObject([{ message, due: next_attempt_time }])
      waits.push((next_attempt_time! - serviceNow()) / 1000)
      await deliver(message)
      expect(requests()).toHaveLength(made)
      tick(next_attempt_time! - serviceNow())
    }
    expect((await queues.delayed(QUEUE)) - delayed).toBe(2)
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    waits.forEach((wait, index) => {
      expect(Math.abs(wait - schedule[index]!)).toBeLessThan(schedule[index]! * 0.1 + 1)
    })
    await deliver(message)
    const log = await logOf(message)
    expect(log).toMatchObject({ status: 'failed', next_attempt_time: null })
    expect(log.attempts).toHaveLength(10)
    expect(log.attempts[9]).toMatchObject({ status_code: 500, error: 'The destination answered 500.', response_body: 'no' })
    expect(await due(message)).toEqual([])
    expect(new Set(requests().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(requests().map(({ body }) => body))).toEqual(new Set([PAYLOAD]))
  })

  it('end with the first success', async () => {
    await receive((_, count) => ({ status: count === 1 ? 503 : 200 }))
    const message = await pending()
    await deliver(message)
    tick(6_000)
    await deliver(message)
    expect(await logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 503 }, { status_code: 200 }] })
    expect(await due(message)).toEqual([])
  })

  it('come back through the queue after the wait', async () => {
    const message = await pending({ url: 'http://127.0.0.1:1/' })
    await deliver(message)
    const before = parsed(await queues.take(QUEUE))
    await new Promise((resolve) => setTimeout(resolve, 6_500))
    const after = parsed(await queues.take(QUEUE))
    expect(before).not.toContainEqual(message)
    expect(after.filter(({ delivery_id }) => delivery_id === message.delivery_id)).toEqual([message])
    expect(await logOf(message)).toMatchObject({ attempts: [{ status_code: null, error: 'The request failed: ECONNREFUSED.' }] })
  })

  it.each([
    ['seconds', () => '600', 600],
    ['a date', () => new Date(Date.now() + 600_000).toUTCString(), 600],
    ['less than the schedule has', () => '1', 5],
    ['too much', () => '99999999', 86_400],
  ])('keep to Retry-After: %s', async (_, header, expected) => {
    await receive(() => ({ status: 429, headers: { 'retry-after': header() } }))
    const message = await pending()
    await deliver(message)
    const wait = ((await logOf(message)).next_attempt_time! - serviceNow()) / 1000
    expect(Math.abs(wait - expected)).toBeLessThan(2)
  })

  it('of which one is being made elsewhere are left to that one, until it is given up', async () => {
    await receive()
    const message = await pending({}, { attempts: [{ time: 1, status_code: 500, duration_ms: 1, error: null, response_body: null }] })
    expect(await claimAttempt(await logOf(message), serviceNow() + 30_000)).toBe(true)
    await deliver(message)
    expect(requests()).toHaveLength(0)
    tick(30_000)
    await deliver(message, message)
    expect(requests()).toHaveLength(1)
    expect((await logOf(message)).attempts).toHaveLength(2)
  })
})

describe('destinations that do not do', () => {
  it('410 disables the subscription', async () => {
    await receive(() => ({ status: 410 }))
    const message = await pending()
    const other = { ...message, delivery_id: message.delivery_id.replace(/-e/, '-f') }
    await insertDelivery({ ...(await logOf(message)), ...other, event_id: 'other' })
    await deliver(message)
    expect(await logOf(message)).toMatchObject({ status: 'disabled', attempts: [{ status_code: 410 }] })
    expect(await getSubscription(OWNER, message.subscription)).toMatchObject({ enabled: false })
    await deliver(other)
    expect(await logOf(other)).toMatchObject({ status: 'disabled', attempts: [] })
    expect(requests()).toHaveLength(1)
  })

  it('a subscription that is gone stays gone', async () => {
    await receive()
    const message = await pending()
    await disableSubscription(OWNER, 999_999, 'Gone.')
    expect(await getSubscription(OWNER, 999_999)).toBeUndefined()
    const orphan = { ...message, delivery_id: message.delivery_id.replace(/^\d+/, '999999'), subscription: 999_999 }
    await insertDelivery({ ...(await logOf(message)), ...orphan })
    await deliver(orphan)
    expect(await logOf(orphan)).toMatchObject({ status: 'disabled', attempts: [] })
    expect(requests()).toHaveLength(0)
  })

  it('redirects are not followed', async () => {
    await receive(() => ({ status: 307, headers: { location: `${receiver?.url}/elsewhere` } }))
    const message = await pending()
    await deliver(message)
    expect(requests().map(({ path }) => path)).toEqual(['/hook'])
    expect(await logOf(message)).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 307, error: 'Redirects are not followed (307).' }],
    })
  })

  it('a placeholder in the host fails for good, and says why', async () => {
    await receive()
    const message = await pending({ url: 'http://{{metadata.us_state}}.example/' })
    await deliver(message)
    expect(await logOf(message)).toMatchObject({
      status: 'failed',
      attempts: [{ status_code: null, error: expect.stringContaining('host') }],
    })
  })

  it('private addresses are refused', async () => {
    await receive()
    const { port } = new URL(receiver!.url)
    const hosts = ['127.0.0.2', '0.0.0.0', '[::ffff:127.0.0.1]', '[::1]', '2130706434', '0x7f.2', '169.254.169.254', '10.0.0.1']
    for (const host of hosts) {
      const message = await pending({ url: `http://${host}:${port}/` })
      await deliver(message)
      expect(await logOf(message)).toMatchObject({
        attempts: [{ status_code: null, error: 'The address of the destination is not public.' }],
      })
    }
    expect(requests()).toHaveLength(0)
  })

  it('of a long answer the first KiB is kept, of an endless one too', async () => {
    await receive((_, _count, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('€'.repeat(300)), 10)
      response.on('close', () => clearInterval(timer))
      return undefined
    })
    const message = await pending()
    await deliver(message)
    expect(await logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ response_body: '€'.repeat(341) }] })
  })

  it('of an answer that is no text no more than a KiB is stored', async () => {
    await receive((_, _count, response) => {
      response.writeHead(500).end(Buffer.alloc(2_000, 0xff))
      return undefined
    })
    const message = await pending()
    await deliver(message)
    expect(await logOf(message)).toMatchObject({ attempts: [{ response_body: '\ufffd'.repeat(341) }] })
  })

  it('a connection that breaks is a failure', async () => {
    await receive((_, _count, response) => {
      response.destroy()
      return undefined
    })
    const message = await pending()
    await deliver(message)
    expect(await logOf(message)).toMatchObject({ status: 'pending', attempts: [{ error: 'The request failed: ECONNRESET.' }] })
  })

  it('an answer that never comes is given up after 15 seconds', async () => {
    const { status, attempts } = await silence
    expect({ status, attempts }).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, error: 'No answer within 15 seconds.' }],
    })
    expect(attempts[0]!.duration_ms).toBeGreaterThan(14_900)
  })
})
