import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as book } from '#functions/agents/calendar-book.ts'
import { handler as slots } from '#functions/agents/calendar-slots.ts'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as inbound } from '#functions/agents/inbound-calls.ts'
import { routes } from '#lib/routes.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { calendarWorld, START } from '#test/support/calendar-calls.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

const NUMBER = '+12125550190'
const OTHERS = 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA=='

const world = calendarWorld()
beforeAll(async () => {
  await saveAgent({ id: 'other', url: 'http://127.0.0.1:1/', secrets: [OTHERS] })
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
  await saveLeadType(sampleLeadType({ id: 7, owner: OWNER, agent: 'other', inbound_numbers: ['+12125550191'] }))
})

type Handler = typeof slots

const time = new Date(NOON).toISOString()

/** A request that is taken of the call's own agent. */
const REQUESTS: readonly (readonly [string, Handler, (call: string) => object])[] = [
  ['agents/call-events', report, (call_id) => ({ type: 'call.answered', call_id, time })],
  ['agents/calendar-slots', slots, (call_id) => ({ call_id })],
  ['agents/calendar-book', book, (call_id) => ({ call_id, start_time: START })],
  ['agents/inbound-calls', inbound, (call) => ({ provider_call_id: call, from: '+12125556000', to: NUMBER })],
]
const ofCalls = REQUESTS.slice(0, 3)

const send = (handler: Handler, call: string, body: unknown, secret = world.agentSecret) =>
  request(handler, agentRequest(secret, '', body, { call_id: call }))

it('the tests of signatures cover every agent route', () => {
  const names = routes.filter(({ auth }) => auth === 'agent').map((route) => route.function)
  expect(REQUESTS.map(([name]) => name).sort()).toEqual([...new Set<string>(names)].sort())
})

describe.each(REQUESTS)('%s', (_, handler, bodyFor) => {
  it('an agent request is accepted with the signature of the agent of the call and refused with that of another agent', async () => {
    world.setAnswer({ body: '{"slots":[]}' })
    const { call } = await world.inCall()
    const before = await getCall(call)
    const refused = await send(handler, call, bodyFor(call), OTHERS)
    expect(refused).toMatchObject({ status: 401, body: { detail: 'Invalid signature.' } })
    expect(refused.headers['WWW-Authenticate']).toBe('Signature')
    expect(await getCall(call)).toEqual(before)
    expect(world.calendar.requests).toEqual([])
    expect((await send(handler, call, bodyFor(call))).status).toBeLessThan(300)
  })

  it('an agent request is refused without a signature or with the signature of another body', async () => {
    const { call } = await world.inCall()
    const signed = agentRequest(world.agentSecret, '', bodyFor(call), { call_id: call })
    for (const wrong of [
      { ...signed, headers: {} },
      { ...signed, body: `${signed.body} ` },
    ]) {
      expect(await request(handler, wrong)).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Signature' } })
    }
  })
})

describe.each(ofCalls)('%s', (_, handler, bodyFor) => {
  it('an agent request for an unknown call is answered like a wrong signature', async () => {
    expect(await send(handler, '999999-1', bodyFor('999999-1'))).toMatchObject({ status: 401, body: { detail: 'Invalid signature.' } })
  })

  it('a signed agent request is refused when its body names another call of the agent, or no call', async () => {
    const [one, two] = [await world.inCall(), await world.inCall()]
    const before = await getCall(two.call)
    const answer = await send(handler, two.call, bodyFor(one.call))
    expect(answer).toMatchObject({ status: 400, body: { call_id: ['The body names another call than the path.'] } })
    expect(await getCall(two.call)).toEqual(before)
    expect(world.calendar.requests).toEqual([])
    expect(await send(handler, two.call, { ...bodyFor(two.call), call_id: undefined })).toMatchObject({
      status: 400,
      body: { call_id: ['This field is required.'] },
    })
  })

  it.each([
    ['{', { detail: expect.stringContaining('JSON parse error') }],
    ['', { call_id: ['This field is required.'] }],
    ['[]', { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    ['null', { non_field_errors: ['No data provided'] }],
    ['"text"', { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] }],
  ])('an agent request with the signed body %j is answered with a 400', async (text, errors) => {
    const { call } = await world.inCall()
    expect(await send(handler, call, text)).toMatchObject({ status: 400, body: errors })
  })
})
