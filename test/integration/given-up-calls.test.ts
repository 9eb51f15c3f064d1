import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime } from '#test/support/clock.ts'
import { patch } from '#test/support/lead-requests.ts'
import { BROKEN, twilioCalls } from '#test/support/platforms/twilio-calls.ts'

captureLog()
const { twilio, deliver, called, sweep, sid, place, queued } = twilioCalls()
const watch = (call: string) => place([{ type: 'watch', call_id: call }])

/** A call that rings, although its request had no answer, and that is given up before its platform reports it. */
const givenUp = async () => {
  Object.assign(twilio(), { dialFault: 'lost-after', readFault: BROKEN })
  const one = await called('0009')
  for (let tries = 0; tries < 5; tries++) {
    passTime(10 * SECOND)
    await watch(one.call)
  }
  expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number), provider_call_id: null })
  Object.assign(twilio(), { dialFault: 'none', readFault: 'none' })
  return one
}

const COUNTED = { reported_outcome: 'completed', settled_time: expect.any(Number) }

describe('a call that was given up, and that its platform reports later', () => {
  it('a given-up call is watched when its platform reports it later, and gets its outcome though callbacks are lost', async () => {
    const one = await givenUp()
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ answered_time: expect.any(Number), provider_call_id: sid() })
    twilio().callbackFault = 'lost'
    await sweep(11)
    expect(await getCall(one.call)).toMatchObject({ settled_time: null, completed_time: null })
    twilio().proceed(sid(), 'completed')
    await sweep(11)
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: null, settled_time: null })
    await sweep(31)
    expect(await getCall(one.call)).toMatchObject(COUNTED)
    expect(twilio().rung).toHaveLength(1)
  })

  it('a given-up call gets its late outcome although the next call to the person has begun', async () => {
    const one = await givenUp()
    passTime(5 * MINUTE)
    twilio().proceed(sid(), 'completed')
    await deliver()
    passTime(27 * MINUTE)
    await dispatchDue()
    await place(await queued())
    expect(await getLead(one.lead)).toMatchObject({ current_call: `${one.lead}-2` })
    await watch(one.call)
    await sweep(10)
    expect(await getCall(one.call)).toMatchObject(COUNTED)
    expect(await getLead(one.lead)).toMatchObject({ current_call: `${one.lead}-2` })
  })

  it('a given-up call gets its late outcome although its lead was closed before', async () => {
    const one = await givenUp()
    await patch(one.lead, { status: 'CLOSED' })
    twilio().proceed(sid(), 'completed')
    await deliver()
    await sweep(35)
    expect(await getCall(one.call)).toMatchObject(COUNTED)
    expect(await getLead(one.lead)).toMatchObject({ status: 'CLOSED', current_call: null })
  })

  it('a given-up call gets its late outcome although it was settled before the first report', async () => {
    const one = await givenUp()
    await sweep(12)
    expect(await getCall(one.call)).toMatchObject({ settled_time: expect.any(Number), provider_call_id: null })
    twilio().proceed(sid(), 'completed')
    await deliver()
    await deliver()
    await sweep(35)
    expect(await getCall(one.call)).toMatchObject(COUNTED)
  })

  it('a given-up and settled call is polled after a late report of its answer that no further report follows', async () => {
    const one = await givenUp()
    await sweep(12)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ answered_time: expect.any(Number), ended_time: null })
    twilio().callbackFault = 'lost'
    twilio().proceed(sid(), 'completed')
    await sweep(60)
    expect(await getCall(one.call)).toMatchObject(COUNTED)
  })
})
