import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, patch, patched, retrieveAs } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { placeQueued, inCall, told } = callWorld()

const ONE_CALL = { delays: [60], delays_by_outcome: {}, max_attempts: 1, transfer_unavailable_delay: 1800 }

/** A user whose leads have no lead type unless they are given one. */
const UNTYPED = { id: 77, key: 'untyped' }

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 41, owner: OWNER, cadence: ONE_CALL }))
  await saveUser({ id: UNTYPED.id, name: 'Untyped', dnc_group: '77', webhook_secrets: ['whsec_AAAA'] })
  await saveApiKey(UNTYPED.key, { user: UNTYPED.id, created_time: 0, revoked_time: null })
  await saveLeadType(sampleLeadType({ id: 42, owner: UNTYPED.id }))
})
afterAll(() => setClock(NOON))

describe('a failed transfer on the last step of the cadence', () => {
  it('a failed transfer on the last step of the cadence leads to one callback, and to no second one', async () => {
    const { lead, call } = await inCall({ lead_type: 41 })
    await told(call, 'call.completed', { outcome: 'transfer_unavailable' }, 60)
    expect(await leadNow(lead)).toMatchObject({ status: 'CALLBACK_TO_TRANSFER', next_call_time_reason: 'CALLBACK' })
    const { next_call_time } = (await getLead(lead))!
    expect(next_call_time).toBeGreaterThanOrEqual(NOON + 30 * MINUTE)
    setClock((next_call_time ?? 0) + MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(await getLead(lead)).toMatchObject({ current_call: `${lead}-2` })
    await told(`${lead}-2`, 'call.completed', { outcome: 'transfer_unavailable' }, 3600)
    expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED_INCOMPLETE', next_call_time: null })
  })
})

describe('a lead that gets its first lead type', () => {
  const newLead = () => created({}, UNTYPED.key)

  it('a lead that gets its first lead type is opened and called', async () => {
    const lead = await newLead()
    expect(lead).toMatchObject({ status: 'NEW', lead_type: null, next_call_time: null })
    const { body } = await patch(lead.id, { lead_type: 42 }, UNTYPED.key)
    expect(body).toMatchObject({ status: 'OPEN', status_reason: 'MANUAL', lead_type: 42, next_call_time: expect.any(String) })
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
  })

  it('a lead that gets its first lead type gets the status that the same update sets', async () => {
    const lead = await newLead()
    const { body } = await patch(lead.id, { lead_type: 42, status: 'CANCELLED' }, UNTYPED.key)
    expect(body).toMatchObject({ status: 'CANCELLED', next_call_time: null })
  })

  it('a lead with a stop is not called when it gets its first lead type', async () => {
    const lead = await newLead()
    await patch(lead.id, { call_dnc: true }, UNTYPED.key)
    const { body } = await patch(lead.id, { lead_type: 42 }, UNTYPED.key)
    expect(body).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a closed lead stays closed when it gets its first lead type', async () => {
    const lead = await newLead()
    await patch(lead.id, { status: 'LOST' }, UNTYPED.key)
    await patch(lead.id, { lead_type: 42 }, UNTYPED.key)
    expect((await retrieveAs(UNTYPED.key, lead.id)).body).toMatchObject({ status: 'LOST', next_call_time: null })
  })
})

describe('a lead that is reopened', () => {
  it('a lead that is reopened starts a new round, and its attempt cap counts from zero', async () => {
    const { lead, call } = await inCall({ lead_type: 41 })
    await told(call, 'call.completed', { outcome: 'no_answer' }, 60)
    const cap = async () => (await explained(lead)).gates['attempt_cap']
    expect(await cap()).toMatchObject({
      passed: false,
      detail: '1 of at most 1 attempts since creation, the last reengagement or the last reopening.',
    })
    expect(await patched(lead, { status: 'OPEN' })).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
    expect(await cap()).toMatchObject({ passed: true, inputs: { attempts: 0 } })
  })
})
