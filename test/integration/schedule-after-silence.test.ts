import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as schedule } from '#functions/leads/schedule-call.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { closeBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { leadNow, phoneOf } from '#test/support/lead-requests.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { request } from '#test/support/world.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }

let agentAnswer: ReceiverAnswer = ACCEPT
const { queued, place, inCall, tell, keysAsked } = callWorld(() => agentAnswer)
beforeEach(async () => {
  agentAnswer = ACCEPT
  await closeBreaker('simulator', NOON)
})

const watch = (call: string) => place([{ type: 'watch', call_id: call }])

const scheduled = async (id: number) => {
  const path = `/api/leads/${id}/schedule-call/`
  const answer = await request(schedule, { method: 'POST', path, parameters: { id: `${id}` }, body: {} })
  expect(answer.status).toBe(200)
  return answer.body
}

/** The order stands, and the call is made. */
const expectCalled = async (lead: number) => {
  expect(await scheduled(lead)).toMatchObject({ scheduled: true, next_call_time_reason: 'SCHEDULED' })
  await place(await queued())
  expect(keysAsked().at(-1)).toBe(`${lead}-2`)
}

/** A call that the agent has not confirmed in time. */
const unconfirmed = async () => {
  agentAnswer = { status: 500 }
  const made = await inCall()
  setClock(NOON + 40_000)
  await watch(made.call)
  expect(await getCall(made.call)).toMatchObject({ unknown_time: expect.any(Number), settled_time: null })
  agentAnswer = ACCEPT
  return made
}

describe('a lead with a call of unknown outcome', () => {
  it.each([
    ['acceptance', [], 11],
    ['the answer', ['call.answered'], 121],
    ['the end', ['call.answered', 'call.ended'], 121],
    ['the end alone', ['call.ended'], 11],
  ])('a lead can be scheduled again when its call falls silent after %s', async (_, told, minutes) => {
    const { lead, call, phone } = await inCall()
    for (const type of told) await tell(call, type)
    setClock(NOON + minutes * MINUTE)
    await watch(call)
    expect(await getCall(call)).toMatchObject({ unknown_time: expect.any(Number) })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    await expectCalled(lead)
  })

  it('a lead can be scheduled only once its unconfirmed call frees the phone', async () => {
    const { lead, call } = await unconfirmed()
    expect(await scheduled(lead)).toMatchObject({ scheduled: false, detail: expect.stringMatching(/in progress/) })
    setClock(NOON + 12 * MINUTE)
    await watch(call)
    await expectCalled(lead)
  })

  it.each([
    ['that ended without an outcome', ['call.ended']],
    ['that was answered and ended without an outcome', ['call.answered', 'call.ended']],
  ])('a lead can be scheduled after an unconfirmed call %s', async (_, told) => {
    const { lead, call, phone } = await unconfirmed()
    for (const type of told) await tell(call, type, {}, 60)
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    await expectCalled(lead)
  })

  it.each([
    ['ended', ['call.ended']],
    ['was answered and ended', ['call.answered', 'call.ended']],
  ])('the sweep releases a lead when its unconfirmed call %s', async (_, told) => {
    const { lead, call } = await unconfirmed()
    for (const type of told) await tell(call, type, {}, 60)
    await watch(call)
    setClock(NOON + 150 * MINUTE)
    await dispatchDue()
    await place((await queued()).filter(({ type }) => type === 'watch'))
    expect(await getLead(lead)).toMatchObject({ current_call: null })
    expect(await getCall(call)).toMatchObject({ settled_time: expect.any(Number) })
  })

  it('a lead keeps its new schedule when the outcome of its silent call arrives late', async () => {
    const { lead, call } = await unconfirmed()
    await tell(call, 'call.ended', {}, 60)
    const { next_call_time } = await scheduled(lead)
    await tell(call, 'call.completed', { outcome: 'no_answer' }, 61)
    expect(await leadNow(lead)).toMatchObject({ next_call_time, next_call_time_reason: 'SCHEDULED' })
    expect(await getCall(call)).toMatchObject({ outcome: 'DIAL_NO_ANSWER', settled_time: expect.any(Number) })
  })
})
