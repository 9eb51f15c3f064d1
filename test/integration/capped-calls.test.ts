import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { send } from '#test/support/api-event.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone, patched } from '#test/support/lead-requests.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { KEY } from '#test/support/world.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }

let agentAnswer: ReceiverAnswer = ACCEPT
const { world, queued, place, tell } = callWorld(() => agentAnswer)
beforeEach(async () => {
  agentAnswer = ACCEPT
})

const called = async (phoneNumber: string, hoursAgo: readonly number[]) =>
  updateItem(
    { pk: await phonePk('1', phoneNumber), sk: 'PHONE' },
    {
      UpdateExpression: 'SET attempts = :attempts ADD version :one',
      ExpressionAttributeValues: { ':attempts': hoursAgo.map((ago) => NOON - ago * HOUR), ':one': 1 },
    },
  )

/** A lead in a call, whose phone was called before. Florida allows three calls in 24 hours, from 8 in Chicago to 20 in New York. */
const inCall = async (hoursAgo: readonly number[], lead: Record<string, unknown> = { us_state: 'FL' }) => {
  const phone_number = newPhone()
  await called(phone_number, hoursAgo)
  const { id } = await created({ phone_number, ...lead })
  await place(await queued())
  return { id, call: `${id}-1` }
}

const ended = async (hoursAgo: readonly number[], outcome = 'no_answer', more: Record<string, unknown> = {}) => {
  const { id, call } = await inCall(hoursAgo)
  await tell(call, 'call.completed', { outcome, ...more })
  return leadNow(id)
}

const nextCallable = async (id: number, at: string) => {
  const headers = { Authorization: `Token ${KEY}` }
  const { json } = await send(explain, {
    method: 'GET',
    path: `/api/leads/${id}/explain/`,
    params: { id: `${id}` },
    query: { at },
    headers,
  })
  return json.next_callable_time
}

describe('the next call', () => {
  it('the next call is planned for the time that the attempt cap of the state allows, and made then', async () => {
    const lead = await ended([22, 5])
    expect(lead).toMatchObject({ next_call_time: '2026-11-20T18:00:00.000000+00:00', next_call_time_reason: 'ATTEMPT_CAP' })
    expect(await nextCallable(lead.id, '2026-11-20T16:30:00Z')).toBe(lead.next_call_time)
    setClock(NOON + 2 * HOUR)
    await dispatchDue()
    await place(await queued())
    expect(world().agent.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([`${lead.id}-1`, `${lead.id}-2`])
  })

  it('the next call is planned for the start of the window when the attempt cap ends at night', async () => {
    // By ten in the evening a fourth one would be allowed.
    const lead = await ended([13, 12.5])
    expect(lead).toMatchObject({ next_call_time: '2026-11-21T13:00:00.000000+00:00', next_call_time_reason: 'ATTEMPT_CAP' })
    expect(await nextCallable(lead.id, '2026-11-20T16:30:00Z')).toBe(lead.next_call_time)
  })

  it('the next call follows the cadence when the attempt cap leaves room', async () => {
    const then = { next_call_time: expect.stringMatching(/^2026-11-20T16:3/), next_call_time_reason: 'NEXT_AVAILABLE_SLOT' }
    expect(await ended([5])).toMatchObject(then)
    expect(await ended([23.9, 5])).toMatchObject(then)
  })

  it('a promised callback is moved later when the attempt cap requires it', async () => {
    const lead = await ended([22, 5], 'callback_requested', { callback_time: '2026-11-20T17:00:00Z' })
    expect(lead).toMatchObject({
      status: 'CALLBACK_TO_TRANSFER',
      next_call_time: '2026-11-20T18:00:00.000000+00:00',
      next_call_time_reason: 'ATTEMPT_CAP',
    })
    expect(await getLead(lead.id)).toMatchObject({ promised_time: NOON + 2 * HOUR })
    expect(await ended([22, 5], 'callback_requested', { callback_time: '2026-11-20T19:00:00Z' })).toMatchObject({
      next_call_time: '2026-11-20T19:00:00.000000+00:00',
      next_call_time_reason: 'CALLBACK',
    })
  })

  it('the next call waits for the attempt cap after a call of unknown fate', async () => {
    const { id, call } = await inCall([22, 5])
    setClock(NOON + HOUR)
    await place([{ type: 'watch', call_id: call }])
    expect(await leadNow(id)).toMatchObject({
      next_call_time: '2026-11-20T18:00:00.000000+00:00',
      next_call_time_reason: 'ATTEMPT_CAP',
    })
  })

  it('the next call does not wait for the attempt cap after a refused call', async () => {
    agentAnswer = { status: 422 }
    const { id } = await inCall([22, 5])
    expect(await leadNow(id)).toMatchObject({
      next_call_time: expect.stringMatching(/^2026-11-20T16:3/),
      next_call_time_reason: 'NEXT_AVAILABLE_SLOT',
    })
  })

  it('the next call does not wait for the attempt cap of the old phone after the phone changes', async () => {
    const { id, call } = await inCall([22, 5])
    await patched(id, { phone_number: newPhone() })
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    expect(await leadNow(id)).toMatchObject({
      next_call_time: expect.stringMatching(/^2026-11-20T16:3/),
      next_call_time_reason: 'NEXT_AVAILABLE_SLOT',
    })
  })
})
