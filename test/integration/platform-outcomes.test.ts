import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { eraseCall } from '#shared/erasure/erased-call-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'

const world = toolWorld()
const { outcome, place, talking, send } = world

describe('an outcome that a customer’s own code reports', () => {
  world.on('twilio')

  it('an outcome reported by a customer’s own code closes the call as an analysis does', async () => {
    const one = await talking()
    const args = { outcome: 'callback_requested', callback_time: '2026-11-23T15:00:00-05:00', summary: 'Call on Monday.' }
    expect(await send('report_outcome', { call_id: one.call, ...args })).toMatchObject({ body: { ok: true, message: 'Recorded.' } })
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'callback_requested', summary: 'Call on Monday.' })
    expect(await send('report_outcome', { call_id: one.call, ...args })).toMatchObject({ body: { ok: true } })
    expect(await send('report_outcome', { call_id: one.call, outcome: 'completed' })).toMatchObject({
      body: { ok: false, message: 'The call had the outcome callback_requested before, and it stays.' },
    })
    expect(await leadNow(one.lead)).toMatchObject({ next_call_time: expect.stringContaining('2026-11-23T20:00') })
  })

  it('an outcome reported by a customer’s own code counts after the end of the call, and a stop always', async () => {
    const one = await talking()
    expect(await send('report_outcome', { call_id: one.call, outcome: 'not_interested' })).toMatchObject({ body: { ok: true } })
    expect(await send('report_outcome', { call_id: one.call, outcome: 'do_not_call' })).toMatchObject({ body: { ok: false } })
    expect(await leadNow(one.lead)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it.each([
    [{}, 'outcome: This field is required.'],
    [{ outcome: 'won' }, 'outcome: "won" is not a valid choice.'],
    [{ outcome: 'callback_requested', callback_time: 'tomorrow' }, 'callback_time: '],
  ])('an outcome reported by a customer’s own code is refused when it is %j', async (args, message) => {
    const { call } = await talking()
    expect(await send('report_outcome', { call_id: call, ...args })).toMatchObject({
      status: 200,
      body: { ok: false, message: expect.stringContaining(message) },
    })
    expect(await getCall(call)).toMatchObject({ completed_time: null, reported_outcome: null })
  })

  it('a call with a reported outcome is closed without a wait of half an hour after its end', async () => {
    const one = await talking()
    await send('report_outcome', { call_id: one.call, outcome: 'assigned' })
    await place([{ type: 'watch', call_id: one.call }])
    expect(await outcome(one)).toMatchObject({ outcome: expect.any(String) })
  })
})

describe('a call whose person was erased meanwhile', () => {
  world.on('twilio')

  it('a call of an erased person accepts a stop from its tools, and nothing else', async () => {
    const { call } = await talking()
    const [lead = 0, attempt = 0] = call.split('-').map(Number)
    await eraseCall(callKey(lead, attempt), await getCall(call))
    const gone = 'The data of this person was erased. Say goodbye and end the call.'
    expect(await send('note', { call_id: call, note: 'x' })).toMatchObject({ status: 200, body: { ok: false, message: gone } })
    expect(await send('do_not_call', { call_id: call })).toMatchObject({ status: 200, body: { ok: true } })
  })
})
