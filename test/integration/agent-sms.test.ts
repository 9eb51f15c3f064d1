import { marshall } from '@aws-sdk/util-dynamodb'
import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as report } from '#functions/agents/call-events.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { buildPayload } from '#shared/events/api/payload.ts'
import { eventsOf } from '#shared/events/changes.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadKey, SMS_PREFIX } from '#shared/platform/keys.ts'
import { query } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { request } from '#test/support/world.ts'

const { world, place, inCall, tell } = callWorld()

describe('a text message', () => {
  const Item = v.record(v.string(), v.unknown())
  const messagesOf = async (lead: number) => {
    const { items } = await query(Item, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': leadKey(lead).pk, ':prefix': SMS_PREFIX },
    })
    return items
  }

  const text = (call: string, body: Record<string, unknown>) =>
    request(
      report,
      agentRequest(world().agentSecret, '', { type: 'sms.completed', call_id: call, time: new Date(NOON), ...body }, { call_id: call }),
    )

  it('a reported text message is stored and published as an event once, with its text', async () => {
    const { lead, call, phone } = await inCall()
    const data = { direction: 'inbound', body: 'Call me at noon.', status: 'received' }
    for (let times = 0; times < 3; times++) expect(await text(call, { event_id: 'e-1', data })).toMatchObject({ status: 200 })
    const items = await messagesOf(lead)
    expect(items).toHaveLength(1)
    const image = marshall(items[0])
    const record = (OldImage?: typeof image) => ({
      eventID: 'r1',
      dynamodb: { SequenceNumber: '1', Keys: { sk: { S: `${items[0]!['sk']}` } }, NewImage: image, ...(OldImage && { OldImage }) },
    })
    const [event, ...more] = eventsOf(record())
    expect(more).toEqual([])
    expect(event).toMatchObject({ trigger: 'SMS_COMPLETE', lead_id: lead, owner: 1, call_id: call, event_id: 'r1-SMS_COMPLETE' })
    const payload = buildPayload(event!, {
      lead: (await getLead(lead))!,
      call: await getCall(call).then((found) => found!),
      lastChat: null,
    })
    expect(payload).toMatchObject({
      id: lead,
      trigger: 'SMS_COMPLETE',
      call: { call_id: call },
      sms: { ...data, call_id: call, phone_number: phone, time: expect.stringMatching(/^2026-11-20T16:00:0/) },
    })
    expect(eventsOf(record(image))).toEqual([])
  })

  it('a text message is identified by its event id, or by its content when it has no event id', async () => {
    const { lead, call } = await inCall()
    const data = { direction: 'outbound', body: 'Hello' }
    for (const event_id of ['a', 'b', 'a', undefined, undefined]) await text(call, { event_id, data })
    await text(call, { data: { ...data, body: 'Hello again' } })
    expect(await messagesOf(lead)).toHaveLength(4)
  })

  it('a text message is cut at 1530 characters, and stored without the fields that cannot be read', async () => {
    const { lead, call } = await inCall()
    await text(call, { data: { direction: 'outbound', body: 'x'.repeat(5000) } })
    expect(`${(await messagesOf(lead))[0]!['body']}`).toHaveLength(1530)
    for (const data of [{}, null, { direction: 'sideways', body: '' }, { direction: 'inbound', body: 7 }]) {
      expect(await text(call, { data })).toMatchObject({ status: 200 })
    }
    const read = (await messagesOf(lead)).map(({ direction, body }) => [direction ?? null, `${body ?? null}`.length])
    expect(read).toHaveLength(5)
    expect(read).toEqual(
      expect.arrayContaining([
        ['outbound', 1530],
        [null, 4],
        [null, 0],
        ['inbound', 4],
      ]),
    )
  })

  it('a text message counts as a new one in another call, even with the same event id', async () => {
    const { lead, call } = await inCall()
    await tell(call, 'sms.completed', { body: 'one' }, 0, { event_id: 'sms-1' })
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    const { next_call_time } = (await getLead(lead))!
    setClock(next_call_time!)
    await place([{ type: 'dial', lead_id: lead, attempt: 2, due_at: next_call_time }])
    await tell(`${lead}-2`, 'sms.completed', { body: 'two' }, 0, { event_id: 'sms-1' })
    await tell(`${lead}-2`, 'sms.completed', { body: 'two' }, 0, { event_id: 'sms-1' })
    expect((await messagesOf(lead)).map((message) => [message['call_id'], message['body']])).toEqual(
      expect.arrayContaining([
        [`${lead}-1`, 'one'],
        [`${lead}-2`, 'two'],
      ]),
    )
    expect(await messagesOf(lead)).toHaveLength(2)
  })

  it.each([
    ['STOP', true],
    [' Stop. ', true],
    ['opt-out', true],
    ['Unsubscribe!', true],
    ['Please stop by at noon', false],
    ['', false],
  ])('a message with the text %j stops texts only if the person sent it and it is a stop word', async (body, stops) => {
    const { lead, call } = await inCall()
    await text(call, { event_id: 'e-1', data: { direction: 'outbound', body } })
    expect(await getLead(lead)).toMatchObject({ sms_dnc: false })
    const { body: answer } = await text(call, { event_id: 'e-2', data: { direction: 'inbound', body } })
    expect(answer).toMatchObject({ sms_dnc: stops, call_dnc: false, cancel: false })
    expect(await getLead(lead)).toMatchObject({ sms_dnc: stops, call_dnc: false })
  })

  it.each<[unknown, boolean]>([
    [undefined, true],
    [null, true],
    ['sideways', true],
    [7, true],
    ['INBOUND', true],
    ['OUTBOUND', false],
    ['outbound-api', false],
  ])('a text STOP with the direction %j stops texts: %s', async (direction, stops) => {
    const { lead, call } = await inCall()
    await text(call, { event_id: 'e-1', data: { direction, body: 'STOP' } })
    expect(await getLead(lead)).toMatchObject({ sms_dnc: stops, call_dnc: false })
  })

  it('free text of the person stops the channels that it names', async () => {
    const { lead, call } = await inCall()
    await text(call, { event_id: 'e-1', data: { direction: 'inbound', body: 'Do not call me before noon' } })
    expect(await getLead(lead)).toMatchObject({ sms_dnc: false, call_dnc: false })
    const { body: answer } = await text(call, { event_id: 'e-2', data: { direction: 'inbound', body: 'Take me off your list!' } })
    expect(answer).toMatchObject({ sms_dnc: true, call_dnc: true, cancel: true })
    expect(await getLead(lead)).toMatchObject({ sms_dnc: true, call_dnc: true, next_call_time: null })
  })

  it.each([
    ['these calls need to stop', { call_dnc: true, sms_dnc: false }],
    ["Don't txt me", { call_dnc: false, sms_dnc: true }],
    ['Do not call/text me', { call_dnc: true, sms_dnc: true }],
    ['I take back my consent', { call_dnc: true, sms_dnc: true }],
  ])('the text %j of the person stops what it names: %j', async (body, stops) => {
    const { lead, call } = await inCall()
    await text(call, { event_id: 'e-1', data: { direction: 'inbound', body } })
    expect(await getLead(lead)).toMatchObject(stops)
  })

  it.each([
    ['2027-01-30T09:59:59Z', undefined, false],
    ['2027-01-30T10:00:00Z', undefined, true],
    ['2027-03-01T12:00:00Z', '', false],
    ['2027-03-01T12:00:00Z', '2027-03-02', true],
  ])('at %s with the setting %j, a text that stops texts stops calls too: %s', async (time, revokeAllFrom, all) => {
    const { lead, call } = await inCall()
    setClock(Date.parse(time))
    if (revokeAllFrom !== undefined) process.env['REVOKE_ALL_FROM'] = revokeAllFrom
    try {
      await text(call, { event_id: 'e-1', data: { direction: 'inbound', body: 'STOP' } })
    } finally {
      delete process.env['REVOKE_ALL_FROM']
    }
    expect(await getLead(lead)).toMatchObject({ sms_dnc: true, call_dnc: all })
  })
})
