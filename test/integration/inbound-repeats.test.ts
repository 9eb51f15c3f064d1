import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as inbound } from '#functions/agents/inbound-calls.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getInboundNumber } from '#shared/agents/inbound-number-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { callKey, inboundCallKey, inboundNumberKey, leadKey } from '#shared/platform/keys.ts'
import { getItem, putItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

const NUMBER = '+12125550190'
const NUMBER_OF_OTHER = '+12125550189'

const { world, ring: report } = callWorld()

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
  await saveLeadType(sampleLeadType({ id: 7, owner: 2, inbound_numbers: [NUMBER_OF_OTHER] }))
})

const newId = () => randomBytes(6).toString('hex')

const ring = (body: unknown, secret = world().agentSecret) => request(inbound, agentRequest(secret, '/api/agents/inbound-calls/', body))

const callFrom = async (from: string, provider_call_id = newId()) => {
  const answer = await report(from, NUMBER, provider_call_id)
  expect([200, 201]).toContain(answer.status)
  return answer
}

describe('a provider’s call id', () => {
  it('a provider’s call id of an inbound call is separate for each owner', async () => {
    const id = newId()
    const from = newPhone()
    const first = await report(from, NUMBER, id)
    const second = await report(from, NUMBER_OF_OTHER, id)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.call_id).not.toBe(first.body.call_id)
    expect(await getLead(second.body.lead.id)).toMatchObject({ owner: 2 })
  })

  it('a provider’s call id of an inbound call cannot be reused for another caller', async () => {
    const id = newId()
    const first = await callFrom(newPhone(), id)
    const other = newPhone()
    expect(await report(other, NUMBER, id)).toMatchObject({
      status: 409,
      body: { detail: 'This provider_call_id belongs to a call of another person.' },
    })
    expect((await getPerson(OWNER, other)).leads).toEqual([])
    expect(await getLead(first.body.lead.id)).toMatchObject({ attempts: 1 })
  })

  it('a provider’s call id of an inbound call is accepted for only one of several callers at once', async () => {
    const id = newId()
    const answers = await Promise.all([newPhone(), newPhone(), newPhone()].map((from) => report(from, NUMBER, id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  it('a provider’s call id of an inbound call is remembered for a month', async () => {
    const id = newId()
    await callFrom(newPhone(), id)
    const Kept = v.looseObject({ expires_at: v.number() })
    const { expires_at } = (await getItem(Kept, inboundCallKey(OWNER, 'simulator', id)))!
    expect(expires_at * 1000).toBe(NOON + 30 * 86_400_000)
  })

  it.each(['the lead', 'the call'])('a provider’s call id of an inbound call is refused after an erasure of %s', async (what) => {
    const id = newId()
    const from = newPhone()
    const { body } = await callFrom(from, id)
    await transact([{ delete: what === 'the lead' ? leadKey(body.lead.id) : callKey(body.lead.id, 1) }])
    expect(await report(from, NUMBER, id)).toMatchObject({
      status: 409,
      body: { detail: 'The call with this provider_call_id is no longer stored.' },
    })
  })
})

it('a report of an inbound call with a wrong signature gets 401, not its validation errors', async () => {
  expect(await ring({ to: NUMBER }, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')).toMatchObject({ status: 401 })
})

describe('a report of an inbound call', () => {
  it('a repeated report of an inbound call names the same call', async () => {
    const from = newPhone()
    const provider_call_id = newId()
    const first = await callFrom(from, provider_call_id)
    const again = await callFrom(from, provider_call_id)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(await getLead(first.body.lead.id)).toMatchObject({ attempts: 1 })
  })

  it('a report of an inbound call that arrives several times at once makes one call of one lead', async () => {
    const from = newPhone()
    const provider_call_id = newId()
    const answers = await Promise.all(Array.from({ length: 6 }, () => callFrom(from, provider_call_id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1)
    expect((await getPerson(OWNER, from)).leads).toHaveLength(1)
  })

  it('a report of an inbound call to an unknown number is answered like a wrong signature', async () => {
    const body = { provider_call_id: newId(), from: newPhone(), to: NUMBER }
    const unknown = await ring({ ...body, to: '+12125550191' })
    const forged = await ring(body, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')
    const unsigned = await request(inbound, { method: 'POST', path: '/api/agents/inbound-calls/', body })
    expect(unknown.status).toBe(401)
    expect(forged).toEqual(unknown)
    expect(unsigned).toEqual(unknown)
  })

  it.each([
    [{ to: NUMBER }, ['provider_call_id', 'from']],
    [{ provider_call_id: 'x', from: 'anonymous', to: NUMBER }, ['from']],
    [{ provider_call_id: 'x'.repeat(256), from: '+12125550123', to: NUMBER }, ['provider_call_id']],
    [{ provider_call_id: 'x', from: '+12125550123' }, ['to']],
    [{ provider_call_id: 'x', from: 7, to: '1' }, ['from', 'to']],
    [{ provider_call_id: 'x\ud83d', from: '+12125550123', to: NUMBER }, ['provider_call_id']],
    [[], ['non_field_errors']],
    ['{', ['detail']],
  ])('the report %j of an inbound call is rejected with 400 for %j', async (body, names) => {
    const answer = await ring(body)
    expect({ status: answer.status, names: Object.keys(answer.body) }).toEqual({ status: 400, names })
  })
})

it('an inbound number belongs to one lead type, and a freed number can move to another', async () => {
  const number = '+12125550192'
  const one = sampleLeadType({ id: 7, inbound_numbers: [number] })
  const two = sampleLeadType({ id: 8, inbound_numbers: [number] })
  await saveLeadType(one)
  await saveLeadType(one)
  await expect(saveLeadType(two)).rejects.toThrow('belongs to another lead type')
  await saveLeadType({ ...one, inbound_numbers: [] })
  await saveLeadType(two)
  expect(await getInboundNumber(number)).toEqual({ owner: 1, lead_type: 8 })
})

it('a lead type that is saved does not take away an inbound number that now belongs to another', async () => {
  const number = '+12125550193'
  const one = sampleLeadType({ id: 9, inbound_numbers: [number] })
  await saveLeadType(one)
  // As when another one has it since this one was read.
  await putItem({ ...inboundNumberKey(number), owner: 2, lead_type: 7 })
  await expect(saveLeadType({ ...one, inbound_numbers: [] })).rejects.toThrow('belongs to another lead type')
  expect(await getInboundNumber(number)).toEqual({ owner: 2, lead_type: 7 })
})

it('an inbound number can be freed even if its record is missing', async () => {
  const number = '+12125550194'
  const one = sampleLeadType({ id: 10, inbound_numbers: [number] })
  await saveLeadType(one)
  await transact([{ delete: inboundNumberKey(number) }])
  await saveLeadType({ ...one, inbound_numbers: [] })
  expect(await getInboundNumber(number)).toBeUndefined()
})
