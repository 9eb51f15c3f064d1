import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'

const { inCall, told, place, queued } = callWorld()

/** Runs the sweep at an instant, and the messages about calls that it sends. */
const sweep = async (instant: number): Promise<void> => {
  setClock(instant)
  await dispatchDue()
  await place((await queued()).filter(({ type }) => type === 'watch'))
}

const NEXT = { status: 'OPEN', next_call_time: expect.any(String) }

describe('a call whose end was reported, but not its outcome', () => {
  it('gets its presumed outcome 30 minutes after the last report', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.answered')
    await told(call, 'call.ended', { duration_seconds: 12, presumed_outcome: 'not_interested' })
    await sweep(NOON + 29 * MINUTE)
    expect(await getCall(call)).toMatchObject({ completed_time: null, unknown_time: null })
    await sweep(NOON + 31 * MINUTE)
    expect(await getCall(call)).toMatchObject({ reported_outcome: 'not_interested', settled_time: expect.any(Number) })
    expect(await leadNow(lead)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('gets its presumed outcome ten minutes after the last report when nobody had answered', async () => {
    const { call, lead } = await inCall()
    await told(call, 'call.ended', { presumed_outcome: 'no_answer' })
    await sweep(NOON + 9 * MINUTE)
    expect(await getCall(call)).toMatchObject({ completed_time: null })
    await sweep(NOON + 11 * MINUTE)
    expect(await getCall(call)).toMatchObject({ reported_outcome: 'no_answer', outcome: 'DIAL_NO_ANSWER' })
    expect(await leadNow(lead)).toMatchObject(NEXT)
  })

  it('becomes UNKNOWN two hours after the last report without a presumed outcome, and the next call is planned', async () => {
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

  it('keeps the plan for the lead when its outcome comes after that, but a stop still counts', async () => {
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
