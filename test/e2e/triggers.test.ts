import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inLanes } from '#shared/platform/lanes.ts'
import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import { localAgent } from '#test/support/local-agent.ts'
import { eventPromises } from '#test/support/openapi/promise.ts'
import { type Json, type Service, startService, until } from '#test/support/service.ts'
import { startSubscriber } from '#test/support/subscriber.ts'

/** 11:00 in New York, 06:00 in Honolulu. */
const NOW = '2026-11-20T16:00:00Z'
/** 06:00 in New York and 01:00 in Honolulu on the next day. Promised callbacks are late, and nobody may be called. */
const NEXT_DAY = '2026-11-21T11:00:00Z'
const CALLED = { timezone: 'America/New_York' }
const NOT_CALLED = { timezone: 'Pacific/Honolulu' }
/** Attempts in the cadence of the local lead type. */
const ATTEMPTS = 8
/** Leads to handle at once. The first one takes as long as all others together. */
const LANES = 3

let directory: string
let service: Service
let subscriber: Awaited<ReturnType<typeof startSubscriber>>
let subscriptions: ReadonlyMap<Trigger, number>
let breaches: ReturnType<typeof eventPromises>

const create = async (fields: Record<string, unknown>, expected = 201): Promise<Json> => {
  const { status, body } = await service.call('POST', '/api/leads/', fields)
  expect({ status, body }).toMatchObject({ status: expected })
  return body
}
const leadNow = async (id: number) => (await service.call('GET', `/api/leads/${id}/`)).body

/** A lead whose call ends as the last digits of its phone decide. */
const calledAt = (digits: string) => async () => (await create({ phone_number: `+1212555${digits}`, ...CALLED })).id

const cancelled = async () => {
  const { id } = await create({ phone_number: '+12125550101', ...NOT_CALLED })
  expect(await service.call('PATCH', `/api/leads/${id}/`, { status: 'CANCELLED' })).toMatchObject({ status: 200 })
  return id
}

/** A phone that is always busy, called until the cadence ends. */
const calledInVain = async () => {
  const id = await calledAt('0022')()
  for (let made = 1; made < ATTEMPTS; made++) {
    await subscriber.hear(id, 1 + 3 * made)
    const ordered = await service.call('POST', `/api/leads/${id}/schedule-call/`, {})
    expect(ordered).toMatchObject({ status: 200, body: { scheduled: true } })
  }
  return id
}

const PERSON = { phone_number: '+12125550102', email: 'again@example.com', ...NOT_CALLED }
/** The lead as the API showed it before and after its reengagement. */
const reengagement: Json[] = []
const reengaged = async () => {
  const { id } = await create({ ...PERSON, status: 'CLOSED', external_id: 'old', lead_source: 'spring', first_name: 'Ann', color: 'red' })
  reengagement.push(await leadNow(id))
  const fields = { external_id: 'new', lead_source: 'autumn', color: 'blue', min_reengagement_days: 0 }
  expect((await create({ ...PERSON, ...fields }, 200)).id).toBe(id)
  reengagement.push(await leadNow(id))
  return id
}

const calling = async () => {
  const agent = localAgent(service, directory)
  const rung = await agent.ring('+12125550103')
  expect(rung).toMatchObject({ status: 201, body: { call_id: expect.any(String) } })
  const { call_id, lead } = rung.body
  await agent.tell(call_id, 'sms.completed', NOW, { direction: 'inbound', body: 'I am on my way.' })
  expect(await agent.tell(call_id, 'call.completed', NOW, { outcome: 'assigned', is_contact: true })).toMatchObject({ status: 200 })
  return lead.id
}

const CALL = ['BEFORE_CALLING', 'CALL_ENDED', 'CALL_COMPLETE'] as const
const TALK = ['LEAD_CREATED', ...CALL, 'LEAD_UPDATED'] as const

/** By what happens to a lead: how to create it, and its events, once each. */
const SEQUENCES: Readonly<Record<string, readonly [() => Promise<number>, readonly Trigger[]]>> = {
  'is never there': [calledInVain, ['LEAD_CREATED', ...Array(ATTEMPTS).fill(CALL).flat(), 'LEAD_CLOSED_INCOMPLETE']],
  'is transferred': [calledAt('0001'), [...TALK, 'CALL_TRANSFER_INITIATED', 'LEAD_CLOSED']],
  'asks to be called back': [calledAt('0004'), [...TALK, 'LEAD_CALLBACK_TO_TRANSFER', 'LEAD_LATE_CALLBACK']],
  'makes an appointment': [calledAt('0005'), [...TALK, 'LEAD_SCHEDULE_COMPLETED']],
  'is not interested': [calledAt('0006'), [...TALK, 'LEAD_LOST']],
  'asks not to be called': [calledAt('0007'), [...TALK, 'LEAD_LOST', 'CALL_DNC']],
  'is somebody else': [calledAt('0008'), [...TALK, 'LEAD_BAD_NUMBER']],
  'lives too far away': [calledAt('0021'), [...TALK, 'LEAD_OUT_OF_TERRITORY']],
  'asks not to be sent text messages': [calledAt('0027'), [...TALK, 'SMS_COMPLETE', 'SMS_DNC']],
  'the agent refuses to call': [calledAt('0029'), ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_FAILED']],
  'is cancelled': [cancelled, ['LEAD_CREATED', 'LEAD_CANCELLED']],
  'comes again': [reengaged, ['LEAD_CREATED', 'LEAD_CLOSED', 'LEAD_BEFORE_REENGAGEMENT', 'LEAD_REENGAGEMENT']],
  calls: [calling, ['LEAD_CREATED', 'LEAD_FIRST_INBOUND', 'SMS_COMPLETE', 'CALL_ENDED', 'CALL_COMPLETE', 'LEAD_CLOSED']],
}
const names = Object.keys(SEQUENCES)
const leads = new Map<string, number>()
const eventsOf = (name: string) => subscriber.eventsOf(leads.get(name)!)
const isLate = (trigger: Trigger) => trigger === 'LEAD_LATE_CALLBACK'

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'triggers-'))
  subscriber = await startSubscriber()
  service = await startService(['--port', '0', '--data', directory, '--now', NOW])
  subscriptions = await subscriber.subscribe(service)
  await inLanes(LANES, Object.entries(SEQUENCES), async ([name, [run, expected]]) => {
    const id = await run()
    leads.set(name, id)
    await subscriber.hear(id, expected.filter((trigger) => !isLate(trigger)).length)
  })
  await service.end()

  service = await startService(['--port', '0', '--data', directory, '--now', NEXT_DAY])
  breaches = eventPromises((await service.call('GET', '/api/schema/')).body)
  await until(
    () => subscriber.all(),
    (told) => told.some(({ trigger }) => isLate(trigger)),
  )
})
afterAll(async () => {
  await service?.end()
  await subscriber?.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the events of a lead', () => {
  it.each(names)('subscribers receive the events of a lead that %s', (name) => {
    expect(
      eventsOf(name)
        .map(({ trigger }) => trigger)
        .sort(),
    ).toEqual([...SEQUENCES[name]![1]].sort())
  })
})

describe('each trigger', () => {
  it.each(TRIGGERS)('the trigger %s reaches its subscription, signed and in the documented format', (trigger) => {
    const told = subscriber.all().filter((one) => one.path === `/${trigger}`)
    expect(told).not.toEqual([])
    expect(subscriber.forged).toEqual([])
    for (const one of told) expect({ trigger: one.trigger, breaches: breaches(trigger, one.payload) }).toEqual({ trigger, breaches: [] })
    for (const { webhookId, payload } of told) expect(payload.event_id).toBe(webhookId)
  })

  it('each event appears as delivered in the log of its subscription', async () => {
    for (const [trigger, id] of subscriptions) {
      const read = async () => (await service.call('GET', `/api/webhooks/${id}/deliveries/?page_size=100`)).body['results'] as Json[]
      const log = await until(read, (all) => all.every(({ status }) => status === 'delivered'))
      const told = subscriber.all().filter((one) => one.trigger === trigger)
      expect(log.map(({ event_id }) => event_id).sort()).toEqual(told.map(({ webhookId }) => webhookId).sort())
    }
  })
})

describe('the payload', () => {
  const only = (name: string, trigger: Trigger) => eventsOf(name).find((one) => one.trigger === trigger)?.payload

  it('the payload of an event shows the lead before and after a reengagement', () => {
    const [before, after] = reengagement
    expect(before).toMatchObject({
      status: 'CLOSED',
      external_id: 'old',
      lead_source: 'spring',
      metadata: { first_name: 'Ann', color: 'red' },
    })
    expect(only('comes again', 'LEAD_BEFORE_REENGAGEMENT')).toMatchObject(before!)
    expect(after).toMatchObject({
      status: 'OPEN',
      external_id: 'new',
      reengagements_count: 1,
      metadata: { first_name: 'Ann', color: 'blue' },
    })
    expect(only('comes again', 'LEAD_REENGAGEMENT')).toMatchObject(after!)
  })

  it('the payload of BEFORE_CALLING shows the lead and the call before the call is placed', () => {
    const { next_call_time, call, last_chat } = only('is transferred', 'BEFORE_CALLING')
    expect(next_call_time).not.toBeNull()
    expect({ call, last_chat }).toMatchObject({ call: { call_status: 'QUEUED', started_time: null }, last_chat: null })
  })

  it('the payload names the call of the event and the latest completed call', () => {
    const id = leads.get('is transferred')
    for (const trigger of [...CALL, 'CALL_TRANSFER_INITIATED', 'LEAD_UPDATED'] as const)
      expect(only('is transferred', trigger)).toMatchObject({ id, call: { call_id: `${id}-1`, lead: id, attempt: 1 } })
    expect(only('is transferred', 'CALL_COMPLETE')).toMatchObject({
      ...{ status: 'CLOSED', call_count: 1, call: { call_status: 'COMPLETED' } },
      last_chat: { call_id: `${id}-1`, call_direction: 'outbound', is_contact: true, outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER' },
    })
    expect(only('calls', 'CALL_COMPLETE')).toMatchObject({ last_chat: { call_direction: 'inbound' }, call: { call_direction: 'inbound' } })
    expect(only('is never there', 'LEAD_CLOSED_INCOMPLETE')).toMatchObject({ call_count: ATTEMPTS, status: 'CLOSED_INCOMPLETE' })
  })

  it('the payload includes the transfer of a transferred call', async () => {
    const transfer = async () => {
      const { body } = await service.call('GET', `/api/leads/${leads.get('is transferred')}/calls/`)
      return (body['results'] as { transfer: { mode: string | null } | null }[])[0]?.transfer
    }
    expect(await until(transfer, (leg) => leg?.mode === 'warm')).toMatchObject({ mode: 'warm', status: 'ended' })
    expect(only('is transferred', 'CALL_TRANSFER_INITIATED').call.transfer).not.toBeNull()
  })

  it('the payload of SMS_COMPLETE contains the text message and the current stops', () => {
    const stop = only('asks not to be sent text messages', 'SMS_COMPLETE')
    expect(stop).toMatchObject({ sms: { direction: 'inbound', body: 'STOP' }, call: { call_id: `${stop.id}-1` } })
    expect(only('asks not to be sent text messages', 'SMS_DNC')).toMatchObject({ sms_dnc: true, call_dnc: false })
    expect(only('asks not to be called', 'CALL_DNC')).toMatchObject({ sms_dnc: false, call_dnc: true })
    expect(only('asks not to be called', 'LEAD_LOST')).toMatchObject({ sms_dnc: false, call_dnc: true })
    expect(only('calls', 'SMS_COMPLETE')).toMatchObject({ sms: { body: 'I am on my way.' }, call_dnc: false, sms_dnc: false })
  })

  it.each(names)('the payload has a sequence that follows the life of a lead that %s', (name) => {
    const events = eventsOf(name)
    const triggers = events.map(({ trigger }) => trigger)
    const first = (trigger: Trigger) => triggers.indexOf(trigger)
    // Events of one write share its sequence: a lead created in a final status has two.
    const earliest = events.filter(({ payload }) => payload.sequence === events[0]?.payload.sequence)
    expect(earliest.map(({ trigger }) => trigger)).toContain('LEAD_CREATED')
    const lived = CALL.filter((trigger) => triggers.includes(trigger)).map(first)
    expect(lived).toEqual(lived.toSorted((a, b) => a - b))
  })
})
