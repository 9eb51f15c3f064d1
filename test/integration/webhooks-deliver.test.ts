import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { now } from '#shared/platform/clock.ts'
import { TableBusyError } from '#shared/platform/transient-errors.ts'
import { setClock } from '#test/support/clock.ts'
import { deliveryWorld, PAYLOAD } from '#test/support/delivering.ts'
import type { Receiver } from '#test/support/receiver.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { OWNER, SECRETS } from '#test/support/webhook-fixtures.ts'

const world = deliveryWorld()

describe('the delivery worker', () => {
  it('the delivery worker accepts an empty batch', async () => {
    expect(await world.deliver()).toEqual({ batchItemFailures: [] })
  })

  it('the delivery worker sends one delivery signed with every secret, and logs it', async () => {
    await world.receive(() => ({ status: 202, body: 'thanks' }))
    const message = await world.pendingAlone()
    expect(await world.deliver(message)).toEqual({ batchItemFailures: [] })
    const [request] = world.requests()
    expect(request).toMatchObject({ method: 'POST', path: '/hook', body: PAYLOAD })
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/./),
      'webhook-id': (await world.logOf(message)).event_id,
    })
    expect(String(request!.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of SECRETS) {
      expect(new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)).toEqual(JSON.parse(PAYLOAD))
    }
    const stranger = new Webhook(`whsec_${Buffer.from('another secret').toString('base64')}`)
    expect(() => stranger.verify(request!.body, request!.headers as Record<string, string>)).toThrow()
    expect(await world.logOf(message)).toMatchObject({
      status: 'delivered',
      next_attempt_time: null,
      attempts: [{ status_code: 202, error: null, response_body: 'thanks', duration_ms: expect.any(Number) }],
    })
  })

  it('the delivery worker sends many deliveries in parallel, so that a slow destination delays nobody', async () => {
    const receiver: Receiver = await world.receive(async ({ path }) => {
      if (path === '/slow') await receiver.waitFor(4)
      return {}
    })
    const slow = await world.pendingAlone({ url: `${receiver.url}/slow` })
    const others = [await world.pendingAlone(), await world.pendingAlone(), await world.pendingAlone()]
    const done = world.deliver(slow, ...others)
    expect(await done).toEqual({ batchItemFailures: [] })
    for (const message of [slow, ...others]) expect(await world.logOf(message)).toMatchObject({ status: 'delivered' })
  })

  it('the delivery worker reads a subscription once for all of its deliveries in a batch', async () => {
    await world.receive()
    const subscription = await world.subscribe()
    const batch = await Promise.all(Array.from({ length: 10 }, () => world.pending(subscription)))
    // Pays for the user, whose settings are read now and then.
    await world.deliver(await world.pending(subscription))
    const { read } = await unitsOf(() => world.deliver(...batch))
    expect(read).toBe(1 + batch.length)
    expect(world.requests()).toHaveLength(1 + batch.length)
  })

  it('the delivery worker returns only unreadable messages to the queue', async () => {
    await world.receive()
    const response = await world.deliver('{', await world.pendingAlone(), { owner: OWNER })
    expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm2'])
    expect(world.requests()).toHaveLength(1)
  })

  it.each(['PUT', 'PATCH', 'GET'] as const)(
    'the delivery worker sends a %s request to the URL with its placeholders filled in',
    async (method) => {
      const receiver = await world.receive()
      const message = await world.pendingAlone({ method, url: `${receiver.url}/{{metadata.us_state}}?c={{metadata.city}}&x={{nothing}}` })
      await world.deliver(message)
      const [request] = world.requests()
      expect(request).toMatchObject({ method, path: '/NY?c=S%C3%A3o%20Paulo&x=', body: method === 'GET' ? '' : PAYLOAD })
      expect(request!.headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json')
      new Webhook(SECRETS[0]!).verify(request!.body, request!.headers as Record<string, string>)
      expect(await world.logOf(message)).toMatchObject({ status: 'delivered' })
    },
  )

  it('the delivery worker signs with real time, whatever the service’s clock says', async () => {
    await world.receive()
    setClock(Date.now() - 400 * 86_400_000)
    await world.deliver(await world.pendingAlone({}, { next_attempt_time: now() }))
    new Webhook(SECRETS[0]!).verify(world.requests()[0]!.body, world.requests()[0]!.headers as Record<string, string>)
  })

  it('the delivery worker sends no delivery twice, and drops messages about unknown ones', async () => {
    await world.receive()
    const message = await world.pendingAlone()
    await world.deliver(message)
    expect(await world.deliver(message, { ...message, delivery_id: `9-1-${Date.now()}-none` }, { ...message, delivery_id: 'x' })).toEqual({
      batchItemFailures: [],
    })
    expect(world.requests()).toHaveLength(1)
    expect((await world.logOf(message)).attempts).toHaveLength(1)
  })

  it('the delivery worker sends a fresh delivery even if its writer’s clock is ahead', async () => {
    await world.receive()
    const message = await world.pendingAlone({}, { next_attempt_time: now() + 30_000 })
    await world.deliver({ ...message, fresh: true })
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered' })
  })

  it('the delivery worker logs both attempts when two messages arrive at the same moment, and counts one of them', async () => {
    await world.receive(() => ({ status: 500 }))
    const message = await world.pendingAlone()
    await world.deliver(message, message)
    const logged = { status: 'pending', attempts: [{ status_code: 500 }, { status_code: 500 }], earlier_attempts: 1 }
    expect(await world.logOf(message)).toMatchObject(logged)
  })

  it('the delivery worker records an attempt once the table is not busy any more, and does not make it again', async () => {
    await world.receive()
    const message = await world.pendingAlone()
    let refusals = 0
    const refuse = (command: unknown): void => {
      if (command instanceof UpdateCommand && ++refusals <= 2) throw new TableBusyError('The table is busy.')
    }
    expect(await beforeEachSend(refuse, () => world.deliver(message))).toEqual({ batchItemFailures: [] })
    expect(refusals).toBe(3)
    await world.deliver(message)
    expect(world.requests()).toHaveLength(1)
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] })
  })

  it('the delivery worker records an attempt although the speed of its destination cannot be recorded', async () => {
    await world.receive()
    const message = await world.pendingAlone({ slow_since: 1 })
    let refusals = 0
    const refuse = (command: unknown): void => {
      if (!(command instanceof UpdateCommand) || world.requests().length === 0 || refusals > 0) return
      refusals++
      throw new TableBusyError('The table is busy.')
    }
    await beforeEachSend(refuse, () => world.deliver({ ...message, waited: 1 }))
    expect(refusals).toBe(1)
    expect(world.requests()).toHaveLength(1)
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered' })
  })
})
