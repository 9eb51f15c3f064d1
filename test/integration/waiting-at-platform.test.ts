import { afterEach, describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { HOUR, SECOND } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { leadNow, patch, phoneOf } from '#test/support/lead-requests.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { BROKEN, twilioCalls } from '#test/support/platforms/twilio-calls.ts'
import { OWNER } from '#test/support/world.ts'

const WAITS = '0011'
const RINGS = '0008'
const TALKS = '0009'
/** Ten seconds before the calling hours end in New York. */
const LAST_MOMENT = Date.parse('2026-11-21T01:58:50Z')

captureLog()
const { twilio, hide, deliver, called, outcome, place, queued, sweep, cancels, polls, sid } = twilioCalls()

afterEach(() => unpause(OWNER))

describe('a call that waits at its platform', () => {
  it.each([
    ['waits', WAITS],
    ['rings', RINGS],
  ])('a call that still %s at its platform is cancelled soon after its calling hours have ended', async (_, lastFour) => {
    setClock(LAST_MOMENT)
    const one = await called(lastFour)
    await deliver()
    await sweep(3)
    expect(cancels()).toHaveLength(1)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), unknown_time: null, answered_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    expect(await leadNow(one.lead)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
  })

  it('a call that waits at its platform is not cancelled while its phone may ring in time', async () => {
    const one = await called(WAITS)
    await deliver()
    passTime(85 * SECOND)
    await place([{ type: 'watch', call_id: one.call }])
    expect([...polls(), ...cancels()]).toEqual([])
  })

  it.each<[string, (lead: number) => Promise<unknown>]>([
    ['its lead was closed', (lead) => patch(lead, { status: 'CLOSED' })],
    ['its owner paused calls', () => pause(OWNER)],
    ['nothing happened', async () => {}],
  ])('a call that waits at its platform is cancelled within three minutes after %s', async (_, happens) => {
    const one = await called(WAITS)
    passTime(65 * SECOND)
    await happens(one.lead)
    await place(await queued())
    await sweep(2)
    expect(cancels()).toHaveLength(1)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ cancel_asked_time: expect.any(Number), ended_time: expect.any(Number) })
  })

  it('a cancelled call that waited at its platform frees its phone by the next poll when its end is not reported', async () => {
    twilio().callbackFault = 'lost'
    const one = await called(WAITS)
    await sweep(2)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    await sweep(2)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    expect(await outcome(one)).toMatchObject({ status: 'OPEN' })
    expect(cancels()).toHaveLength(1)
  })

  it('a call that waits at its platform keeps its phone while the cancel fails, and is cancelled again each minute', async () => {
    twilio().changeFault = BROKEN
    const one = await called(WAITS)
    await sweep(12)
    expect(cancels().length).toBeGreaterThanOrEqual(9)
    expect(await getCall(one.call)).toMatchObject({ cancel_asked_time: null, unknown_time: null, settled_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    twilio().changeFault = 'none'
    await sweep(2)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a call that waits at its platform is polled again soon when the platform does not answer', async () => {
    twilio().readFault = BROKEN
    await called(WAITS)
    await sweep(3)
    expect(cancels()).toEqual([])
    twilio().readFault = 'none'
    await sweep(2)
    expect(cancels()).toHaveLength(1)
  })

  it('a call that waits too long is cancelled when no platform can reach the service', async () => {
    hide()
    const one = await called(WAITS)
    await sweep()
    expect(cancels()).toEqual([])
    await sweep(2)
    expect(cancels()).toHaveLength(1)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a call that waits at its platform is cancelled once more when it is given up after four hours', async () => {
    twilio().changeFault = BROKEN
    const one = await called(WAITS)
    await sweep(3)
    passTime(4 * HOUR)
    const before = cancels().length
    await sweep(1)
    expect(cancels()).toHaveLength(before + 1)
    expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number) })
  })

  it('a call that waited too long ends at once if the person answers between the poll and the cancel', async () => {
    const one = await called(WAITS)
    await deliver()
    twilio().afterRead = () => twilio().proceed(sid(), 'in-progress')
    await sweep(3)
    await deliver()
    const call = await getCall(one.call)
    expect(call).toMatchObject({ answered_time: expect.any(Number), ended_time: expect.any(Number), unknown_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })
})

describe('a call that somebody answered', () => {
  it('a call that somebody answered goes on, although its calling hours have ended', async () => {
    setClock(LAST_MOMENT)
    const one = await called(TALKS)
    await deliver()
    await sweep(5)
    expect([...cancels(), ...polls()]).toEqual([])
    expect(await getCall(one.call)).toMatchObject({ ended_time: null, cancel_asked_time: null })
  })

  it('a call that somebody answered goes on, polled every ten minutes, when the report of the answer is lost', async () => {
    twilio().callbackFault = 'lost'
    const one = await called(TALKS)
    await sweep(10)
    expect(cancels()).toEqual([])
    expect(polls()).toHaveLength(1)
    expect(await getCall(one.call)).toMatchObject({ ended_time: null, unknown_time: null })
  })
})
