import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { closeBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { leadHappenings } from '#shared/events/rules/derive.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { changeLead, getLead } from '#shared/leads/lead-store.ts'
import { breakerKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, request } from '#test/support/world.ts'

let answer: ReceiverAnswer
/** Runs while the agent is being asked. */
let meanwhile: () => Promise<unknown>
const { queued, placeQueued, place } = callWorld(async () => {
  await meanwhile()
  return answer
})
let nextPhone = 1000

beforeEach(async () => {
  answer = { body: '{"provider_call_id":"p-1"}' }
  meanwhile = async () => undefined
  await closeBreaker('simulator', NOON)
})

const newLead = async (): Promise<number> => {
  const body = { phone_number: `+1212555${nextPhone++}`, timezone: 'America/New_York' }
  return (await request(create, { method: 'POST', path: '/api/leads/', body })).body.id
}

const lead = async (id: number): Promise<Lead> => (await getLead(id))!

const patch = async (id: number, body: unknown) =>
  (await request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })).body

/** Goes from call to call until none is left. @returns the lead before the last one */
const callOn = async (id: number): Promise<Lead> => {
  let before = await lead(id)
  for (let call = 0; call < 30; call++) {
    await placeQueued()
    const { next_call_time } = await lead(id)
    if (next_call_time === null) return before
    before = await lead(id)
    setClock(next_call_time + 1000)
    await dispatchDue()
  }
  throw new Error('There is no end to it.')
}

describe('a lead whose calls the provider refuses', () => {
  it('a lead is closed, with an event, after as many refusals by the provider as its cadence has calls', async () => {
    answer = { status: 422 }
    const id = await newLead()
    const before = await callOn(id)
    const after = await lead(id)
    expect(after).toMatchObject({ status: 'CLOSED_INCOMPLETE', status_reason: 'UNKNOWN', attempts: 8, refusals: 8, next_call_time: null })
    expect(leadHappenings({ before, after }).map(({ trigger }) => trigger)).toEqual(['LEAD_CLOSED_INCOMPLETE'])
    expect(await patch(id, { status: 'OPEN' })).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await lead(id)).toMatchObject({ refusals: 0, round_attempts: 0 })
  })

  it('a lead whose calls the provider refuses stays open while its agent is down', async () => {
    answer = { status: 404 }
    const id = await newLead()
    await expect(callOn(id)).rejects.toThrow('no end')
    expect(await lead(id)).toMatchObject({ status: 'OPEN' })
    expect((await lead(id)).refusals).toBeLessThan(8)
  })
})

describe('a definite refusal', () => {
  it('a definite refusal is recorded even if the circuit breaker cannot be updated', async () => {
    answer = { status: 422 }
    const setFailures = (failures: unknown) =>
      updateItem(breakerKey('simulator'), {
        UpdateExpression: 'SET failures = :failures',
        ExpressionAttributeValues: { ':failures': failures },
      })
    meanwhile = () => setFailures('broken')
    const id = await newLead()
    expect(await place(await queued())).toEqual([])
    await setFailures(0)
    expect(await getCall(`${id}-1`)).toMatchObject({ refused_time: expect.any(Number), unknown_time: null })
    expect(await lead(id)).toMatchObject({ round_attempts: 0 })
  })
})

describe('a lead at the end of its cadence', () => {
  it('a lead at the end of its cadence is closed instead of being left open without a call', async () => {
    const id = await newLead()
    const [message] = await queued()
    const before = await changeLead(id, (found) => ({ ...found, round_attempts: 8 }))
    await consumeAll(placeCall, [message])
    const after = await lead(id)
    expect(after).toMatchObject({ status: 'CLOSED_INCOMPLETE', status_reason: 'UNKNOWN', next_call_time: null, due_list: null })
    expect(leadHappenings({ before, after }).map(({ trigger }) => trigger)).toEqual(['LEAD_CLOSED_INCOMPLETE'])
  })

  it('a lead at the end of its cadence is called when it is reopened', async () => {
    const id = await newLead()
    await queued()
    const closed = { status: 'CLOSED_INCOMPLETE', next_call_time: null, next_call_time_reason: null, due_list: null } as const
    await changeLead(id, (found) => ({ ...found, ...closed, attempts: 8, round_attempts: 8 }))
    expect((await patch(id, { status: 'OPEN' })).next_call_time).not.toBeNull()
    await placeQueued()
    expect(await lead(id)).toMatchObject({ attempts: 9, round_attempts: 1 })
  })
})
