import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/webhooks/replay.ts'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { client } from '#shared/platform/table/client.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { pageOfLog } from '#shared/webhooks/delivery-log.ts'
import { getDelivery } from '#shared/webhooks/delivery-store.ts'
import { deleteSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { setClock } from '#test/support/clock.ts'
import { dueDeliveries } from '#test/support/due-deliveries.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { aCall, aLead, aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER, request } from '#test/support/world.ts'

const world = suiteWorld()

const QUEUE = 'DELIVERY_QUEUE_URL'
const WITH_CALL = 5001
const WITHOUT = 5002
const RUNNING = 5003
const FOREIGN = 5004
/** Leads with a call. */
const THOUSAND = Array.from({ length: 1000 }, (_, index) => 6_000 + index)

const storeLead = async (id: number, { owner = OWNER, completed = true, calls = 1, metadata = {} } = {}) => {
  await putItem(leadItem(aLead({ id, owner, metadata, attempts: calls, last_chat: calls > 0 ? `${id}-1` : null })))
  const fields = completed ? {} : { completed_time: null, outcome: null }
  if (calls > 0) await putItem({ ...callKey(id, 1), ...aCall({ lead: id, owner, call_id: `${id}-1`, summary: `Of ${id}.`, ...fields }) })
}
const subscribe = (fields: Partial<Subscription>) => saveSubscription(aSubscription({ owner: OWNER, ...fields }))

beforeAll(async () => {
  await Promise.all([
    storeLead(WITH_CALL),
    storeLead(WITHOUT, { calls: 0 }),
    storeLead(RUNNING, { completed: false }),
    storeLead(FOREIGN, { owner: 2 }),
  ])
  await inLanes(50, THOUSAND, (id) => storeLead(id))
  await subscribe({ id: 901, trigger: ['CALL_COMPLETE', 'LEAD_CREATED'] })
  await subscribe({ id: 902, trigger: ['CALL_COMPLETE'] })
  await subscribe({ id: 903, trigger: ['CALL_COMPLETE'], enabled: false })
  await subscribe({ id: 904, trigger: ['CALL_COMPLETE'], owner: 2 })
})
beforeEach(async () => {
  await world().queues.take(QUEUE)
})

const replay = (body: unknown, headers = {}) =>
  request(handler, { method: 'POST', path: '/api/agents/webhooks/replay-recent-chat/', headers, body })
const sent = async () => (await world().queues.take(QUEUE)).map((body) => JSON.parse(body))

describe('a replay of recent calls', () => {
  it('a replay sends the latest completed call to matching subscriptions, and reports the leads it skips', async () => {
    const before = await getLead(WITH_CALL)
    const ids = [WITH_CALL, WITHOUT, RUNNING, FOREIGN, 2_000_000_000, -1, 9_999_999_999, WITH_CALL]
    expect(await replay({ lead_ids: ids, triggers: ['CALL_COMPLETE', 'CALL_DNC'] })).toMatchObject({
      status: 202,
      body: { queued: 2, skipped: 6, skipped_lead_ids: [WITHOUT, RUNNING, FOREIGN, 2_000_000_000, -1, 9_999_999_999] },
    })
    const messages = await sent()
    expect(messages.map(({ subscription }) => subscription).toSorted()).toEqual([901, 902])
    const deliveries = await Promise.all(messages.map(({ delivery_id }) => getDelivery(delivery_id)))
    const [first] = deliveries
    expect(new Set(deliveries.map((delivery) => delivery?.event_id)).size).toBe(1)
    expect(first).toMatchObject({ status: 'pending', trigger: 'CALL_COMPLETE', lead: WITH_CALL, owner: OWNER, attempts: [] })
    expect(JSON.parse(first!.payload)).toMatchObject({
      ...{ id: WITH_CALL, trigger: 'CALL_COMPLETE', event_id: first!.event_id, sequence: '0'.repeat(40) },
      last_chat: { call_id: `${WITH_CALL}-1`, summary: `Of ${WITH_CALL}.` },
      call: { call_id: `${WITH_CALL}-1` },
    })
    expect(await getLead(WITH_CALL)).toEqual(before)
    expect(await world().queues.take('CALL_QUEUE_URL')).toEqual([])
  })

  it('a replay counts only the deliveries that it queues', async () => {
    const before = await replay({ lead_ids: [WITH_CALL], triggers: ['LEAD_BAD_NUMBER'] })
    expect(before).toMatchObject({ status: 202, body: { queued: 0, skipped: 0, skipped_lead_ids: [] } })
    await subscribe({ id: 905, trigger: ['LEAD_BAD_NUMBER'], filter_condition: "us_state == 'nowhere'" })
    expect((await replay({ lead_ids: [WITH_CALL], triggers: ['LEAD_BAD_NUMBER'] })).body.queued).toBe(0)
    await subscribe({ id: 906, trigger: ['LEAD_BAD_NUMBER', 'CALL_COMPLETE'], filter_condition: `id == ${WITH_CALL}` })
    expect((await replay({ lead_ids: [WITH_CALL], triggers: ['LEAD_BAD_NUMBER', 'CALL_COMPLETE'] })).body.queued).toBe(4)
    expect(await sent()).toHaveLength(4)
    await Promise.all([deleteSubscription(OWNER, 905), deleteSubscription(OWNER, 906)])
  })

  it('each replay has its own event ids', async () => {
    const ids: string[] = []
    for (let round = 0; round < 2; round++) {
      await replay({ lead_ids: [WITH_CALL], triggers: 'LEAD_CREATED' })
      ids.push((await getDelivery((await sent())[0].delivery_id))!.event_id)
    }
    expect(new Set(ids).size).toBe(2)
  })

  it('a replay whose messages are lost is counted, and left to the sweep', async () => {
    const reply = await whileQueueIsMissing(QUEUE, () => replay({ lead_ids: [WITH_CALL], triggers: ['LEAD_CREATED'] }))
    expect(reply).toMatchObject({ status: 202, body: { queued: 1, skipped: 0 } })
    const due = await dueDeliveries(NOON + 10 * 60_000)
    expect(due.filter(({ message }) => message.delivery_id.includes('LEAD_CREATED'))).not.toHaveLength(0)
  })

  it('a replay runs once per idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'replay' }
    const [first, second] = [
      await replay({ lead_ids: [WITH_CALL], triggers: ['LEAD_CREATED'] }, headers),
      await replay({ lead_ids: [WITH_CALL], triggers: ['LEAD_CREATED'] }, headers),
    ]
    expect(second.body).toEqual(first.body)
    expect(await sent()).toHaveLength(1)
  })

  it('a replay queues a thousand leads in one request', async () => {
    expect(await replay({ lead_ids: THOUSAND, triggers: ['LEAD_CREATED'] })).toMatchObject({
      status: 202,
      body: { queued: 1000, skipped: 0 },
    })
    const messages = await sent()
    expect(messages).toHaveLength(1000)
    expect(new Set(messages.map(({ delivery_id }) => delivery_id)).size).toBe(1000)
  })

  it('a replay is refused above 10,000 deliveries', async () => {
    for (let id = 0; id < 11; id++) await subscribe({ id: 920 + id, trigger: ['SMS_DNC'] })
    expect(await replay({ lead_ids: THOUSAND, triggers: ['SMS_DNC'] })).toMatchObject({
      status: 400,
      body: { lead_ids: ['The replay has more than 10000 deliveries. Replay fewer leads or triggers at once.'] },
    })
    expect(await sent()).toEqual([])
  })

  it('a replay is refused above 20 MB of deliveries', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => 8_000 + index)
    for (const id of ids) await storeLead(id, { metadata: { text: 'x'.repeat(80_000) } })
    expect(await replay({ lead_ids: ids, triggers: ['LEAD_CREATED'] })).toMatchObject({
      status: 400,
      body: { lead_ids: ['The replay has more than 20 MB of deliveries. Replay fewer leads or triggers at once.'] },
    })
    expect(await sent()).toEqual([])
    expect(await replay({ lead_ids: ids.slice(0, 200), triggers: ['LEAD_CREATED'] })).toMatchObject({ status: 202, body: { queued: 200 } })
  })

  it('a replay repeated with its key after a crash is completed once, with few writes at a time', async () => {
    await subscribe({ id: 940, trigger: ['LEAD_LOST'] })
    const ids = THOUSAND.slice(0, 300)
    const { send } = client
    let [written, atOnce, most] = [0, 0, 0]
    const dying = async (command: object, ...rest: unknown[]) => {
      if (!(command instanceof BatchWriteCommand)) return Reflect.apply(send, client, [command, ...rest])
      most = Math.max(most, ++atOnce)
      const result = await Reflect.apply(send, client, [command, ...rest])
      atOnce--
      if (++written === 4) throw new Error('The function dies.')
      return result
    }
    const body = { lead_ids: ids, triggers: ['LEAD_LOST'] }
    const headers = { 'Idempotency-Key': 'dies' }
    client.send = dying as typeof send
    expect((await replay(body, headers)).status).toBe(500)
    client.send = send
    expect(most).toBeLessThanOrEqual(10)
    const log = () => pageOfLog({ id: 940, owner: OWNER, created_time: NOON }, NOON, { size: 1, place: 1 })
    const { count, deliveries } = await log()
    expect(count).toBeGreaterThanOrEqual(100)
    setClock(NOON + 61_000)
    const [first] = deliveries
    expect(await replay(body, headers)).toMatchObject({ status: 202, body: { queued: 300 } })
    expect((await log()).count).toBe(300)
    expect(await getDelivery(first!.delivery_id)).toEqual(expect.objectContaining({ created_time: first!.created_time }))
    expect(new Set((await sent()).map(({ delivery_id }) => delivery_id)).size).toBe(300)
  })
})
