import { expect, it } from '@jest/globals'
import { saveUser } from '#shared/accounts/user-store.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { withHotKey } from '#test/support/hot-key.ts'
import { stoppedMachineClock } from '#test/support/machine-clock.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { aSubscription, SECRETS } from '#test/support/webhook-fixtures.ts'

const world = deliveryWorld()
const sentDuring = watchSent()
const pass = stoppedMachineClock()

const OTHER = 8
/** A process begins so many at once, unless its pace has fallen. */
const FEW = 20
/** The pace of a process falls at most once a second. After so many falls, about seven begin at once. */
const FALLS = 3

it('webhooks of others are sent at once, although waiting deliveries keep the key of one dead destination busy', async () => {
  // When the first webhook arrives, the time is up for all that still wait for their turn.
  const { url } = await world.receive((_, count) => {
    if (count === 1) pass(1.5 * SECOND)
    return {}
  })
  await saveUser({
    ...{ id: OTHER, name: 'Other', is_staff: false, default_lead_type: null, dnc_group: 'o', lines: 10, webhook_secrets: SECRETS },
  })
  await saveSubscription(aSubscription({ id: 4000, owner: OTHER, url: `${url}/hook` }))
  const others = await Promise.all(
    Array.from({ length: FEW }, async (): Promise<DeliveryMessage> => {
      const message = await world.pending(4000, { owner: OTHER })
      return { ...message, owner: OTHER, fresh: true }
    }),
  )
  const dead = await world.subscribeDead()
  const waiting = { ...(await world.pending(dead)), fresh: true, waited: 600 }
  for (let fall = 0; fall < FALLS; fall++) {
    await withHotKey(`PACE#${dead}`, async () => void (await world.deliver(waiting)))
    pass(SECOND)
  }
  expect(await sentDuring(async () => void (await world.deliver(...others)))).toHaveLength(0)
  expect(world.requests()).toHaveLength(FEW)
})
