import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as inbound } from '#functions/agents/inbound-calls.ts'
import { handler as live } from '#functions/calls/live.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { updateLead } from '#shared/leads/update-lead.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { helped } from '#test/support/helped.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { agentReport, consumeAll, KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const NUMBER = '+12125550190'

const { world } = callWorld(undefined, `${OWNER}`)
let next = 4000

beforeAll(async () => {
  // Users of one group share its phones.
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
  await saveUser({ id: 2, name: 'Other', dnc_group: `${OWNER}`, default_lead_type: 4, webhook_secrets: ['whsec_AAAA'] } as never)
})

interface InCall {
  readonly lead: number
  readonly call: string
  readonly phone: string
}

const tell = async (call: string, type: string, data: unknown = {}) => {
  expect((await request(report, agentReport(world().agentSecret, call, type, data))).status).toBe(200)
}

const dialled = async (): Promise<InCall> => {
  const phone = `+1212555${next++}`
  const body = { phone_number: phone, timezone: 'America/New_York' }
  const answer = await request(create, { method: 'POST', path: '/api/leads/', body })
  await consumeAll(
    placeCall,
    (await world().queues.take('CALL_QUEUE_URL')).map((text) => JSON.parse(text)),
  )
  return { lead: answer.body.id, call: `${answer.body.id}-1`, phone }
}

const inTransfer = async (): Promise<InCall> => {
  const one = await dialled()
  await tell(one.call, 'call.answered')
  await tell(one.call, 'call.transfer_initiated', { mode: 'warm', destination: '+12125550199' })
  return one
}

const update = (body: unknown, headers: Record<string, string> = {}) =>
  request(live, { method: 'POST', path: '/api/calls/live/', headers, body })

const leadNow = async (id: number) =>
  (await request(retrieve, { method: 'GET', path: `/api/leads/${id}/`, parameters: { id: `${id}` } })).body

const REPRESENTATIVE = { id: 12, name: 'Bob', email: 'bob@example.com', phone_number: '+12125550123' }

describe('the update of a call in progress', () => {
  it.each(['call_id', 'lead_id', 'phone_number'] as const)(
    'an update that names the call in progress by %s is stored on the call and on its lead',
    async (by) => {
      const { lead, call, phone } = await inTransfer()
      const name = { call_id: call, lead_id: lead, phone_number: phone.replace('+1', '') }[by]
      const answer = await update({ [by]: name, representative: REPRESENTATIVE, external_id: 'A-17', external_ids: { crm: 'c', n: 1 } })
      expect(answer).toMatchObject({
        status: 200,
        body: {
          call_id: call,
          lead,
          call_status: 'TRANSFERRING',
          representative: REPRESENTATIVE,
          external_ids: { crm: 'c', n: 1, external_id: 'A-17' },
          transfer: { status: 'initiated' },
        },
      })
      expect(await leadNow(lead)).toMatchObject({ representative: 12, external_id: null, status_reason: 'WEBHOOK', status: 'OPEN' })
      await tell(call, 'call.completed', { outcome: 'transferred_warm' })
      expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED', status_reason: 'CHAT', representative: 12 })
    },
  )

  it('the update of a call in progress keeps the external id that the lead already has', async () => {
    const { lead, call } = await inTransfer()
    await updateLead(OWNER, lead, { external_id: 'own' }, { cause: 'MANUAL', accepted: nextSequence(), atOnce: true })
    const { body } = await update({ call_id: call, external_id: 'of the call', external_ids: { crm: 'c' } })
    expect(body.external_ids).toEqual({ crm: 'c', external_id: 'of the call' })
    expect(await leadNow(lead)).toMatchObject({ external_id: 'own', metadata: { external_id: 'own' } })
  })

  it('the update of a call in progress merges external ids by key, and keeps fields that are not sent', async () => {
    const { call } = await inTransfer()
    await update({ call_id: call, representative: { name: 'Ann' }, external_ids: { a: 1, b: 1 } })
    await update({ call_id: call, external_ids: { b: 2, external_id: 'x' } })
    const { body } = await update({ call_id: call, external_id: 'y' })
    expect(body).toMatchObject({ representative: { name: 'Ann' }, external_ids: { a: 1, b: 2, external_id: 'y' } })
  })

  it('updates of a call in progress lose nothing when several arrive at once', async () => {
    const { lead, call } = await inTransfer()
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => update({ call_id: call, external_ids: { [`k${n}`]: n } })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { body } = await update({ lead_id: lead })
    expect(body.external_ids).toEqual({ k1: 1, k2: 2, k3: 3, k4: 4, k5: 5 })
  })

  it('the update of a call in progress accepts external ids with any key', async () => {
    const { call } = await inTransfer()
    const ids = JSON.parse('{"__proto__": "p", "constructor": "c", "": 1e300}')
    const { body } = await update({ call_id: call, external_ids: ids })
    expect(Object.entries(body.external_ids)).toEqual(expect.arrayContaining(Object.entries(ids)))
  })

  it.each([
    ['12', 12],
    [12, 12],
    ['B-12', null],
    ['012', null],
    [0, null],
    [2 ** 31, null],
    [null, null],
  ])('the update of a call with the representative id %j sets the representative of the lead to %j', async (id, expected) => {
    const { lead, call } = await inTransfer()
    expect((await update({ call_id: call, representative: { id } })).body.representative).toEqual({ id })
    expect(await leadNow(lead)).toMatchObject({ representative: expected, status_reason: 'WEBHOOK' })
  })

  it('the update of a call in progress is applied once for one Idempotency-Key', async () => {
    const { call } = await inTransfer()
    const first = await update({ call_id: call, external_ids: { a: 1 } }, { 'Idempotency-Key': `live-${call}` })
    await update({ call_id: call, external_ids: { a: 2 } })
    const again = await update({ call_id: call, external_ids: { a: 1 } }, { 'Idempotency-Key': `live-${call}` })
    expect(again).toMatchObject({ status: 200, body: first.body, headers: { 'Idempotent-Replayed': 'true' } })
    expect((await update({ call_id: call })).body.external_ids).toEqual({ a: 2 })
  })

  it('the update of a call in progress works for an inbound call', async () => {
    const body = { provider_call_id: `in-${next}`, from: `+1212555${next++}`, to: NUMBER }
    const ringing = await request(inbound, agentRequest(world().agentSecret, '', body))
    for (const name of [{ phone_number: body.from }, { lead_id: ringing.body.lead.id }, { call_id: ringing.body.call_id }]) {
      expect(await update({ ...name, external_id: 'i' })).toMatchObject({ status: 200, body: { call_direction: 'inbound' } })
    }
  })
})

describe('a crash in the middle of an update', () => {
  it('a crash during the update of a call keeps the part that the lead got, even if the call ends afterwards', async () => {
    const { lead, call } = await inTransfer()
    let writes = 0
    const die = (command: unknown): void => {
      const isRead = command instanceof GetCommand || command instanceof QueryCommand
      if (!isRead && JSON.stringify(command).includes(`LEAD#${lead}`) && ++writes > 1) throw new Error('died')
    }
    const answer = await beforeEachSend(die, () => update({ call_id: call, external_id: 'A-18', representative: { id: 7 } }))
    expect(answer).toMatchObject({ status: 500 })
    await tell(call, 'call.ended')
    expect(await update({ call_id: call, external_id: 'A-18', representative: { id: 7 } })).toMatchObject({ status: 404 })
    expect(await leadNow(lead)).toMatchObject({ external_id: null, representative: 7 })
  })
})

describe('an update of a call that is not found', () => {
  const missing = { status: 404, body: { detail: 'Not found.' } }

  it('an update of a call is answered with 404 before the call is answered and after it has ended', async () => {
    const { lead, call, phone } = await dialled()
    const names = [{ call_id: call }, { lead_id: lead }, { phone_number: phone }]
    for (const name of names) expect(await update(name)).toMatchObject(missing)
    await tell(call, 'call.answered')
    for (const name of names) expect(await update(name)).toMatchObject({ status: 200 })
    await tell(call, 'call.ended')
    for (const name of names) expect(await update({ ...name, external_id: 'late' })).toMatchObject(missing)
    expect(await getLead(lead)).toMatchObject({ external_id: null })
  })

  it('an update of another user’s call is answered with 404, even in the same group', async () => {
    const { lead, call, phone } = await inTransfer()
    for (const name of [{ call_id: call }, { lead_id: lead }, { phone_number: phone }]) {
      expect(await update({ ...name, external_id: 'x' }, { Authorization: `Token ${OTHER_KEY}` })).toMatchObject(missing)
      expect(await update(name, { Authorization: `Token ${KEY}` })).toMatchObject({ status: 200, body: { external_ids: null } })
    }
  })

  it('an update of a call is answered with 404 when its ids name two different calls', async () => {
    const [one, two] = [await inTransfer(), await inTransfer()]
    expect(await update({ call_id: one.call, lead_id: two.lead })).toMatchObject(missing)
    expect(await update({ call_id: one.call, phone_number: two.phone })).toMatchObject(missing)
    expect(await update({ call_id: one.call, lead_id: one.lead, phone_number: one.phone })).toMatchObject({ status: 200 })
  })

  it.each([{ call_id: 'nonsense' }, { call_id: '999999-1' }, { lead_id: 999_999 }, { phone_number: '+12125559999' }])(
    'an update of a call is answered with 404 for %j',
    async (name) => {
      expect(await update(name)).toMatchObject(missing)
    },
  )
})

describe('an invalid update of a call', () => {
  it.each([
    [{}, { non_field_errors: ['One of call_id, lead_id, phone_number is required.'] }],
    [{ call_id: '', lead_id: null, external_id: 'x' }, { non_field_errors: ['One of call_id, lead_id, phone_number is required.'] }],
    [{ lead_id: 'x' }, { lead_id: ['Incorrect type. Expected pk value, received str. You sent "x".'] }],
    [{ phone_number: '1' }, { phone_number: [helped('The phone number entered is not valid. …')] }],
    [{ lead_id: 1, representative: 'Bob' }, { representative: ['Invalid data. Expected a dictionary, but got str.'] }],
    [
      { lead_id: 1, representative: { email: 'x', phone_number: 'y', id: true } },
      {
        representative: [
          'id: Not a valid string.',
          helped('email: Enter a valid email address. …'),
          helped('phone_number: The phone number entered is not valid. …'),
        ],
      },
    ],
    [{ lead_id: 1, external_id: 'x'.repeat(256) }, { external_id: ['Ensure this field has no more than 255 characters.'] }],
    [{ lead_id: 1, external_ids: [] }, { external_ids: ['Expected a dictionary of items but got type "list".'] }],
    [
      { lead_id: 1, external_ids: { a: 'x'.repeat(20_000) } },
      { external_ids: ['Ensure this field has no more than 16384 bytes of JSON.'] },
    ],
  ])('an invalid update of a call is refused with 400: %j', async (body, errors) => {
    expect(await update(body)).toMatchObject({ status: 400, body: errors })
  })

  it('an update of a call with too many external ids changes nothing', async () => {
    const { lead, call } = await inTransfer()
    await update({ call_id: call, external_ids: { a: 'x'.repeat(10_000) } })
    const answer = await update({ call_id: call, external_id: 'no', external_ids: { b: 'x'.repeat(10_000) } })
    expect(answer).toMatchObject({ status: 400, body: { external_ids: ['Ensure this field has no more than 16384 bytes of JSON.'] } })
    expect(await getLead(lead)).toMatchObject({ external_id: null })
  })
})
