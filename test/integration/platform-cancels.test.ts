import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime } from '#test/support/clock.ts'
import { patch, phoneOf } from '#test/support/lead-requests.ts'
import { BROKEN, twilioCalls } from '#test/support/platforms/twilio-calls.ts'

const RINGS = '0008'
const TALKS = '0009'

captureLog()
const { twilio, deliver, called, place, queued, sweep, cancels, polls, sid, stopped } = twilioCalls()

/** Stops the person of a call. @returns the indexes of the messages that come back */
const stop = async (lead: number) => {
  await patch(lead, { call_dnc: true })
  return place(await queued())
}

describe('a conversation with a person who must not be called', () => {
  it('a conversation with a person who must not be called is cancelled again each minute while the platform fails', async () => {
    const one = await called(TALKS)
    await deliver()
    twilio().changeFault = BROKEN
    expect(await stop(one.lead)).toEqual([])
    await sweep(5)
    expect(cancels()).toHaveLength(6)
    twilio().changeFault = 'none'
    await sweep()
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number) })
    const sent = cancels().length
    await sweep(2)
    expect(cancels()).toHaveLength(sent)
  })

  it('a conversation with a person who must not be called is cancelled when only a poll shows it', async () => {
    twilio().callbackFault = 'lost'
    const one = await called(TALKS)
    passTime(5 * MINUTE)
    await patch(one.lead, { call_dnc: true })
    // The message is lost.
    await queued()
    passTime(11 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(polls()).toHaveLength(1)
    expect(await getCall(one.call)).toMatchObject({ cancel_asked_time: expect.any(Number) })
  })

  it('a conversation with a person who must not be called is cancelled despite a cancel accepted while it rang', async () => {
    const one = await called(RINGS)
    await deliver()
    twilio().changeFault = { status: 200, body: { sid: sid(), status: 'ringing' } }
    await stop(one.lead)
    expect(await getCall(one.call)).toMatchObject({ cancel_asked_time: expect.any(Number) })
    twilio().changeFault = 'none'
    passTime(5 * SECOND)
    twilio().proceed(sid(), 'in-progress')
    await deliver()
    expect(cancels()).toHaveLength(1)
    await sweep()
    expect(cancels()).toHaveLength(2)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ answered_time: expect.any(Number), ended_time: expect.any(Number) })
  })

  it('a cancelled conversation frees its phone within two minutes when the report of its end is lost', async () => {
    const one = await called(TALKS)
    await deliver()
    twilio().callbackFault = 'lost'
    await stop(one.lead)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    await sweep(2)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    expect(cancels()).toHaveLength(1)
  })

  it('after a stop, the service cancels a call that it had given up each minute until a cancel works', async () => {
    Object.assign(twilio(), { dialFault: 'lost-after', readFault: BROKEN })
    const one = await called(TALKS)
    for (let tries = 0; tries < 5; tries++) {
      passTime(10 * SECOND)
      await place([{ type: 'watch', call_id: one.call }])
    }
    expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number), provider_call_id: null })
    await deliver()
    Object.assign(twilio(), { readFault: 'none', changeFault: BROKEN })
    expect(await stop(one.lead)).toEqual([])
    await sweep(3)
    expect(cancels()).toHaveLength(4)
  })
})

describe('a stop', () => {
  it('a stop ends a call that has been waiting at the platform for minutes', async () => {
    const one = await called('0008')
    passTime(5 * MINUTE)
    await patch(one.lead, { call_dnc: true })
    await place(await queued())
    expect(await getCall(one.call)).toMatchObject({ cancel_asked_time: expect.any(Number) })
  })

  it.each([
    ['while it rings', '0008'],
    ['during the conversation', '0009'],
  ])('a stop ends a call on a platform %s', async (_, lastFour) => {
    const one = await called(lastFour)
    await deliver()
    const { asked, ended, lead } = await stopped(one)
    expect(asked).toMatchObject({ cancel_asked_time: expect.any(Number) })
    expect(ended).toMatchObject({ ended_time: expect.any(Number) })
    expect(lead).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})
