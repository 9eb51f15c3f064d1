import { describe, expect, it } from '@jest/globals'
import { handler as enter } from '#functions/dnc/create.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { nextSequence, timeOfSequence } from '#shared/platform/sequence.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopFromCall } from '#shared/stops/stop-from-call.ts'
import { stopHistory } from '#shared/stops/stop-history.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone, patched, phoneOf } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

const { world, queued, place, inCall, tell, told } = callWorld()

const cancels = () =>
  world()
    .agent.requests.filter(({ path }) => path === '/cancel')
    .map(({ body }) => JSON.parse(body).call_id)

const stopped = async () => {
  const phone_number = newPhone()
  await request(enter, { method: 'POST', path: '/api/dnc/', body: { phone_number } })
  return phone_number
}

describe('a stop that the person asks for in a call', () => {
  it.each<[string, unknown]>([
    ['dnc.requested', { channel: 'call' }],
    ['call.completed', { outcome: 'do_not_call' }],
    ['call.completed', { outcome: 'litigator' }],
    ['call.ended', { presumed_outcome: 'do_not_call' }],
    ['call.ended', { presumed_outcome: 'litigator' }],
  ])('a lifted stop stays lifted when the call repeats its report %s %j', async (type, data) => {
    const { lead, call, phone } = await inCall()
    await tell(call, type, data)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
    await patched(lead, { call_dnc: false })
    await tell(call, type, data)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false })
  })

  it.each<[string, unknown]>([
    ['dnc.requested', { channel: 'call' }],
    ['call.completed', { outcome: 'do_not_call' }],
    ['call.ended', { presumed_outcome: 'do_not_call' }],
  ])('a stop in the report %s %j applies although the report is refused for naming another call of the agent', async (type, data) => {
    const { lead, call } = await inCall()
    expect(await tell(call, type, data, 0, { provider_call_id: 'another' })).toMatchObject({ status: 400 })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await getCall(call)).toMatchObject({ completed_time: null })
  })

  it.each<[unknown]>([[{ channel: 'fax' }], [{ channel: 'all', words: 'Never again' }], [{}], [null], [undefined], [['call']], ['call']])(
    'a stop without a known channel stops calls and texts: %j',
    async (data) => {
      const { lead, call } = await inCall()
      expect(await tell(call, 'dnc.requested', data)).toMatchObject({ status: 200 })
      expect(await leadNow(lead)).toMatchObject({ call_dnc: true, sms_dnc: true, next_call_time: null })
    },
  )

  it('stops that a person asks for in a call are tracked separately for calls and texts', async () => {
    const { lead, call } = await inCall()
    await tell(call, 'dnc.requested', { channel: 'sms' })
    await patched(lead, { sms_dnc: false })
    await tell(call, 'dnc.requested', { channel: 'call' })
    await tell(call, 'dnc.requested', { channel: 'sms' })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, sms_dnc: false })
  })

  it('a stop that a person asks for applies to a lead that is created between repeated reports', async () => {
    const { call, phone } = await inCall({ email: 'one@example.com' })
    await Promise.all([1, 2, 3].map(() => tell(call, 'dnc.requested', { channel: 'call' })))
    const later = await created({ phone_number: phone, email: 'two@example.com' })
    await tell(call, 'dnc.requested', { channel: 'call' })
    expect(await leadNow(later.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a lifted stop takes effect again when the person asks again in a later call', async () => {
    const { lead, call } = await inCall()
    await tell(call, 'call.completed', { outcome: 'do_not_call' })
    await patched(lead, { call_dnc: false, status: 'OPEN' })
    await place(await queued())
    await tell(`${lead}-2`, 'dnc.requested', { channel: 'call' })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
  })
})

describe('a person who asks again after a lift', () => {
  /** A call whose stop was lifted, and the agent's clock a minute later, in seconds after NOON. */
  const lifted = async () => {
    const { lead, call, phone } = await inCall()
    await told(call, 'sms.completed', { direction: 'inbound', body: 'Stop calling' })
    expect(await patched(lead, { call_dnc: false })).toMatchObject({ call_dnc: false })
    const later = timeOfSequence((await phoneOf(phone)).call_lifted ?? '') + MINUTE
    setClock(later)
    return { lead, call, phone, later: (later - NOON) / SECOND }
  }
  const stopsOf = async (phone: string) => (await stopHistory(await phonePk('1', phone))).filter(({ action }) => action === 'stopped')

  it.each<[string, unknown, boolean]>([
    ['sms.completed', { direction: 'inbound', body: 'I said: stop calling!' }, false],
    ['dnc.requested', { channel: 'call', words: 'Never again' }, false],
    ['call.completed', { outcome: 'do_not_call' }, true],
    ['sms.completed', { direction: 'inbound', body: 'Stop calling' }, true],
    ['dnc.requested', { channel: 'call' }, true],
  ])('a lifted stop is raised again when the person asks again in the same call: %s %j', async (type, data, isLater) => {
    const { lead, call, phone, later } = await lifted()
    for (let repeat = 0; repeat < 2; repeat++) await told(call, type, data, isLater ? later : 0)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true })
    expect(await stopsOf(phone)).toHaveLength(2)
  })

  it('the same words are another stop when their time is after the lift, and a repeat when it is before', async () => {
    const { lead, call, phone, later } = await lifted()
    const asked = { channels: ['call'], means: 'text', words: 'Stop calling' } as const
    const again = async (seconds: number) => stopFromCall((await getCall(call))!, { ...asked, time: NOON + seconds * SECOND })
    await again(0)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
    for (let repeat = 0; repeat < 2; repeat++) await again(later)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await stopsOf(phone)).toHaveLength(2)
  })

  it('a repeat shows the second stop on the leads that a crash left out', async () => {
    const { lead, call, phone } = await lifted()
    await raiseDnc(await phonePk('1', phone), ['call'], { accepted: nextSequence(), owner: OWNER, origin: { means: 'call' } })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
    await told(call, 'dnc.requested', { channel: 'call', words: 'Never again' })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})

describe('a call whose lead changes its phone', () => {
  it('a call in conversation continues when its lead gets a new phone that is stopped', async () => {
    const { lead, call } = await inCall()
    await tell(call, 'call.answered')
    await patched(lead, { phone_number: await stopped() })
    expect((await leadNow(lead)).call_dnc).toBe(true)
    expect((await tell(call, 'call.data_collected', { collected: { a: 1 } })).body).toMatchObject({
      cancel: false,
      call_dnc: false,
      sms_dnc: false,
    })
  })

  it('a ringing call continues when its lead gets a new phone that is stopped', async () => {
    const { lead, call } = await inCall()
    await patched(lead, { phone_number: await stopped() })
    await place([{ type: 'cancel', call_id: call }])
    expect(cancels()).toEqual([])
    expect((await tell(call, 'call.answered')).body).toMatchObject({ cancel: false })
  })

  it('a call is cancelled when the ringing phone is stopped, even if its lead has another phone by then', async () => {
    const { lead, call, phone } = await inCall()
    await patched(lead, { phone_number: newPhone() })
    await request(enter, { method: 'POST', path: '/api/dnc/', body: { phone_number: phone } })
    await place([{ type: 'cancel', call_id: call }])
    expect(cancels()).toEqual([call])
    expect((await tell(call, 'call.answered')).body).toMatchObject({ cancel: true, call_dnc: true })
  })
})
