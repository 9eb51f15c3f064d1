import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { callKey, leadKey } from '#shared/platform/keys.ts'
import { deleteItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld, hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, phoneOf } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const NUMBER = '+12125550190'

const { queued, place, inCall, tell, ring } = callWorld()

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
})

describe('the reported end of a call', () => {
  it('the reported end of a call frees the phone and the line before the completion is reported', async () => {
    const { call, phone, lead } = await inCall()
    await tell(call, 'call.answered')
    setClock(NOON + MINUTE)
    await dispatchDue()
    await place(await queued())
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    await tell(call, 'call.ended')
    expect(await phoneOf(phone)).toMatchObject({ current_call: null, attempts: [expect.any(Number)] })
    expect(await hasLine(call)).toBe(false)
    expect(await getCall(call)).toMatchObject({ settled_time: null })
    expect(await getLead(lead)).toMatchObject({ current_call: call, next_call_time: null })
    await tell(call, 'call.completed', { outcome: 'not_interested' })
    expect(await getLead(lead)).toMatchObject({ status: 'LOST', current_call: null })
    expect(await getCall(call)).toMatchObject({ settled_time: expect.any(Number) })
  })

  it('the end of a transferred call completes it, although the outcome is reported at the same moment', async () => {
    const { call, lead } = await inCall()
    await updateItem(callKey(lead, 1), { UpdateExpression: 'SET on_platform = :yes', ExpressionAttributeValues: { ':yes': true } })
    await tell(call, 'call.transfer_connected', {}, 20)
    let isFirst = true
    const completing = async (command: unknown) => {
      if (!isFirst || !JSON.stringify(command).includes('ended_time')) return
      isFirst = false
      await tell(call, 'call.completed', { outcome: 'completed' }, 40)
    }
    await beforeEachSend(completing, () => tell(call, 'call.ended', {}, 40))
    expect(await getCall(call)).toMatchObject({ completed_time: expect.any(Number), reported_outcome: 'transferred_blind' })
  })

  it('the end of a call frees line and phone although its lead cannot be read', async () => {
    const { call, phone, lead } = await inCall()
    const asNumber = { UpdateExpression: 'SET lead_source = :x', ExpressionAttributeValues: { ':x': 7 } }
    await updateItem(leadKey(lead), asNumber)
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    expect(await hasLine(call)).toBe(false)
    await deleteItem(leadKey(lead))
  })

  it('the reported end of a call gives the line to a waiting lead', async () => {
    const leads = [await created({}, OTHER_KEY), await created({}, OTHER_KEY), await created({}, OTHER_KEY)]
    for (const message of await queued()) await place([message])
    const [one, , three] = leads.map(({ id }) => id)
    expect(await getLead(three)).toMatchObject({ due_list: 'CALL', next_call_time_reason: 'CAPACITY' })
    await queued()
    await tell(`${one}-1`, 'call.answered')
    await tell(`${one}-1`, 'call.ended')
    expect(await queued()).toContainEqual(expect.objectContaining({ type: 'dial', lead_id: three }))
  })

  it("the reported end of an inbound call frees the person's phone and one of the owner's lines", async () => {
    const phone = newPhone()
    const { body } = await ring(phone, NUMBER)
    expect(await phoneOf(phone)).toMatchObject({ current_call: body.call_id })
    await tell(body.call_id, 'call.ended')
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    expect(await hasLine(body.call_id)).toBe(false)
  })

  it('the reported end of a call does not free a phone that another call has taken since', async () => {
    const { call, phone } = await inCall()
    await tell(call, 'call.answered')
    await tell(call, 'call.ended')
    const { body } = await ring(phone, NUMBER)
    await tell(call, 'call.ended')
    await tell(call, 'call.completed', { outcome: 'completed' })
    expect(await phoneOf(phone)).toMatchObject({ current_call: body.call_id })
  })

  it('the reported end of a call costs at most one write unit after the completion', async () => {
    const { call } = await inCall()
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    expect((await unitsOf(() => tell(call, 'call.ended'))).write).toBeLessThanOrEqual(1)
  })
})

describe('the answer to a report', () => {
  it('answering a report reads the call only once', async () => {
    const { call } = await inCall()
    await tell(call, 'call.answered')
    const { read } = await unitsOf(() => tell(call, 'call.data_collected', { collected: {} }))
    // One of the test’s own, then the call, the lead for what is collected, and for the answer the lead and the phone.
    expect(read).toBeLessThanOrEqual(5)
  })
})
