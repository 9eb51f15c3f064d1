import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { subscriptionKey } from '#shared/platform/keys.ts'
import { logger } from '#shared/platform/logger.ts'
import { client } from '#shared/platform/table/client.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { sealedSubscriptions } from '#test/support/sealed-subscriptions.ts'
import { OWNER } from '#test/support/world.ts'

const TOKEN = 's3cr3t-T0ken.of.the-customer'
const SECRET = `Bearer ${TOKEN}`
const lines = captureLog()
const { ask, closeReceiver, deliverAll, opened, pending, receive, received, send, shown, subscribe } = sealedSubscriptions()

describe('headers of a subscription', () => {
  it('headers of a subscription go with every request, whatever its method', async () => {
    await receive()
    for (const method of ['POST', 'PUT', 'PATCH', 'GET']) {
      const { status, body } = await subscribe({ Authorization: SECRET, constructor: 'x' }, { method })
      expect([status, Object.keys(body)]).toEqual([201, ['id', 'url', 'trigger', 'method', 'filter_condition']])
      expect(await send(await pending(body.id))).toMatchObject({ status: 'delivered' })
    }
    expect(received().map(({ method, headers }) => [method, headers['authorization'], headers['constructor']])).toEqual(
      ['POST', 'PUT', 'PATCH', 'GET'].map((method) => [method, SECRET, 'x']),
    )
    expect(received()[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  })

  it('headers of a subscription are sent as Latin-1', async () => {
    await receive()
    const { body } = await subscribe({ 'X-Greeting': 'Grüße' })
    await send(await pending(body.id))
    expect(received()[0]?.headers['x-greeting']).toBe('Grüße')
  })

  it('headers of a subscription can replace Content-Type and User-Agent in any case', async () => {
    await receive()
    const { body } = await subscribe({ 'Content-Type': 'application/cloudevents+json', 'user-AGENT': 'ours' })
    await send(await pending(body.id))
    expect(received()[0]?.headers).toMatchObject({ 'content-type': 'application/cloudevents+json', 'user-agent': 'ours' })
  })

  it('a subscription with empty headers needs no storage and no key for them', async () => {
    await receive()
    for (const headers of [{}, null, undefined]) {
      const { body } = await subscribe(headers)
      expect((await getSubscription(OWNER, body.id))?.headers).toBeNull()
      expect(await send(await pending(body.id))).toMatchObject({ status: 'delivered' })
    }
    expect(opened.count).toBe(0)
  })

  it('headers of a subscription are decrypted once for many deliveries, even concurrent ones', async () => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    const deliveries = await Promise.all(Array.from({ length: 5 }, () => pending(body.id)))
    await deliverAll(deliveries)
    await send(await pending(body.id))
    expect(received().map(({ headers }) => headers['authorization'])).toEqual(Array(6).fill(SECRET))
    expect(opened.count).toBe(1)
  })

  it('a repeated create of a subscription with its idempotency key compares the headers', async () => {
    await receive()
    const first = await subscribe({ Authorization: SECRET }, {}, 'a-key')
    const second = await subscribe({ Authorization: SECRET }, {}, 'a-key')
    expect(second.body).toEqual(first.body)
    expect(second.headers).toMatchObject({ 'Idempotent-Replayed': 'true' })
    expect((await subscribe({ Authorization: 'another' }, {}, 'a-key')).status).toBe(422)
  })
})

describe('secret headers', () => {
  it('headers of a subscription are stored encrypted, differently each time', async () => {
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

  it('headers of a subscription stay out of the delivery log when the destination repeats them', async () => {
    await receive(({ headers }) => ({ status: 500, body: `${'x'.repeat(1010)} ${headers['authorization']} ${JSON.stringify(headers)}` }))
    const { body } = await subscribe({ Authorization: SECRET, 'X-Other': 'another secret' })
    const { attempts } = await send(await pending(body.id))
    expect(attempts[0]?.response_body).toBe(`${'x'.repeat(1010)} [removed] {"h`.slice(0, 1024))
    await closeReceiver()
    await receive(({ headers }) => ({ status: 200, body: `the token is ${headers['authorization']?.slice(7)}!` }))
    const other = await subscribe({ Authorization: SECRET })
    expect((await send(await pending(other.body.id))).attempts[0]?.response_body).toBe('the token is [removed]!')
  })

  const QUOTED = 's"e\\c/r+e t<&>é1'
  it.each([
    ['JSON', JSON.stringify],
    ['JSON within JSON', (text: string) => JSON.stringify(JSON.stringify(text))],
    ['JSON of ASCII alone', (text: string) => JSON.stringify(text).replace('é', '\\u00e9').replaceAll('/', '\\/')],
    [
      'JSON that is safe in HTML',
      (text: string) => JSON.stringify(text).replace(/[<>&+]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ],
    ['a URL', encodeURIComponent],
    ['a URL in small letters', (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())],
    ['a form', (text: string) => `${new URLSearchParams({ text })}`],
    ['a URL in JSON', (text: string) => JSON.stringify({ url: encodeURI(text) })],
    ['HTML', (text: string) => text.replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`)],
    ['bytes that are no UTF-8', (text: string) => text.replace('é', '\ufffd')],
  ])('headers of a subscription stay out of the delivery log when the destination writes them as %s', async (_, write) => {
    await receive(() => ({ status: 500, body: `before ${write(QUOTED)} after` }))
    const { body } = await subscribe({ 'X-Key': QUOTED })
    const text = (await send(await pending(body.id))).attempts[0]?.response_body
    expect(text).toMatch(/^before .{0,12}\[removed\].{0,5} after$/)
  })

  it('headers of a subscription stay out of the delivery log when the answer cuts them off', async () => {
    const long = 'k'.repeat(1500)
    await receive(({ headers }) => ({ status: 500, body: `${`${headers['x-long']} `.repeat(20)}${long.slice(0, 700)}` }))
    const { body } = await subscribe({ 'X-Long': long })
    expect((await send(await pending(body.id))).attempts[0]?.response_body).not.toContain('kk')
    await closeReceiver()
    await receive((request, _, response) => {
      response
        .writeHead(500, { 'content-length': '99' })
        .write(`got ${request.headers['authorization']?.slice(0, 20)}`, () => response.destroy())
      return undefined
    })
    const other = await subscribe({ Authorization: SECRET })
    expect((await send(await pending(other.body.id))).attempts[0]?.response_body).not.toContain('s3cr')
  })

  it('the delivery log omits the whole answer when it names a header with a short value', async () => {
    await receive(({ headers }) => ({ status: 500, body: JSON.stringify(headers).replace('x-pin', 'HTTP_X_PIN') }))
    const { body } = await subscribe({ 'X-Pin': '123' })
    expect((await send(await pending(body.id))).attempts[0]?.response_body).toBe('[removed: the answer repeats the header X-Pin]')
    await closeReceiver()
    await receive(() => ({ status: 500, body: 'Error 123' }))
    const other = await subscribe({ 'X-Pin': '123' })
    expect((await send(await pending(other.body.id))).attempts[0]?.response_body).toBe('Error 123')
  })

  it('header values of a subscription appear in no answer, no log line and nowhere in the table', async () => {
    logger.setLogLevel('DEBUG')
    await receive()
    const made = await subscribe({ Authorization: SECRET }, {}, 'key-of-this-test')
    await subscribe({ Authorization: SECRET, Host: TOKEN, 'a b': TOKEN, X: `${TOKEN}\n` })
    await subscribe({ Authorization: [TOKEN] })
    await subscribe({ Authorization: SECRET }, { url: 'x' })
    const own = { id: made.body.id }
    const path = `/api/webhooks/${own.id}/`
    await ask('list', 'GET', '/api/webhooks/')
    await ask('retrieve', 'GET', path, own)
    await ask('update', 'PATCH', path, { ...own, body: { headers: { Authorization: SECRET } } })
    await ask('update', 'PATCH', path, { ...own, body: { headers: { Host: TOKEN } } })
    await ask('enable', 'POST', `${path}enable/`, own)
    await send(await pending(own.id))
    await closeReceiver()
    // The deliveries fail in three ways: no destination, a destination that answers with the headers it got, and a key service that
    // refuses.
    const failed = await pending(own.id)
    await send(failed)
    await receive(({ headers }) => ({ status: 500, body: JSON.stringify(headers) }))
    const echoed = await subscribe({ Authorization: SECRET })
    await send(await pending(echoed.body.id))
    opened.refuse = true
    const other = await subscribe({ Authorization: SECRET })
    await send(await pending(other.body.id))
    await ask('deliveries', 'GET', `${path}deliveries/`, own)
    await ask('deliveries', 'GET', `/api/webhooks/${echoed.body.id}/deliveries/`, { id: echoed.body.id })
    await ask('resend', 'POST', `${path}deliveries/${failed.delivery_id}/resend/`, { ...own, delivery: failed.delivery_id })
    expect(await ask('test', 'POST', `${path}test/`, own)).toMatchObject({ status: 202 })
    const { Items } = await client.send(new ScanCommand({ TableName: process.env['TABLE_NAME'] }))
    await ask('delete', 'DELETE', path, own)
    expect(Items?.length).toBeGreaterThan(10)
    const undelivered = lines.filter((line) => line.includes('A webhook was not delivered.')).map((line) => JSON.parse(line))
    expect(undelivered).toEqual(
      [own.id, echoed.body.id, other.body.id].map((webhook) =>
        expect.objectContaining({ webhook, error: expect.any(String), next_attempt_time: expect.stringMatching(/^\d{4}-.*Z$/) }),
      ),
    )
    expect(lines.filter((line) => line.includes('could not be decrypted.'))).toHaveLength(1)
    expect(lines.length).toBeGreaterThan(10)
    for (const text of [shown.join('\n'), lines.join(''), JSON.stringify(Items)]) {
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 20))
    }
  })
})
