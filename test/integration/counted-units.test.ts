import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as deliverWebhook } from '#functions/workers/deliver-webhook.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as matchWebhooks } from '#functions/workers/match-webhooks.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { COUNTED, type CountedUnits, REPORTS } from '#lib/reference/costs/quantities.ts'
import { eventsOf } from '#shared/events/changes.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { passTime } from '#test/support/clock.ts'
import { sweepNewDeployment } from '#test/support/new-deployment.ts'
import { countBatch, recordsFrom } from '#test/support/stream-records.ts'
import { suiteReceiver } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, ingested } from '#test/support/uploads.ts'
import { aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'
import { agentReport, consumeAll, OWNER, request } from '#test/support/world.ts'

/** Repeats of each kind, so that costs that several share are divided by many. */
const MANY = 40
const SOME = 10
const IN_BULK = { inBulk: true }
const QUEUES = ['CALL_QUEUE_URL', 'DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL', 'UPDATE_QUEUE_URL', 'INGESTION_QUEUE_URL']

const { world } = uploadWorld()
const receiver = suiteReceiver()

beforeAll(async () => {
  await saveSubscription(aSubscription({ owner: OWNER, url: `${receiver().url}/hook`, trigger: ['LEAD_CREATED'] }))
})

const lead = (number: number, areaCode: number) => ({
  phone_number: `+1${areaCode}555${`${number}`.padStart(4, '0')}`,
  email: `ann${areaCode}.${number}@example.com`,
  external_id: `${areaCode}-${number}`,
  us_state: 'NY',
  first_name: 'Ann',
})

const createOne = async (body: unknown): Promise<number> => {
  const answer = await request(create, { method: 'POST', path: '/api/leads/', body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

/** Takes all messages from the queues, also delayed ones. */
const drained = async (): Promise<string[]> => {
  const taken = await Promise.all(QUEUES.map((queue) => world().queues.take(queue)))
  return taken.flat()
}
const heldBack = async (): Promise<number> => {
  const numbers = await Promise.all(QUEUES.map((queue) => world().queues.delayed(queue)))
  return numbers.reduce((sum, number) => sum + number, 0)
}

const recordsSince = (place: number) => recordsFrom(world().engine.url, place)
const placeNow = async () => (await recordsSince(0)).length

const eventsSince = async (place: number) => (await recordsSince(place)).flatMap((record) => eventsOf(record as never))

/** Counts the changes for statistics: those of a bulk in one run, and others one by one, as when little happens. */
const countSince = async (place: number, inBulk: boolean) => {
  const records = await recordsSince(place)
  for (const batch of inBulk ? [records] : records.map((record) => [record])) await countBatch(batch)
}

/** The average costs of each of the `count` things that `run` makes. */
const counted = async (count: number, run: () => Promise<unknown>, { inBulk = false } = {}) => {
  const place = await placeNow()
  const held = await heldBack()
  const made = await unitsOf(run)
  const statistics = await unitsOf(() => countSince(place, inBulk))
  const [read, write] = [made.read + statistics.read, made.write + statistics.write]
  const events = await eventsSince(place)
  const messages = await drained()
  const average = (sum: number) => sum / count
  const sent = messages.length + (await heldBack()) - held
  const each: CountedUnits = { read: average(read), write: average(write), events: average(events.length), messages: average(sent) }
  return { each, events, messages }
}

/** Time passes before each report: a lead's entry in the change index moves only when its time changes. */
const tell = async (lead: number, type: string, data: unknown) => {
  passTime(SECOND)
  expect(await request(report, agentReport(world().agentSecret, `${lead}-1`, type, data))).toMatchObject({ status: 200 })
}

/** Shared costs make a small difference. A write that loses a race reads again, which depends on the machine. */
const expectCounted = (each: CountedUnits, known: CountedUnits): void => {
  const differs = (['write', 'events', 'messages'] as const).some((kind) => Math.abs(each[kind] - known[kind]) > 0.5)
  const isNear = Math.abs(each.read - known.read) <= 2 + known.read / 4
  expect(differs || !isNear ? each : known).toEqual(known)
}

describe('the reference of costs', () => {
  it('the reference of costs states the units of a sweep that finds nothing due', async () => {
    await sweepNewDeployment()
    const { each } = await counted(1, () => dispatchDue())
    // An agent that was just set up is looked at.
    expectCounted({ ...each, messages: 0 }, COUNTED.sweep)
  })

  it('the reference of costs states the units of a lead created alone', async () => {
    // Pays for what is read and reserved only now and then.
    await createOne(lead(0, 404))
    await drained()
    const { each } = await counted(MANY, async () => {
      for (let number = 0; number < MANY; number++) await createOne(lead(number, 212))
    })
    expectCounted(each, COUNTED.create)
  })

  it('the reference of costs states the units of a lead created in bulk', async () => {
    const body = { leads: Array.from({ length: MANY }, (_, number) => lead(number, 646)) }
    const { each } = await counted(MANY, () => request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body }), IN_BULK)
    expectCounted(each, COUNTED.bulkCreate)
  })

  it('the reference of costs states the units of a file row that creates a lead', async () => {
    const rows = Array.from({ length: MANY }, (_, number) => {
      const { external_id, first_name, phone_number, email } = lead(number, 917)
      return `${external_id},${first_name},${phone_number},${email},NY,`
    })
    const { each } = await counted(MANY, () => ingested(csv(rows)), IN_BULK)
    expectCounted(each, COUNTED.row)
  })

  it.each(['unansweredCall', 'transferredCall'] as const)('the reference of costs states the units of a call: %s', async (kind) => {
    const areaCode = kind === 'unansweredCall' ? 718 : 347
    const leads: number[] = []
    for (let number = 0; number < SOME; number++) leads.push(await createOne(lead(number, areaCode)))
    // Messages about earlier leads may have been held back until now.
    const dials = (await drained()).map((body) => JSON.parse(body)).filter(({ lead_id }) => leads.includes(lead_id))
    expect(dials).toHaveLength(leads.length)
    passTime(SECOND)
    const { each } = await counted(leads.length, async () => {
      for (const dial of dials) expect(await consumeAll(placeCall, [dial])).toEqual([])
      for (const id of leads) for (const [type, data] of Object.entries(REPORTS[kind])) await tell(id, type, data)
    })
    expectCounted(each, COUNTED[kind])
  })

  it('the reference of costs states the units of an event and its successful delivery', async () => {
    const place = await placeNow()
    for (let number = 0; number < SOME; number++) await createOne(lead(number, 516))
    const events = (await eventsSince(place)).filter(({ trigger }) => trigger === 'LEAD_CREATED')
    await drained()
    expect(events).toHaveLength(SOME)
    const matched = await counted(events.length, () => matchWebhooks(batchOf(events.map((detail) => ({ detail })))))
    const delivered = await counted(events.length, () => deliverWebhook(batchOf(matched.messages.map((body) => JSON.parse(body)))))
    expect(receiver().requests).toHaveLength(events.length)
    const [one, other] = [matched.each, delivered.each]
    const whole = {
      read: one.read + other.read,
      write: one.write + other.write,
      events: one.events + other.events,
      messages: one.messages + other.messages,
    }
    expectCounted(whole, COUNTED.delivery)
  })
})
