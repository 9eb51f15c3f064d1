import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as match } from '#functions/workers/match-webhooks.ts'
import { REAL_WAITING } from '#lib/ops/waiting.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { listenersAfter } from '#shared/webhooks/listeners.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { startBucketEngine } from '#test/support/bucket-engine.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { startOps } from '#test/support/ops.ts'
import { type QueueEngine, startQueueEngine } from '#test/support/queue-engine.ts'
import { NOON } from '#test/support/samples.ts'
import { anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'
import { OWNER, request, startWorld } from '#test/support/world.ts'

const [QUEUE, LETTERS, STREAM_LETTERS] = ['EVENT_QUEUE_URL', 'EVENT_DEAD_LETTERS_URL', 'GIVEN_UP_QUEUE_URL']

let world: Awaited<ReturnType<typeof startWorld>>
let buckets: Awaited<ReturnType<typeof startBucketEngine>>
let queues: QueueEngine
let tool: Awaited<ReturnType<typeof startOps>>
beforeAll(async () => {
  world = await startWorld()
  buckets = await startBucketEngine()
  queues = await startQueueEngine([QUEUE, LETTERS, STREAM_LETTERS, 'DELIVERY_QUEUE_URL', 'CALL_QUEUE_URL'])
  tool = await startOps()
  process.env['UPLOADS_BUCKET'] = 'uploads'
  await saveSubscription(aSubscription({ id: 42, owner: OWNER, trigger: ['LEAD_CREATED'] }))
})
afterAll(async () => {
  await tool.stop()
  await queues.stop()
  await buckets.stop()
  await world.stop()
})
beforeEach(() => setClock(NOON))

/** The event of a new lead, on its way. */
const created = async (fields: Record<string, unknown>): Promise<LeadEvent> => {
  const { status, body } = await request(create, { method: 'POST', path: '/api/leads/', body: { timezone: 'Pacific/Honolulu', ...fields } })
  expect(status).toBe(201)
  const lead = (await getLead(body.id))!
  return anEvent({ event_id: `e${lead.id}.LEAD_CREATED`, owner: OWNER, lead_id: lead.id, lead, event_time: NOON })
}

const matched = (...events: readonly LeadEvent[]) => match(batchOf(events.map((detail) => ({ detail }))))

const textsWith = async (text: string): Promise<string[]> => {
  const texts: string[] = []
  for await (const { items } of scanTable({ segments: 1 })) texts.push(...items.map((item) => JSON.stringify(item)))
  return texts.filter((each) => each.includes(text))
}

const put = async (name: string, bodies: readonly unknown[]): Promise<void> => {
  const client = new SQSClient({})
  for (const body of bodies) {
    await client.send(
      new SendMessageCommand({ QueueUrl: process.env[name], MessageBody: typeof body === 'string' ? body : JSON.stringify(body) }),
    )
  }
  client.destroy()
}

const onBus = (detail: LeadEvent) => ({ version: '0', detail })

const erased = async (...args: string[]) => {
  const { code, out, err } = await tool.ops(['erase', ...args, '--json'])
  return { code, err, ...JSON.parse(out) }
}

describe('events in transit while a person is erased', () => {
  it('events in transit during an erasure bring back nothing of the person, not even from leads that mention them', async () => {
    const events = [
      await created({ phone_number: '+12125550001' }),
      await created({ phone_number: '+12125550002', friend: '212-555-0001' }),
      await created({ phone_number: '+12125550003' }),
    ]
    expect((await tool.ops(['erase', '+12125550001', '--yes', '--everywhere'])).code).toBe(0)
    expect(await matched(...events)).toEqual({ batchItemFailures: [] })
    expect(await textsWith('5550001')).toEqual([])
    expect((await textsWith('DELIVERY#42')).map((text) => JSON.parse(text).lead).toSorted()).toEqual([
      events[1]!.lead_id,
      events[2]!.lead_id,
    ])
  })

  it('erase also finds a delivery that a function stores ten seconds later, while it does not know yet which leads are erased', async () => {
    const event = { ...(await created({ phone_number: '+12125550004' })), published_time: NOON - SECOND }
    await listenersAfter({ owner: OWNER, published_time: NOON }, {})
    let stored: readonly string[] = []
    const pause = async (milliseconds: number): Promise<void> => {
      if (milliseconds < 10 * SECOND) return
      passTime(10 * SECOND - 1)
      await matched(event)
      stored = await textsWith('5550004')
      passTime(milliseconds - 10 * SECOND + 1)
    }
    const { code } = await tool.ops(['erase', '+12125550004', '--yes'], { waiting: { ...REAL_WAITING, pause } })
    expect({ code, stored }).toEqual({ code: 0, stored: [expect.stringContaining('DELIVERY#')] })
    expect(await textsWith('5550004')).toEqual([])
  })
})

describe('dead letters of events', () => {
  const others = Array.from({ length: 12 }, (_, index) =>
    onBus(anEvent({ event_id: `o${index}`, owner: 2, lead_id: 77 + index, lead: null })),
  )

  it('erase removes dead letters of events about the person, even those that arrive meanwhile, and leaves the others', async () => {
    const event = await created({ phone_number: '+12125550011' })
    const ofOther = onBus(anEvent({ event_id: 'x', owner: 2, lead_id: 90, lead: event.lead }))
    const byId = onBus({ ...event, lead: null })
    await put(LETTERS, [...others, onBus(event), ofOther])
    const answer = async () => {
      await put(LETTERS, [byId, 'about (212) 555-0011'])
      return 'y'
    }
    const { code, out } = await tool.ops(['erase', '+12125550011', '--owner', '1', '--json'], { answer })
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, dead_letters: 3, dead_letters_unseen: 0, lead_ids: [event.lead_id] })
    expect((await queues.take(LETTERS)).toSorted()).toEqual([...others, ofOther].map((body) => JSON.stringify(body)).toSorted())
  })

  it('erase does not look at dead letters of the stream, which hold only ids', async () => {
    await put(STREAM_LETTERS, [{ eventID: 'e', sequence: '1', keys: { pk: { S: 'LEAD#7' }, sk: { S: 'LEAD' } } }])
    const { takeLetters } = await import('#shared/platform/queues/queue-letters.ts')
    expect(await takeLetters(process.env[STREAM_LETTERS]!, 3600, 1)).toHaveLength(1)
    expect(await erased('+12125550013', '--yes')).toMatchObject({ code: 0, dead_letters_unseen: 0 })
  })

  it('erase reports dead letters that could not be read, and must be repeated', async () => {
    await put(LETTERS, others.slice(0, 2))
    const { takeLetters } = await import('#shared/platform/queues/queue-letters.ts')
    expect(await takeLetters(process.env[LETTERS]!, 3600, 1)).toHaveLength(1)
    expect(await erased('+12125550012', '--yes')).toMatchObject({ code: 1, dead_letters: 0, dead_letters_unseen: 1 })
    expect((await tool.ops(['erase', '+12125550012', '--yes'])).out).toContain('1 dead letter of events could not be searched')
    await queues.take(LETTERS)
  })
})
