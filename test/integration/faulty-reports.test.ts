import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { calendarWorld } from '#test/support/calendar-calls.ts'
import { helped } from '#test/support/helped.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { request } from '#test/support/world.ts'

const world = calendarWorld()
let call: string
beforeEach(async () => {
  call = (await world.inCall()).call
})

const time = new Date(NOON).toISOString()
const tell = (body: object) => request(report, agentRequest(world.agentSecret, '', body, { call_id: call }))

const REQUIRED = ['This field is required.']
const NO_TIME = [expect.stringContaining('Datetime has wrong format.')]

describe('a report', () => {
  it('a faulty report of an agent gets all of its errors in one answer', async () => {
    expect(await tell({})).toMatchObject({ status: 400, body: { type: REQUIRED, call_id: REQUIRED, time: REQUIRED } })
    expect(await tell({ type: 'call.data_collected', call_id: call, time: 'noon', data: {} })).toMatchObject({
      status: 400,
      body: { time: NO_TIME, data: ['collected: This field is required.'] },
    })
    expect(await tell({ type: 'call.sung', call_id: '', time: null, data: 7 })).toMatchObject({
      status: 400,
      body: {
        type: [helped('"call.sung" is not a valid choice. …')],
        call_id: ['This field may not be blank.'],
        time: ['This field may not be null.'],
      },
    })
  })

  it.each([
    ['call.completed', undefined, REQUIRED],
    ['call.completed', null, ['No data provided']],
    ['call.completed', 'done', ['Invalid data. Expected a dictionary, but got str.']],
    ['call.completed', { outcome: 5 }, ['outcome: Not a valid string.']],
    ['call.completed', { outcome: null }, ['outcome: This field may not be null.']],
    ['call.data_collected', {}, ['collected: This field is required.']],
    ['call.data_collected', { collected: [] }, ['collected: Expected a dictionary of items but got type "list".']],
    ['call.ended', [], ['Invalid data. Expected a dictionary, but got list.']],
  ])('a report of type %s with the data %j is rejected with 400', async (type, data, errors) => {
    const before = await getCall(call)
    const answer = await tell({ type, call_id: call, time, data })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: { data: errors } })
    expect(await getCall(call)).toEqual(before)
  })

  it.each([{}, { time: null }, { time: 'noon' }, { time: '2026-02-30T10:00:00Z' }, { time: 7 }])(
    'a stop applies although the report has no valid time: %j',
    async (fields) => {
      const { lead } = (await getCall(call))!
      expect(await tell({ type: 'dnc.requested', call_id: call, data: { channel: 'call' }, ...fields })).toMatchObject({
        status: 200,
        body: { call_dnc: true, cancel: true },
      })
      expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    },
  )

  it.each([
    ['call.completed', { outcome: 'do_not_call' }, { call_dnc: true }],
    ['call.completed', { outcome: 'Do not call' }, { call_dnc: true }],
    ['call.ended', { presumed_outcome: 'DO-NOT-CALL' }, { call_dnc: true }],
    ['sms.completed', { direction: 'inbound', body: 'REMOVE' }, { sms_dnc: true }],
    ['dnc.requested', { channel: 'sms', words: 'Never call me again.' }, { call_dnc: true, sms_dnc: true }],
  ])('a stop in a report of type %s with the data %j applies without a valid time', async (type, data, stops) => {
    const { lead } = (await getCall(call))!
    expect(await tell({ type, call_id: call, time: 'noon', data })).toMatchObject({ status: 200 })
    expect(await leadNow(lead)).toMatchObject(stops)
  })

  it.each([
    ['call.completed', { outcome: 'sang', summary: 7, is_contact: 'maybe', callback_time: 'soon', appointment: [], collected: 1 }],
    ['call.ended', { duration_seconds: 'long' }],
    ['call.ended', null],
    ['call.transfer_initiated', { mode: 1, destination: {} }],
    ['call.answered', 'yes'],
    ['sms.completed', { direction: 'up', body: 1 }],
  ])('a report of type %s is accepted without its malformed optional fields: %j', async (type, data) => {
    expect(await tell({ type, call_id: call, time, data, event_id: 5, provider_call_id: [] })).toMatchObject({ status: 200 })
  })

  it('a report is rejected if it names another call of the provider', async () => {
    expect(await tell({ type: 'call.answered', call_id: call, time, provider_call_id: 'p-2' })).toMatchObject({
      status: 400,
      body: { provider_call_id: ['This call already has another provider_call_id.'] },
    })
  })
})
