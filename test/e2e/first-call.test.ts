import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { helped } from '#test/support/helped.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Json, type Service, startService, until } from '#test/support/service.ts'

const NEW_YORK = 'America/New_York'

let service: Service
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
})

const createLead = async (phone_number: string) => {
  const answer = await service.call('POST', '/api/leads/', { phone_number, timezone: NEW_YORK })
  expect(answer.status).toBe(201)
  return answer.body
}

const leadNow = async (id: number) => (await service.call('GET', `/api/leads/${id}/`)).body

describe('a new lead', () => {
  it('a new lead is called at once and closed, and each of its events is delivered once', async () => {
    const trigger = ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_COMPLETE', 'LEAD_CLOSED']
    expect((await service.call('POST', '/api/webhooks/', { url: `${receiver.url}/hook`, trigger })).status).toBe(201)

    const lead = await createLead('+12125550001')
    const dials = await until(service.dials, ({ by_phone }) => by_phone['+12125550001'] === 1)
    expect(dials.by_key).toEqual({ [`${lead.id}-1`]: 1 })

    const closed = await until(
      () => leadNow(lead.id),
      ({ status }) => status !== 'OPEN',
    )
    expect(closed).toMatchObject({ status: 'CLOSED', status_detail: 'warm_transfer', next_call_time: null })
    await receiver.waitFor(trigger.length)
    // An unwanted event would arrive before the event of a later lead.
    const { body: later } = await service.call('POST', '/api/leads/', { phone_number: '+18085550001', timezone: 'Pacific/Honolulu' })
    await receiver.waitFor(trigger.length + 1)
    const all = receiver.requests.map(({ body, headers }) => {
      new Webhook(service.webhookSecret).verify(body, headers as Record<string, string>)
      return JSON.parse(body)
    })
    expect(all.filter(({ id }) => id === later.id)).toHaveLength(1)
    const told = all.filter(({ id }) => id === lead.id)
    expect(told).toHaveLength(trigger.length)
    expect(told.map((payload) => payload.trigger).toSorted()).toEqual(trigger.toSorted())
    expect(new Set(told.map(({ event_id }) => event_id)).size).toBe(trigger.length)
    for (const payload of told) expect(payload).toMatchObject({ id: lead.id, phone_number: '+12125550001', call_dnc: false })
    expect(told.find((payload) => payload.trigger === 'CALL_COMPLETE')).toMatchObject({
      status: 'CLOSED',
      call: { call_id: `${lead.id}-1`, call_status: 'COMPLETED' },
      last_chat: { is_contact: true, outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER' },
    })
    expect(told.find((payload) => payload.trigger === 'BEFORE_CALLING')).toMatchObject({ status: 'OPEN', call: { call_status: 'QUEUED' } })
  })
})

/** Outcomes of calls, by the last digits of the number. */
const ENDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '0003': { status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' },
  '0004': { status: 'CALLBACK_TO_TRANSFER', next_call_time_reason: 'CALLBACK' },
  '0005': { status: 'SCHEDULE_COMPLETED', status_detail: 'appointment_booked', next_call_time: null },
  '0006': { status: 'LOST', status_detail: null, call_dnc: false },
  '0007': { status: 'LOST', status_detail: 'has_call_dnc', call_dnc: true },
  '0008': { status: 'BAD_NUMBER', next_call_time: null },
}

const FAILING = ['0009', '0010', '0011', '0012']

/** Creates a lead at night, restarts the service shortly before eight, and waits for the call. */
const callAtEight = async () => {
  const data = await mkdtemp(join(tmpdir(), 'service-'))
  try {
    const night = await startService(['--data', data, '--port', '0', '--now', '2026-11-20T08:00:00Z'])
    const asked = async () => {
      const { body: lead } = await night.call('POST', '/api/leads/', { phone_number: '+12125550001', timezone: NEW_YORK })
      return { lead, calledAtNight: (await night.dials()).by_phone }
    }
    const { lead, calledAtNight } = await asked().finally(() => night.end())
    const morning = await startService(['--data', data, '--port', '0', '--now', '2026-11-20T12:59:40Z'])
    const { calls } = await until(morning.dials, (dials) => dials.by_phone['+12125550001'] === 1).finally(() => morning.end())
    return { lead, calledAtNight, calls }
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

describe('a call to a lead', () => {
  const leads = new Map<string, Json>()
  let eight: ReturnType<typeof callAtEight>

  beforeAll(async () => {
    const numbers = [...Object.keys(ENDS).map((digits) => `+1312555${digits}`), ...FAILING.map((digits) => `+1415555${digits}`)]
    await Promise.all(numbers.map(async (number) => leads.set(number.slice(-4), await createLead(number))))
    eight = callAtEight()
    eight.catch(() => {})
  })
  // Waits until the services that it has started are stopped.
  afterAll(() => eight?.catch(() => {}))

  it.each(Object.entries(ENDS))(
    'a call to a number ending %s leaves its lead in the state that belongs to the number',
    async (digits, expected) => {
      const settled = await until(
        () => leadNow(leads.get(digits)!.id),
        (now) => now.status_reason === 'CHAT',
      )
      expect(settled).toMatchObject(expected)
    },
  )

  it('all requests for a call to a failing agent have one key, and the lead shows the result', async () => {
    const ids = FAILING.map((digits) => leads.get(digits)!.id)
    const [failing, hanging, silent, twice] = ids
    const resolved = (lead: Json) => lead.next_call_time_reason === 'NEXT_AVAILABLE_SLOT'
    for (const id of [failing, hanging, twice]) expect(resolved(await until(() => leadNow(id!), resolved))).toBe(true)
    expect(await leadNow(failing!)).toMatchObject({ status: 'OPEN', status_reason: 'UNKNOWN' })
    expect(await leadNow(hanging!)).toMatchObject({ status: 'OPEN', status_reason: 'UNKNOWN' })
    expect(await leadNow(silent!)).toMatchObject({ status: 'OPEN', next_call_time: null })
    expect(await leadNow(twice!)).toMatchObject({ status: 'OPEN', status_reason: 'CHAT' })

    const dials = await service.dials()
    const keys = ids.map((id) => `${id}-1`)
    expect(keys.map((key) => dials.by_key[key] ?? 0)).toEqual([0, 1, 1, 1])
    expect(Object.keys(dials.requests).filter((key) => ids.some((id) => key.startsWith(`${id}-`)))).toEqual(expect.arrayContaining(keys))
    expect(dials.requests[keys[0]!]).toBeGreaterThan(1)
    expect(Object.values(dials.by_key).every((count) => count === 1)).toBe(true)
    expect(dials.in_progress_overlaps).toBe(0)
  })

  it('a call outside calling hours waits until eight o’clock, even through a restart', async () => {
    const { lead, calledAtNight, calls } = await eight
    expect(lead).toMatchObject({ status: 'OPEN', next_call_time: '2026-11-20T13:00:00.000000+00:00' })
    expect(calledAtNight).toEqual({})
    const late = Date.parse(calls[0]!.first_request_service_time) - Date.parse('2026-11-20T13:00:00Z')
    expect(late).toBeGreaterThanOrEqual(0)
    expect(calls.map(({ key }) => key)).toEqual([`${lead.id}-1`])
  })
})

describe('bad input', () => {
  it.each<[string, string, string, unknown, number, unknown]>([
    ['no phone', 'POST', '/api/leads/', {}, 400, { phone_number: ['This field is required.'] }],
    ['a blank phone', 'POST', '/api/leads/', { phone_number: ' ' }, 400, { phone_number: ['This field may not be blank.'] }],
    [
      'no phone number',
      'POST',
      '/api/leads/',
      { phone_number: '123' },
      400,
      { phone_number: [helped('The phone number entered is not valid. …')] },
    ],
    [
      'two mistakes',
      'POST',
      '/api/leads/',
      { phone_number: '', email: 'x' },
      400,
      { phone_number: ['This field may not be blank.'], email: [helped('Enter a valid email address. …')] },
    ],
    [
      'an unknown lead type',
      'POST',
      '/api/leads/',
      { phone_number: '+12125550002', lead_type: 2_000_000_000 },
      400,
      { lead_type: [helped('Invalid pk "2000000000" - object does not exist. …')] },
    ],
    ['malformed JSON', 'POST', '/api/leads/', '{"phone_number": ', 400, { detail: expect.stringMatching(/^JSON parse error - /) }],
    ['an unknown path', 'GET', '/api/nothing/', undefined, 404, { detail: helped('Not found. …') }],
    ['a path outside', 'GET', '/nothing/', undefined, 404, { detail: helped('Not found. …') }],
    ['a missing lead', 'GET', '/api/leads/2000000000/', undefined, 404, { detail: 'Not found.' }],
    ['a wrong method', 'PUT', '/api/leads/', {}, 405, { detail: helped('Method "PUT" not allowed. …') }],
    [
      'an unknown trigger',
      'POST',
      '/api/webhooks/',
      { url: 'https://a.co', trigger: ['X'] },
      400,
      { trigger: [helped('"X" is not a valid choice. …')] },
    ],
  ])('the API refuses %s', async (_, method, path, body, status, expected) => {
    const answer = await service.call(method, path, body)
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: expected })
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })

  it.each([
    ['', helped('Authentication credentials were not provided. …')],
    ['Token', helped('Invalid token header. No credentials provided. …')],
    ['Token a b', helped('Invalid token header. Token string should not contain spaces. …')],
    ['Token wrong', helped('Invalid token. …')],
  ])('the API refuses the credentials "%s"', async (authorization, detail) => {
    const answer = await fetch(`${service.url}/api/leads/1/`, { headers: { authorization } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Token')
    expect(await answer.json()).toEqual({ detail })
  })

  it('a lead of another user gets the same answer as a missing lead', async () => {
    const lead = await createLead('+16175550006')
    const foreign = await service.call('GET', `/api/leads/${lead.id}/`, undefined, service.otherApiKey)
    const missing = await service.call('GET', '/api/leads/2000000000/', undefined, service.otherApiKey)
    expect({ status: foreign.status, body: foreign.body }).toEqual({ status: missing.status, body: missing.body })
  })
})
