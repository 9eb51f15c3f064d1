import { beforeAll, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as explain } from '#functions/leads/explain.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { components } from '#lib/openapi/schemas.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { OPENS_AFTER } from '#shared/agents/rules/breaker.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { GATE_NAMES, OPTIONAL_GATES } from '#shared/platform/values/values.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { send } from '#test/support/api-event.ts'
import { helped } from '#test/support/helped.ts'
import { created, newPhone, patched } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { consumeAll, KEY } from '#test/support/world.ts'

const INACTIVE = 5
const ASKS_CONSENT = 6
const UNANSWERED = 7
/** A user of the first one's group who has paused the leads that were there. */
const PAUSED_KEY = 'a-key-of-one-who-paused'

const { world } = callWorld()

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: INACTIVE, active: false }))
  await saveLeadType(sampleLeadType({ id: ASKS_CONSENT, consent_field: 'proof' }))
  await saveLeadType(sampleLeadType({ id: UNANSWERED, agent: 'unanswered' }))
  const agent = { id: 'unanswered', url: 'http://127.0.0.1:1/', secrets: ['whsec_AAAA'] }
  await saveAgent(agent)
  for (let failure = 0; failure < OPENS_AFTER; failure++) await countFailure(agent, 'It answered 503.')
  await openBreaker(agent.id, await getBreaker(agent.id), { openings: 1, open_until: NOON + HOUR, reason: 'It answered 503.', owner: null })
  await saveUser({ id: 3, name: 'User 3', default_lead_type: 4, dnc_group: '1', webhook_secrets: ['whsec_AAAA'] })
  await saveLeadType(sampleLeadType({ owner: 3 }))
  await saveApiKey(PAUSED_KEY, { user: 3, created_time: 0, revoked_time: null })
})

const asked = (id: number, query: Record<string, string> | null = null, key = KEY) =>
  send(explain, {
    method: 'GET',
    path: `/api/leads/${id}/explain/`,
    params: { id: `${id}` },
    query,
    headers: { Authorization: `Token ${key}` },
  })

const explained = async (id: number, query: Record<string, string> | null = null, key = KEY) => {
  const { status, json } = await asked(id, query, key)
  expect(status).toBe(200)
  expect(v.safeParse(components.Explanation, json).issues).toBeUndefined()
  expect(json.gates.map(({ gate }: { gate: string }) => gate)).toEqual(GATE_NAMES.filter((name) => !OPTIONAL_GATES.includes(name)))
  return json
}

interface Gate {
  readonly gate: string
  readonly passed: boolean
  readonly detail: string
  readonly inputs: Record<string, unknown>
}

const refusals = (gates: readonly Gate[]): string[] => gates.flatMap(({ gate, passed }) => (passed || gate === 'due' ? [] : gate))
const gateOf = (gates: readonly Gate[], name: string) => gates.find(({ gate }) => gate === name)

const withAttempts = async (phoneNumber: string, hoursAgo: readonly number[]) =>
  updateItem(
    { pk: await phonePk('1', phoneNumber), sk: 'PHONE' },
    {
      UpdateExpression: 'SET attempts = :attempts ADD version :one',
      ExpressionAttributeValues: { ':attempts': hoursAgo.map((ago) => NOON - ago * HOUR), ':one': 1 },
    },
  )

const inCall = async (body: Record<string, unknown> = {}, key = KEY) => {
  const lead = await created(body, key)
  await consumeAll(placeCall, await world().queues.take('CALL_QUEUE_URL'))
  return lead
}

type Made = { readonly id: number; readonly key?: string }

/** Each lead is not called for one reason alone. `next`: when that is over by itself. */
const LEADS: readonly (readonly [gate: string, make: () => Promise<Made>, next: string | null, detail: RegExp])[] = [
  ['status', async () => patched((await created()).id, { status: 'CANCELLED' }), null, /status CANCELLED/],
  [
    'paused',
    async () => {
      const { id } = await created({}, PAUSED_KEY)
      await updateItem(linesKey(3), { UpdateExpression: 'SET paused_upto = :all', ExpressionAttributeValues: { ':all': 1 } })
      return { id, key: PAUSED_KEY }
    },
    null,
    /leads that existed then/,
  ],
  ['dnc', async () => patched((await created()).id, { call_dnc: true }), null, /must not be called/],
  [
    'litigator',
    async () => {
      const lead = await created()
      await listLitigator(lead.phone_number)
      return lead
    },
    null,
    /list of litigators/,
  ],
  ['lead_type', () => created({ lead_type: INACTIVE }), null, /not active/],
  ['consent', () => created({ lead_type: ASKS_CONSENT }), null, /no proof of consent/],
  ['start_time', () => created({ call_schedule_start_time: '2026-11-20T18:00:00Z' }), '2026-11-20T18:00:00', /does not start before/],
  ['window', () => created({ timezone: 'Pacific/Honolulu' }), '2026-11-20T18:00:00', /06:00 in Pacific\/Honolulu is outside 08:00-21:00/],
  [
    'attempt_cap',
    async () => {
      const lead = await created({ us_state: 'FL' })
      await withAttempts(lead.phone_number, [22, 5, 1])
      return lead
    },
    '2026-11-20T18:00:00',
    /3 of at most 3 attempts/,
  ],
  ['call_in_progress', () => inCall(), '2026-11-20T16:10:0', /^Call \d+-1 to this phone is in progress\. Without a further report/],
  ['capacity', () => created({ lead_type: UNANSWERED }), '2026-11-20T17:00:00', /503/],
]

describe('an explanation', () => {
  it.each(LEADS)('an explanation names the one gate that blocks a lead: %s', async (gate, make, next, detail) => {
    const { id, key = KEY } = await make()
    const { at, callable, gates, lead_id, next_callable_time, timezones, timezone_source } = await explained(id, null, key)
    expect({ lead_id, callable, refusals: refusals(gates) }).toEqual({ lead_id: id, callable: false, refusals: [gate] })
    expect(at).toMatch(/^2026-11-20T16:00:0/)
    expect(gateOf(gates, gate)?.detail).toMatch(detail)
    expect(next_callable_time).toEqual(next === null ? null : expect.stringContaining(next))
    expect({ timezones, timezone_source }).toEqual({
      timezones: [gate === 'window' ? 'Pacific/Honolulu' : 'America/New_York'],
      timezone_source: 'timezone',
    })
  })

  it('an explanation names all gates that block a lead at once', async () => {
    const { id } = await created({ timezone: 'Pacific/Honolulu', lead_type: ASKS_CONSENT })
    await patched(id, { call_dnc: true })
    expect(refusals((await explained(id)).gates)).toEqual(['dnc', 'consent', 'window'])
  })

  it('an explanation says that an open lead is callable, and that a closed one has no call due', async () => {
    const lead = await created({ us_state: 'NY' })
    expect(await explained(lead.id)).toMatchObject({
      callable: true,
      next_callable_time: expect.stringContaining('2026-11-20T16:00:0'),
      location: { state: 'NY', zip: null, source: 'us_state' },
    })
    await patched(lead.id, { status: 'CLOSED' })
    const { gates } = await explained(lead.id)
    expect(gateOf(gates, 'due')).toMatchObject({ passed: false, inputs: { next_call_time: null } })
  })

  it('an explanation names the time zone that could not be used, and the rule that applies', async () => {
    const { id } = await created({ timezone: 'Mars/Olympus', zip: '36104' })
    const { gates, location, timezones, timezone_source } = await explained(id, { at: '2026-11-26T18:00:00Z' })
    expect({ location, timezones, timezone_source }).toEqual({
      location: { state: 'AL', zip: '36104', source: 'zip' },
      timezones: ['America/Chicago'],
      timezone_source: 'zip',
    })
    expect(gateOf(gates, 'window')).toMatchObject({
      passed: false,
      detail: 'AL: Thursday 2026-11-26 12:00 in America/Chicago: there are no calls on Thanksgiving Day.',
      inputs: {
        remarks: [expect.stringContaining('Mars/Olympus')],
        local_times: { 'America/Chicago': '2026-11-26T12:00:00.000000-06:00' },
        closed: [{ rule: 'AL', timezone: 'America/Chicago', reason: 'HOLIDAY' }],
      },
    })
  })

  it('an explanation changes nothing and sends no message', async () => {
    const lead = await created()
    await world().queues.take('CALL_QUEUE_URL')
    const answers = [await explained(lead.id, { at: '2026-11-20T16:00:00Z' }), await explained(lead.id, { at: '2026-11-20T16:00:00Z' })]
    expect(answers[0]).toEqual(answers[1])
    expect(await world().queues.take('CALL_QUEUE_URL')).toEqual([])
  })
})

describe('an explanation for another time', () => {
  it.each([
    ['2026-11-21T03:00:00Z', false, '2026-11-21T13:00:00.000000+00:00'],
    ['2026-11-20T22:00:00-05:00', false, '2026-11-21T13:00:00.000000+00:00'],
    ['2026-11-21T03:00:00', false, '2026-11-21T13:00:00.000000+00:00'],
    ['2026-11-19T15:00:00.5Z', true, '2026-11-19T15:00:00.500000+00:00'],
    ['2031-07-04T15:00:00 00:00', true, '2031-07-04T15:00:00.000000+00:00'],
    ['2026-11-20 15:00', true, '2026-11-20T15:00:00.000000+00:00'],
  ])('an explanation tells whether a call is allowed at %s', async (at, callable, next_callable_time) => {
    const { id } = await created()
    expect(await explained(id, { at })).toMatchObject({ callable, next_callable_time })
  })

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-31T06:00:00Z', '1883-11-18T12:00:00Z'])(
    'an explanation is given for the distant time %s',
    async (at) => {
      const { id } = await created({ us_state: 'AL' })
      await explained(id, { at })
    },
  )

  it.each(['', ' ', 'yesterday', '2026-11', '2026-13-01T00:00:00Z', '1795190400', '2026-11-20T16:00:00+99:00'])(
    'a request for an explanation at the time %j is refused with 400',
    async (at) => {
      const { id } = await created()
      const message = helped(
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]. …',
      )
      expect(await asked(id, { at })).toMatchObject({ status: 400, json: { at: [message] } })
    },
  )
})

describe('an explanation for a user of a group', () => {
  it('an explanation shows another user’s call with the phone without naming it', async () => {
    await updateItem(linesKey(3), { UpdateExpression: 'REMOVE paused_upto' })
    const phone_number = newPhone()
    const theirs = await inCall({ phone_number }, PAUSED_KEY)
    const own = await created({ phone_number })
    const shown = await explained(own.id)
    expect(gateOf(shown.gates, 'call_in_progress')).toMatchObject({ passed: false, inputs: { in_progress: true, call: null } })
    expect(JSON.stringify(shown)).not.toContain(`${theirs.id}-1`)
    expect(JSON.stringify(shown)).not.toContain((await phonePk('1', phone_number)).split('#')[2])
    const told = await explained(theirs.id, null, PAUSED_KEY)
    expect(gateOf(told.gates, 'call_in_progress')?.inputs).toEqual({ in_progress: true, call: `${theirs.id}-1` })
  })
})
