import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { closeBreaker } from '#shared/agents/breaker-store.ts'
import { askAgent } from '#shared/calling/ask-agent.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { dial } from '#shared/calling/dial.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone, patched } from '#test/support/lead-requests.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }
/** That of a report, also where the call has none yet. */
const PROVIDER = { provider_call_id: 'p-1' }

let agentAnswer: ReceiverAnswer = ACCEPT

const { world, queued, place, told, keysAsked } = callWorld(() => agentAnswer)

beforeEach(async () => {
  agentAnswer = ACCEPT
  await closeBreaker('simulator', NOON)
})

describe('a call to an agent', () => {
  it.each([500, 502, 503, 499, 429, 408, 303, 301, 200])(
    'a call is requested again with the same key until not_after when the agent answers %s without an id',
    async (status) => {
      agentAnswer = { status }
      const lead = await created()
      const [message] = await queued()
      expect(await place([message])).toEqual([0])
      setClock(NOON + 11_000)
      expect(await place([message])).toEqual([0])
      expect(keysAsked()).toEqual([`${lead.id}-1`, `${lead.id}-1`])
      setClock(NOON + 40_000)
      expect(await place([message])).toEqual([])
      await place([message])
      expect(keysAsked()).toHaveLength(2)
      expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    },
  )

  it.each([400, 403, 404, 422])(
    'a call fails when the agent answers %s, and the lead is called again only as its next attempt',
    async (status) => {
      agentAnswer = { status }
      const lead = await created()
      const [message] = await queued()
      expect(await place([message])).toEqual([])
      expect(await place([message])).toEqual([])
      expect(keysAsked()).toEqual([`${lead.id}-1`])
      expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    },
  )

  it.each([422, 400, 301])('a call keeps its phone when %s follows an unclear answer of the agent', async (status) => {
    agentAnswer = { status: 500 }
    const lead = await created({ email: 'one@example.com' })
    const other = await created({ email: 'two@example.com', phone_number: lead.phone_number })
    const [first, second] = await queued()
    await place([first])
    agentAnswer = { status }
    setClock(NOON + 11_000)
    expect(await place([first])).toEqual([0])
    const [one, again] = world().agent.requests
    expect(again?.body).toBe(one?.body)
    agentAnswer = ACCEPT
    await place([second])
    setClock(NOON + 40_000)
    await place([first, second])
    expect(keysAsked().filter((key) => `${key}`.startsWith(`${other.id}-`))).toEqual([])
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    await told(`${lead.id}-1`, 'call.completed', { outcome: 'not_interested' }, 0, PROVIDER)
    expect(await leadNow(lead.id)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('the message asks the agent when it comes back after a crash that prevented the first request', async () => {
    const lead = await created()
    const [message] = await queued()
    await dial((await getLead(lead.id))!)
    setClock(NOON + 5_000)
    expect(await place([message])).toEqual([0])
    expect(keysAsked()).toEqual([])
    setClock(NOON + 11_000)
    expect(await place([message])).toEqual([])
    expect(keysAsked()).toEqual([`${lead.id}-1`])
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ accepted_time: NOON + 11_000 })
  })

  it('a first request that is delayed is not sent once another run has asked', async () => {
    agentAnswer = { status: 500 }
    const lead = await created()
    const [message] = await queued()
    const dialled = await dial((await getLead(lead.id))!)
    if (typeof dialled === 'string') throw new Error(`The dial was ${dialled}.`)
    setClock(NOON + 6_500)
    expect(await place([message])).toEqual([0])
    agentAnswer = { status: 422 }
    setClock(NOON + 12_000)
    expect(await askAgent(dialled.call, dialled.lead)).toBe(false)
    expect(keysAsked()).toEqual([`${lead.id}-1`])
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ refused_time: null, unknown_time: null })
  })

  it('a delayed first request is sent although the answer to its claim was lost', async () => {
    const lead = await created()
    await queued()
    const dialled = await dial((await getLead(lead.id))!)
    if (typeof dialled === 'string') throw new Error(`The dial was ${dialled}.`)
    setClock(NOON + 2_000)
    // The SDK sends a write again when its answer was lost.
    const claimTwice = async (command: unknown, send: () => Promise<unknown>) =>
      command instanceof UpdateCommand && command.input.UpdateExpression?.includes('asking_until') && send()
    expect(await beforeEachSend(claimTwice, () => askAgent(dialled.call, dialled.lead))).toBe(true)
    expect(keysAsked()).toEqual([`${lead.id}-1`])
  })

  it('a call is refused without a request when its calling window ends just after the dial', async () => {
    const lead = await created()
    const [message] = await queued()
    const dialled = await dial((await getLead(lead.id))!)
    if (typeof dialled === 'string') throw new Error(`The dial was ${dialled}.`)
    expect(await askAgent({ ...dialled.call, not_after: NOON }, dialled.lead)).toBe(true)
    expect(keysAsked()).toEqual([])
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ refused_time: NOON, unsent_time: NOON, settled_time: NOON })
    await place([message])
    for (let minute = 1; minute <= 3; minute++) {
      setClock(NOON + minute * 60_000)
      await dispatchDue()
      await place(await queued())
      await place(await queued())
    }
    expect(keysAsked().filter((key) => `${key}`.startsWith(`${lead.id}-`))).toEqual([`${lead.id}-2`])
  })

  it('a call has an unknown fate when its message comes back too late after a crash', async () => {
    const lead = await created()
    const [message] = await queued()
    await dial((await getLead(lead.id))!)
    setClock(NOON + 40_000)
    await place([message])
    expect(keysAsked()).toEqual([])
    const call = await getCall(`${lead.id}-1`)
    expect(call).toMatchObject({ refused_time: null, unknown_time: NOON + 40_000 })
    expect(await getPhone(call!.phone_key)).toMatchObject({ current_call: `${lead.id}-1` })
    expect(await queued()).toEqual([])
  })

  it('a call keeps its phone even if the agent’s clock is wrong', async () => {
    const lead = await created()
    await place(await queued())
    const callId = `${lead.id}-1`
    await told(callId, 'call.answered', {}, -5 * 3600)
    setClock(NOON + 5 * 60_000)
    await place([{ type: 'watch', call_id: callId }])
    const call = await getCall(callId)
    expect(await getPhone(call!.phone_key)).toMatchObject({ current_call: callId })
    await told(callId, 'call.ended', {}, 1000 * 3600)
    expect((await getCall(callId))?.ended_time).toBe(NOON + 5 * 60_000)
    await place([{ type: 'watch', call_id: callId }])
    expect(await getPhone(call!.phone_key)).toMatchObject({ current_call: null })
    setClock(NOON + 60 * 60_000)
    await place([{ type: 'watch', call_id: callId }])
    await told(callId, 'call.completed', { outcome: 'not_interested' })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'LOST' })
  })

  it('the watch of a call repeats the request with the same key after an unclear answer of the agent', async () => {
    agentAnswer = { status: 500 }
    const lead = await created()
    const [message] = await queued()
    await place([message])
    agentAnswer = ACCEPT
    setClock(NOON + 12_000)
    await place([{ type: 'watch', call_id: `${lead.id}-1` }])
    expect(keysAsked()).toEqual([`${lead.id}-1`, `${lead.id}-1`])
    setClock(NOON + 40_000)
    await place([message, { type: 'watch', call_id: `${lead.id}-1` }])
    expect(keysAsked()).toHaveLength(2)
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time: null })
  })

  it('a repeated request names only the number of the call, although the lead has another number by now', async () => {
    agentAnswer = { status: 500 }
    const { id, phone_number } = await created()
    const [message] = await queued()
    await place([message])
    await patched(id, { phone_number: newPhone() })
    setClock(NOON + 11_000)
    await place([message])
    const numbers = world().agent.requests.map(({ body }) => JSON.parse(body).lead)
    const named = { phone_number, metadata: { phone_number } }
    expect(numbers).toMatchObject([named, named])
  })

  it('a call gets its presumed outcome although it was given up before the agent reported it', async () => {
    agentAnswer = { status: 500 }
    const lead = await created()
    const [message] = await queued()
    await place([message])
    setClock(NOON + 40_000)
    await place([message])
    const callId = `${lead.id}-1`
    expect(await getCall(callId)).toMatchObject({ unknown_time: expect.any(Number) })
    await told(callId, 'call.answered', {}, 0, PROVIDER)
    await told(callId, 'call.ended', { presumed_outcome: 'not_interested' }, 0, PROVIDER)
    for (const minute of [20, 32]) {
      setClock(NOON + minute * 60_000)
      await place([{ type: 'watch', call_id: callId }])
    }
    expect(await getCall(callId)).toMatchObject({ reported_outcome: 'not_interested', settled_time: expect.any(Number) })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('a call is given up when the agent falls silent, and frees its phone', async () => {
    const lead = await created()
    await place(await queued())
    setClock(NOON + 9 * 60_000)
    await place([{ type: 'watch', call_id: `${lead.id}-1` }])
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time: null })
    setClock(NOON + 11 * 60_000)
    await dispatchDue()
    await place((await queued()).filter(({ call_id }) => call_id === `${lead.id}-1`))
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    const call = await getCall(`${lead.id}-1`)
    expect(call).toMatchObject({ settled_time: expect.any(Number), accepted_time: expect.any(Number) })
    expect(await getPhone(call!.phone_key)).toMatchObject({ current_call: null })
  })
})

describe('the place-call consumer', () => {
  it('place-call accepts an empty batch, and fails only messages that it cannot read', async () => {
    expect(await place([])).toEqual([])
    expect(await place(['{', '{"type":"dial"}', { type: 'watch', call_id: 'nonsense' }])).toEqual([0, 1])
  })
})
