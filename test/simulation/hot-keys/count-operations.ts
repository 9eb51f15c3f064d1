import { handler as report } from '#functions/agents/call-events.ts'
import { handler as enterOnList } from '#functions/dnc/create.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as list } from '#functions/leads/list.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as pauseCalls } from '#functions/users/pause-calls.ts'
import { handler as unpauseCalls } from '#functions/users/unpause-calls.ts'
import { handler as applyUpdates } from '#functions/workers/apply-updates.ts'
import { handler as deliverWebhook } from '#functions/workers/deliver-webhook.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as matchWebhooks } from '#functions/workers/match-webhooks.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import type { Operation } from '#lib/reference/hot-keys/operations.ts'
import { takeFill } from '#shared/backlog/waiting-store.ts'
import { getLines } from '#shared/calling/line-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import type { Trigger } from '#shared/platform/values/values.ts'
import { deliveryMessage, newDelivery } from '#shared/webhooks/deliveries.ts'
import { noteSilence, takeSendTurn } from '#shared/webhooks/pace-store.ts'
import { passTime } from '#test/support/clock.ts'
import { countBatch, recordsFrom } from '#test/support/stream-records.ts'
import { csv, ingested } from '#test/support/uploads.ts'
import { aLead, anEvent, batchOf } from '#test/support/webhook-fixtures.ts'
import { agentReport, OWNER, type request, type startWorld } from '#test/support/world.ts'
import { ask, consumed } from './asked.ts'
import { countHeld, countInbound } from './count-held.ts'
import { SLOW_SUBSCRIPTION } from './owner.ts'
import type { KeyUnits, newUnitCounter } from './unit-counter.ts'

type World = Awaited<ReturnType<typeof startWorld>>
type Counting = ReturnType<typeof newUnitCounter>

/** Leads that wait for a call, and as many as a fill sends. */
const DUE = 100
const MANY = 40
const SOME = 20

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

const lead = (number: number, areaCode: number) => ({
  phone_number: `+1${areaCode}555${`${number}`.padStart(4, '0')}`,
  email: `ann${areaCode}.${number}@example.com`,
  external_id: `${areaCode}-${number}`,
  us_state: 'NY',
})
const row = (number: number): string => {
  const { external_id, phone_number, email } = lead(number, 917)
  return `${external_id},Ann,${phone_number},${email},NY,`
}

const one = async <T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> => {
  for (const item of items) await run(item)
}

const createOne = (number: number) => ask(create, { method: 'POST', path: '/api/leads/', body: lead(number, 212) })
const createMany = (count: number, areaCode: number) => {
  const leads = numbers(count).map((number) => lead(number, areaCode))
  return ask(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads } })
}
const page = (filter: string) => () => ask(list, { method: 'GET', path: `/api/leads/?page_size=50${filter}` })
const ofOwner = (handler: Parameters<typeof request>[0], path: string) =>
  ask(handler, { method: 'POST', path: `/api/users/${OWNER}/${path}/`, parameters: { id: `${OWNER}` } })

/** Events that were published before the last read of the subscriptions. */
const eventsOf = (trigger: Trigger, count = SOME) =>
  numbers(count).map((number) => {
    const [lead_id, event_time] = [20_000_000 + number, now() - SECOND]
    return anEvent({
      event_id: `e${number}.${trigger}`,
      trigger,
      owner: OWNER,
      lead_id,
      event_time,
      lead: aLead({ id: lead_id, owner: OWNER }),
    })
  })
const match = (events: readonly unknown[]) => matchWebhooks(batchOf(events.map((detail) => ({ detail }))))
const BATCH = 10
/** Attempts without an answer, after which a destination gets one attempt a minute. */
const DEAD = 6
/** Makes deliveries in batches, as the queue hands them to runs. */
const deliver = async (messages: readonly unknown[]) => {
  for (let at = 0; at < messages.length; at += BATCH) await deliverWebhook(batchOf(messages.slice(at, at + BATCH)))
}

/** Counts the units of each operation. They follow from each other: a call needs a lead that is due. */
export const countOperations = async (
  { engine, queues, agent, agentSecret }: World,
  counting: Counting,
): Promise<Record<Operation, KeyUnits>> => {
  const { countedAlone } = counting
  /** With the statistics of the changes, which are counted in one batch, as when much happens. */
  const counted = (count: number, run: () => Promise<unknown>) =>
    counting.counted(count, async () => {
      const { length } = await recordsFrom(engine.url)
      await run()
      await countBatch(await recordsFrom(engine.url, length))
    })
  const take = async (queue: string) => (await queues.take(queue)).map((body) => JSON.parse(body))
  const tell = async (id: number, type: string, data: unknown) => {
    passTime(SECOND)
    await ask(report, agentReport(agentSecret, `${id}-1`, type, data))
  }
  const call = async (dial: { readonly lead_id: number }) => {
    await consumed(placeCall, [dial])
    await tell(dial.lead_id, 'call.answered', {})
    await tell(dial.lead_id, 'call.ended', {})
    await tell(dial.lead_id, 'call.completed', { outcome: 'no_answer' })
  }
  // Pays for the settings that a function reads only now and then.
  await createOne(0)
  const created = await counted(SOME, () => one(numbers(SOME), (number) => createOne(number + 1)))
  const rows = await counted(DUE, () => ingested(csv(numbers(DUE).map(row))))
  await one(['CALL_QUEUE_URL', 'UPDATE_QUEUE_URL'], take)

  let made: { readonly results: readonly { readonly id: number }[] } = { results: [] }
  const bulkCreated = await counted(DUE, async () => {
    made = await createMany(DUE, 646)
  })
  const ids = made.results.map(({ id }) => id)
  const [called, updated, inBulk] = [ids.slice(0, SOME), ids.slice(SOME, 2 * SOME), ids.slice(2 * SOME, 2 * SOME + MANY)]
  const held = ids.slice(2 * SOME + MANY)
  const taken = await take('CALL_QUEUE_URL')
  const dialsOf = (leads: readonly number[]) => taken.filter(({ lead_id }) => leads.includes(lead_id))
  const dials = dialsOf(called)
  passTime(SECOND)
  const fill = async () => consumed(placeCall, [{ type: 'fill', owner: OWNER, fill_time: (await getLines(OWNER)).fill_time }])
  await takeFill(OWNER, await getLines(OWNER), { next: now(), isRefused: false })

  return {
    create: created,
    row: rows,
    bulkCreate: bulkCreated,
    fill: await countedAlone(fill),
    call: await counted(dials.length, () => one(dials, call)),
    // From here on, leads wait for a line: each end of a call would fill lines, which happens a few times a second.
    sweep: await countedAlone(() => dispatchDue()),
    update: await counted(SOME, () =>
      one(updated, (id) =>
        ask(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body: { external_id: `new-${id}` } }),
      ),
    ),
    bulkUpdate: await counted(MANY, async () => {
      const leads = inBulk.map((id) => ({ id, external_id: `new-${id}` }))
      await ask(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', body: { leads } })
      passTime(SECOND)
      await consumed(applyUpdates, await take('UPDATE_QUEUE_URL'))
    }),
    stop: await counted(SOME, () =>
      one(numbers(SOME), (number) =>
        ask(enterOnList, { method: 'POST', path: '/api/dnc/', body: { phone_number: lead(number, 917).phone_number, call_dnc: true } }),
      ),
    ),
    page: await countedAlone(page('')),
    filteredPage: await countedAlone(page('&status=OPEN')),
    listeners: await countedAlone(() => match([{ ...eventsOf('LEAD_CANCELLED', 1)[0], published_time: now() }])),
    ...(await countDeliveries(take, counting)),
    pause: await countedAlone(async () => {
      await ofOwner(pauseCalls, 'pause-calls')
      await ofOwner(unpauseCalls, 'unpause-calls')
    }),
    inbound: await countInbound(
      numbers(SOME).map((number) => lead(number, 917).phone_number),
      agentSecret,
      counted,
    ),
    ...(await countHeld(agent.url, dialsOf(held), take, counted)),
  }
}

/** One batch of messages in a new process, for a destination that has just had its turn. */
const countAsks = async (counted: Counting['counted']): Promise<KeyUnits> => {
  const subscription = { id: SLOW_SUBSCRIPTION }
  await takeSendTurn(SLOW_SUBSCRIPTION, now())
  for (let timeouts = 0; timeouts < DEAD; timeouts++) await noteSilence(SLOW_SUBSCRIPTION, SECOND, now() + timeouts * MINUTE)
  const asks = eventsOf('LEAD_LOST', BATCH).map((event) => deliveryMessage(newDelivery(event, subscription, '{}', now())))
  return counted(BATCH, () => deliver(asks.map((message) => ({ ...message, fresh: true, waited: 0 }))))
}

const countDeliveries = async (take: (queue: string) => Promise<unknown[]>, { counted }: Counting) => {
  await take('DELIVERY_QUEUE_URL')
  let messages: unknown[] = []
  const delivered = (trigger: Trigger) =>
    counted(SOME, async () => {
      await match(eventsOf(trigger))
      messages = await take('DELIVERY_QUEUE_URL')
      await deliver(messages)
    })
  const delivery = await delivered('LEAD_CREATED')
  const failedDelivery = await delivered('CALL_FAILED')
  passTime(10 * SECOND)
  // The first retry that fails is noted at the subscription.
  await deliver(messages.slice(0, BATCH))
  const retry = await counted(BATCH, () => deliver(messages.slice(BATCH)))
  return { delivery, failedDelivery, retry, ask: await countAsks(counted) }
}
