import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { SQSEvent } from 'aws-lambda'
import { handler } from '#functions/workers/match-webhooks.ts'
import { noteErasedLeads } from '#shared/erasure/erasure-store.ts'
import { EVENT_HIDDEN, EVENT_RECEIVES, type LeadEvent } from '#shared/events/event.ts'
import { leadItem } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { callKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { getDelivery, recordAttempt } from '#shared/webhooks/delivery-store.ts'
import { disableSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { suiteQueues, suiteTable } from '#test/support/suite-world.ts'
import { aCall, aLead, anEvent, aSubscription, batchOf, NOW, OWNER } from '#test/support/webhook-fixtures.ts'

const QUEUE = 'DELIVERY_QUEUE_URL'
const SLOW = 'SLOW_DELIVERY_QUEUE_URL'
suiteTable()
const queues = suiteQueues([QUEUE, SLOW])
let serial = 0
const fresh = (fields: Partial<LeadEvent> = {}) => anEvent({ event_id: `e${++serial}.LEAD_CREATED`, ...fields })
const onBus = (detail: LeadEvent) => ({ version: '0', source: 'lead-outreach', 'detail-type': detail.trigger, detail })
const match = (...bodies: unknown[]) => handler(batchOf(bodies))
const sent = async () => (await queues().take(QUEUE)).map((body) => JSON.parse(body))
const idOf = (event: LeadEvent, subscription = 42) => `${subscription}-L${event.lead_id}-${event.event_time}-${event.event_id}`
const payloadOf = async (event: LeadEvent) => JSON.parse((await getDelivery(idOf(event)))!.payload)

beforeAll(async () => {
  await saveSubscription(aSubscription({ trigger: ['LEAD_CREATED', 'CALL_COMPLETE'] }))
  await saveSubscription(aSubscription({ id: 43, trigger: ['LEAD_LOST'] }))
  await saveSubscription(aSubscription({ id: 44, owner: 8 }))
  await putItem(leadItem(aLead()))
})
beforeEach(() => queues().renew(QUEUE))

describe('the webhook matcher', () => {
  it('the webhook matcher sends nothing for an empty batch or an event without subscriptions', async () => {
    expect(await match()).toEqual({ batchItemFailures: [] })
    expect(await match(onBus(fresh({ trigger: 'CALL_DNC' })))).toEqual({ batchItemFailures: [] })
    expect(await sent()).toEqual([])
  })

  it('the webhook matcher creates a delivery with the lead as the event shows it', async () => {
    const event = fresh({ lead: aLead({ status: 'LOST', attempts: 2 }) })
    expect(await match(onBus(event))).toEqual({ batchItemFailures: [] })
    expect(await sent()).toEqual([{ owner: OWNER, subscription: 42, delivery_id: idOf(event), fresh: true }])
    expect(await getDelivery(idOf(event))).toMatchObject({
      subscription: 42,
      owner: OWNER,
      event_id: event.event_id,
      trigger: 'LEAD_CREATED',
      lead: 1001,
      status: 'pending',
      attempts: [],
    })
    expect(await payloadOf(event)).toMatchObject({
      id: 1001,
      status: 'LOST',
      phone_number: '+12125550001',
      metadata: { us_state: 'NY', external_id: 'ä/1' },
      call_dnc: false,
      trigger: 'LEAD_CREATED',
      event_id: event.event_id,
      event_time: '2026-11-20T16:00:00.000000+00:00',
      sequence: '000001',
      call_count: 2,
      last_chat: null,
    })
    expect(await payloadOf(event)).not.toHaveProperty('call')
  })

  it('the webhook matcher creates one delivery per event, and reads the lead when the event has none', async () => {
    const events = Array.from({ length: 12 }, () => fresh())
    expect(await match(...events.map(onBus))).toEqual({ batchItemFailures: [] })
    const ids = (await sent()).map(({ delivery_id }) => delivery_id)
    expect(ids.toSorted()).toEqual(events.map((event) => idOf(event)).toSorted())
    expect(await payloadOf(events[0]!)).toMatchObject({ id: 1001, status: 'OPEN' })
  })

  it('the webhook matcher returns only unreadable messages to the queue', async () => {
    const event = fresh()
    const { trigger: _, ...incomplete } = fresh()
    const response = await match('{', onBus(event), { detail: incomplete }, {})
    expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm2', 'm3'])
    expect(await sent()).toHaveLength(1)
  })

  it('the webhook matcher includes the event’s call, and the latest completed call as last_chat', async () => {
    await putItem({ ...callKey(1002, 1), ...aCall({ lead: 1002, call_id: '1002-1', summary: 'The first.' }) })
    const lead = aLead({ id: 1002, last_chat: '1002-1', attempts: 2 })
    const second = aCall({ lead: 1002, call_id: '1002-2', attempt: 2, completed_time: null, summary: 'The second.' })
    const running = fresh({ trigger: 'CALL_COMPLETE', lead_id: 1002, lead, call: second, call_id: '1002-2' })
    const completed = fresh({ ...running, event_id: 'done', call: { ...second, completed_time: NOW + 90_000 } })
    await match(onBus(running), onBus(completed))
    expect(await payloadOf(running)).toMatchObject({
      call: { call_id: '1002-2', attempt: 2 },
      last_chat: {
        call_id: '1002-1',
        call_direction: 'outbound',
        is_contact: true,
        outcome: 'COMPLETED',
        duration_seconds: 58,
        summary: 'The first.',
        started_time: '2026-11-20T16:00:01.000000+00:00',
        ended_time: '2026-11-20T16:01:00.000000+00:00',
      },
    })
    expect(await payloadOf(completed)).toMatchObject({ last_chat: { call_id: '1002-2', summary: 'The second.' } })
  })

  it('the webhook matcher reads a call that the event only names', async () => {
    await putItem({ ...callKey(1001, 5), ...aCall({ call_id: '1001-5', attempt: 5 }) })
    const event = fresh({ trigger: 'CALL_COMPLETE', call_id: '1001-5' })
    await match(onBus(event))
    expect(await payloadOf(event)).toMatchObject({ call: { call_id: '1001-5' }, last_chat: { call_id: '1001-5' } })
  })

  it('a repeated event gets no second delivery, and is sent again only before its first attempt', async () => {
    const event = fresh()
    await match(onBus(event))
    const before = await getDelivery(idOf(event))
    await match(onBus({ ...event, lead: aLead({ status: 'LOST' }) }))
    expect(await sent()).toHaveLength(2)
    expect(await getDelivery(idOf(event))).toEqual(before)
    const made = { time: NOW, status_code: 500, duration_ms: 5, error: null, response_body: '' }
    await recordAttempt(before!, [made], { status: 'pending', next_attempt_time: NOW + 5_000 })
    await match(onBus(event))
    expect(await sent()).toEqual([])
  })

  it('the webhook matcher creates one delivery for an event that is twice in a batch', async () => {
    const event = fresh()
    expect(await match(onBus(event), onBus(event))).toEqual({ batchItemFailures: [] })
    expect(new Set((await sent()).map(({ delivery_id }) => delivery_id))).toEqual(new Set([idOf(event)]))
  })

  it('the webhook matcher uses a new subscription at once, and a disabled one no longer', async () => {
    await saveSubscription(aSubscription({ id: 45, owner: 9 }))
    await match(onBus(fresh({ owner: 9, lead: aLead({ owner: 9 }) })))
    expect(await sent()).toMatchObject([{ owner: 9, subscription: 45 }])
    await disableSubscription(9, 45, { reason: 'Gone.', at: 1 })
    await match(onBus(fresh({ owner: 9, lead: aLead({ owner: 9 }), event_time: now() })))
    expect(await sent()).toEqual([])
  })

  it('the webhook matcher evaluates a filter against the payload as sent', async () => {
    const owner = 10
    const conditions = {
      50: "metadata.us_state == 'NY' and last_chat == null",
      51: "metadata.us_state == 'CA'",
      52: "trigger == 'LEAD_CREATED' and created_time == '2026-11-20T16:00:00.000000+00:00'",
      53: "has('call') or has('owner') or has('version') or sms_dnc",
      54: '',
      55: "metadata.__proto__.x == 1 and get('constructor', 'none') == 'none'",
    }
    for (const [id, filter_condition] of Object.entries(conditions))
      await saveSubscription(aSubscription({ id: Number(id), owner, filter_condition }))
    const lead = aLead({ owner, metadata: JSON.parse('{"us_state":"NY","__proto__":{"x":1}}') })
    const event = fresh({ owner, lead })
    expect(await match(onBus(event))).toEqual({ batchItemFailures: [] })
    expect((await sent()).map(({ subscription }) => subscription).toSorted()).toEqual([50, 52, 54, 55])
    expect(await getDelivery(idOf(event, 51))).toBeUndefined()
    await match(onBus(fresh({ owner, lead: aLead({ owner, metadata: { us_state: 'CA' }, sms_dnc: true }) })))
    expect((await sent()).map(({ subscription }) => subscription).toSorted()).toEqual([51, 52, 53, 54])
  })

  it('the webhook matcher sends nothing for a missing lead', async () => {
    expect(await match(onBus(fresh({ lead_id: 999 })))).toEqual({ batchItemFailures: [] })
    expect(await sent()).toEqual([])
  })

  it('the webhook matcher sends only data that still exists after an erasure', async () => {
    const [owner, id] = [12, 61]
    await saveSubscription(aSubscription({ id, owner, trigger: ['LEAD_CREATED', 'SMS_COMPLETE', 'CALL_COMPLETE'] }))
    await putItem(leadItem(aLead({ id: 2001, owner, phone_number: '+12125550002' })))
    await noteErasedLeads(owner, new Set([2001, 2002]), NOW)
    const about = (lead_id: number, fields: Partial<LeadEvent> = {}) =>
      fresh({ owner, lead_id, lead: aLead({ id: lead_id, owner, phone_number: '+12125550099' }), ...fields })
    const sms = { sms_id: 's', lead: 2001, owner, call_id: '2001-1', direction: 'inbound' as const, body: 'Hi', status: null, time: NOW }
    const events = [
      about(2001),
      about(2002),
      about(2001, { trigger: 'SMS_COMPLETE', lead: null, sms: { ...sms, phone_number: '+12125550099' } }),
      about(2001, { trigger: 'CALL_COMPLETE', lead: null, call: aCall({ call_id: '2001-9', lead: 2001, owner }), call_id: '2001-9' }),
      about(2003),
    ]
    expect(await match(...events.map(onBus))).toEqual({ batchItemFailures: [] })
    const told = await Promise.all(events.map((event) => getDelivery(idOf(event, id))))
    const phones = told.map((delivery) => delivery && JSON.parse(delivery.payload).phone_number)
    expect(phones).toEqual(['+12125550002', undefined, undefined, undefined, '+12125550099'])
  })

  it('the webhook matcher leaves a delivery to the repeated event when the queue is down', async () => {
    const event = fresh()
    expect((await whileQueueIsMissing(QUEUE, () => match(onBus(event)))).batchItemFailures).toEqual([{ itemIdentifier: 'm0' }])
    await match(onBus(event))
    expect(await sent()).toMatchObject([{ delivery_id: idOf(event) }])
  })

  /** Its message fails once, the delivery having been written; what came of the second try. */
  const repeated = async (event: LeadEvent, between: () => Promise<void>, again: (batch: SQSEvent) => void) => {
    expect((await whileQueueIsMissing(QUEUE, () => match(onBus(event)))).batchItemFailures).toEqual([{ itemIdentifier: 'm0' }])
    await between()
    const batch = batchOf([onBus(event)])
    again(batch)
    expect(await handler(batch)).toEqual({ batchItemFailures: [] })
    return sent()
  }
  const receivedAgain = ({ Records }: SQSEvent) => {
    Records[0]!.attributes.ApproximateReceiveCount = '2'
  }

  it.each([
    ['the filter does not match any more', { filter_condition: "status == 'LOST'" }],
    ['the subscription is disabled', { enabled: false }],
    ['the subscription asks for other triggers', { trigger: ['LEAD_LOST' as const] }],
  ])('a repeated event sends a delivery that was written but not sent, even if %s', async (_, change) => {
    const [owner, id] = [11, 60]
    await saveSubscription(aSubscription({ id, owner }))
    const event = fresh({ owner, lead: aLead({ owner }) })
    const edit = () => saveSubscription(aSubscription({ id, owner, ...change }))
    expect(await repeated(event, edit, receivedAgain)).toMatchObject([{ owner, subscription: id, delivery_id: idOf(event, id) }])
  })

  it('a repeated event sends a delivery that was written but not sent, even when its message comes back from the dead letters', async () => {
    const [owner, id] = [12, 61]
    await saveSubscription(aSubscription({ id, owner }))
    const event = fresh({ owner, lead: aLead({ owner }), event_time: Date.now() })
    const later = async () => {
      await disableSubscription(owner, id, { reason: 'Gone.', at: 1 })
      passTime(EVENT_RECEIVES * EVENT_HIDDEN)
    }
    expect(await repeated(event, later, () => {})).toMatchObject([{ owner, subscription: id }])
    setClock(Date.now())
  })
})
