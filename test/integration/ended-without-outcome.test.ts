import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getCall, recordMilestones } from '#shared/calling/call-store.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'

const { inCall, told, place, queued } = callWorld()

/** Runs the sweep at an instant, and then handles the messages about calls that the sweep sent. */
const sweep = async (instant: number): Promise<void> => {
  setClock(instant)
  await dispatchDue()
  await place((await queued()).filter(({ type }) => type === 'watch'))
}

const NEXT = { status: 'OPEN', next_call_time: expect.any(String) }

describe('a call whose end was reported, but not its outcome', () => {
  it('an ended call without an outcome gets its presumed outcome 30 minutes after the last report', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.answered')
    await told(call, 'call.ended', { duration_seconds: 12, presumed_outcome: 'not_interested' })
    await sweep(NOON + 29 * MINUTE)
    expect(await getCall(call)).toMatchObject({ completed_time: null, unknown_time: null })
    await sweep(NOON + 31 * MINUTE)
    expect(await getCall(call)).toMatchObject({ reported_outcome: 'not_interested', settled_time: expect.any(Number) })
    expect(await leadNow(lead)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('an ended call that nobody had answered gets its presumed outcome ten minutes after the last report', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.ended', { presumed_outcome: 'no_answer' })
    await sweep(NOON + 9 * MINUTE)
    expect(await getCall(call)).toMatchObject({ completed_time: null })
    await sweep(NOON + 11 * MINUTE)
    expect(await getCall(call)).toMatchObject({ reported_outcome: 'no_answer', outcome: 'DIAL_NO_ANSWER' })
    expect(await leadNow(lead)).toMatchObject(NEXT)
  })

  it.each(['do_not_call', 'litigator'])(
    'an end with the presumed outcome %s stops the number at once, whatever outcome follows',
    async (presumed) => {
      const { call, lead, phone } = await inCall({ email: 'one@example.com' })
      const { id: other } = await created({ phone_number: phone, email: 'two@example.com' })
      await told(call, 'call.answered')
      await told(call, 'call.ended', { presumed_outcome: presumed })
      for (const id of [lead, other]) expect(await leadNow(id)).toMatchObject({ call_dnc: true, next_call_time: null })
      expect(await getCall(call)).toMatchObject({ completed_time: null })
      await told(call, 'call.completed', { outcome: 'hung_up' })
      expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    },
  )

  it('an ended call without any outcome becomes UNKNOWN two hours after the last report, and the next call is planned', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.answered')
    await told(call, 'call.ended')
    await sweep(NOON + 119 * MINUTE)
    expect(await getCall(call)).toMatchObject({ completed_time: null, unknown_time: null })
    expect(await leadNow(lead)).toMatchObject({ next_call_time: null })
    await sweep(NOON + 2 * HOUR + MINUTE)
    expect(await getCall(call)).toMatchObject({ unknown_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await leadNow(lead)).toMatchObject(NEXT)
  })

  it('an outcome that comes after its call became UNKNOWN keeps the plan for the lead, but a stop still counts', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.answered')
    await told(call, 'call.ended')
    await sweep(NOON + 2 * HOUR + MINUTE)
    await told(call, 'call.completed', { outcome: 'not_interested' })
    expect(await getCall(call)).toMatchObject({ reported_outcome: 'not_interested', outcome: 'COMPLETED_STOP_CALLING' })
    expect(await leadNow(lead)).toMatchObject(NEXT)
    await told(call, 'dnc.requested', { channel: 'call' })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})

describe('the explanation of a lead whose call is not finished', () => {
  const text = (instant: number) => new Date(instant).toISOString().replace(/Z$/, '000+00:00')

  it('an explanation names the call whose outcome the lead waits for, and says when it counts as unknown', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.answered')
    await told(call, 'call.ended')
    const until = text(NOON + 2 * HOUR)
    const { callable, next_callable_time, gates } = await explained(lead)
    expect({ callable, next_callable_time }).toEqual({ callable: false, next_callable_time: until })
    expect(gates.due).toMatchObject({ passed: false, inputs: { next_call_time: null, call } })
    expect(gates.due.detail).toBe(
      `The lead waits for the outcome of call ${call}, which was over at ${text(NOON)}. ` +
        `Without a further report, the call counts as unknown at ${until}, and then the next call is planned.`,
    )
    expect(gates.call_in_progress).toMatchObject({ passed: true })
  })

  it('an explanation names the presumed outcome of an ended call', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.ended', { presumed_outcome: 'no_answer' })
    const { gates } = await explained(lead)
    expect(gates.due.detail).toContain(
      `Without a further report, its outcome is no_answer from ${text(NOON + 10 * MINUTE)}, and then the next call is planned.`,
    )
  })

  it('an explanation names the call in progress, and until when its phone is held without a further report', async () => {
    const { call, lead } = await inCall()
    const until = text(NOON + 10 * MINUTE)
    const { callable, next_callable_time, gates } = await explained(lead)
    expect({ callable, next_callable_time }).toEqual({ callable: false, next_callable_time: until })
    expect(gates.call_in_progress).toMatchObject({
      passed: false,
      detail: `Call ${call} to this phone is in progress. Without a further report, the phone is free from ${until}.`,
      inputs: { in_progress: true, call },
      next_time: until,
    })
    expect(gates.due.detail).toContain(`The lead waits for the outcome of call ${call}, which is in progress.`)
  })

  it('an explanation names an unknown call that still holds the phone, also for another lead of the same user', async () => {
    const { call, lead, phone } = await inCall({ email: 'one@example.com' })
    const { id: other } = await created({ phone_number: phone, email: 'two@example.com' })
    await recordMilestones((await getCall(call))!, { unknown_time: NOON + MINUTE, failure: 'No answer.' })
    await sweep(NOON + 2 * MINUTE)
    const until = text(NOON + 10 * MINUTE)
    for (const id of [lead, other]) {
      const { gates } = await explained(id)
      expect(gates.call_in_progress).toMatchObject({
        detail: `It is not known how call ${call} to this phone went. The phone may still be in use, so it is held until ${until}.`,
        inputs: { in_progress: true, call },
        next_time: until,
      })
    }
  })
})
