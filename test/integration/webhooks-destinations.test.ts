import { beforeAll, describe, expect, it } from '@jest/globals'
import { insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { disableSubscription, getSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { OWNER } from '#test/support/webhook-fixtures.ts'

const world = deliveryWorld()
let silence: Promise<Delivery>

/** In the lane that waits. Takes its 15 seconds beside the other tests. */
const deliverToSilence = async (): Promise<Delivery> => {
  const silent = await startReceiver({ respond: () => new Promise(() => {}) })
  const message = await world.pendingAlone({ url: silent.url })
  await world.deliver({ ...message, waited: 0 })
  await silent.close()
  return world.logOf(message)
}

beforeAll(async () => {
  silence = deliverToSilence()
})

describe('a delivery to a bad destination', () => {
  it('a delivery answered with 410 disables its subscription', async () => {
    await world.receive(() => ({ status: 410 }))
    const message = await world.pendingAlone()
    const other = { ...message, delivery_id: message.delivery_id.replace(/-e/, '-f') }
    await insertDelivery({ ...(await world.logOf(message)), ...other, event_id: 'other' })
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ status: 'disabled', attempts: [{ status_code: 410 }] })
    expect(await getSubscription(OWNER, message.subscription)).toMatchObject({ enabled: false })
    await world.deliver(other)
    expect(await world.logOf(other)).toMatchObject({ status: 'disabled', attempts: [] })
    expect(world.requests()).toHaveLength(1)
  })

  it('a delivery of a deleted subscription is not sent, and does not recreate the subscription', async () => {
    await world.receive()
    const message = await world.pendingAlone()
    await disableSubscription(OWNER, 999_999, { reason: 'Gone.', at: 1 })
    expect(await getSubscription(OWNER, 999_999)).toBeUndefined()
    const orphan = { ...message, delivery_id: message.delivery_id.replace(/^\d+/, '999999'), subscription: 999_999 }
    await insertDelivery({ ...(await world.logOf(message)), ...orphan })
    await world.deliver(orphan)
    expect(await world.logOf(orphan)).toMatchObject({ status: 'disabled', attempts: [] })
    expect(world.requests()).toHaveLength(0)
  })

  it('a delivery does not follow redirects', async () => {
    const receiver: Receiver = await world.receive(() => ({ status: 307, headers: { location: `${receiver.url}/elsewhere` } }))
    const message = await world.pendingAlone()
    await world.deliver(message)
    expect(world.requests().map(({ path }) => path)).toEqual(['/hook'])
    expect(await world.logOf(message)).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 307, error: 'Redirects are not followed (307).' }],
    })
  })

  it('a delivery fails for good when the host of its URL has a placeholder, and says why', async () => {
    await world.receive()
    const message = await world.pendingAlone({ url: 'http://{{metadata.us_state}}.example/' })
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({
      status: 'failed',
      attempts: [{ status_code: null, error: expect.stringContaining('host') }],
    })
  })

  it('a delivery to a private address is not sent', async () => {
    const { port } = new URL((await world.receive()).url)
    const hosts = ['127.0.0.2', '0.0.0.0', '[::ffff:127.0.0.1]', '[::1]', '2130706434', '0x7f.2', '169.254.169.254', '10.0.0.1']
    for (const host of hosts) {
      const message = await world.pendingAlone({ url: `http://${host}:${port}/` })
      await world.deliver(message)
      expect(await world.logOf(message)).toMatchObject({
        attempts: [{ status_code: null, error: 'The address of the destination is not public.' }],
      })
    }
    expect(world.requests()).toHaveLength(0)
  })

  it('a delivery stores only the first KiB of an endless answer', async () => {
    await world.receive((_, _count, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('€'.repeat(300)), 10)
      response.on('close', () => clearInterval(timer))
      return undefined
    })
    const message = await world.pendingAlone()
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ response_body: '€'.repeat(341) }] })
  })

  it('a delivery stores at most a KiB of a binary answer', async () => {
    await world.receive((_, _count, response) => {
      response.writeHead(500).end(Buffer.alloc(2_000, 0xff))
      return undefined
    })
    const message = await world.pendingAlone()
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ attempts: [{ response_body: '\ufffd'.repeat(341) }] })
  })

  it('a delivery counts a broken connection as a failure', async () => {
    await world.receive((_, _count, response) => {
      response.destroy()
      return undefined
    })
    const message = await world.pendingAlone()
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ status: 'pending', attempts: [{ error: 'The request failed: ECONNRESET.' }] })
  })

  it('a delivery times out after 15 seconds without an answer', async () => {
    const { status, attempts } = await silence
    expect({ status, attempts }).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, error: 'No answer within 15 seconds.' }],
    })
    expect(attempts[0]!.duration_ms).toBeGreaterThan(14_900)
  })
})
