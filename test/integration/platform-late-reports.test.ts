import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { leadNow, patch, phoneOf } from '#test/support/lead-requests.ts'
import { BROKEN, twilioCalls } from '#test/support/platforms/twilio-calls.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const WAITS = '0011'
/** Ten seconds before the calling hours end in New York. */
const LAST_MOMENT = Date.parse('2026-11-21T01:58:50Z')

captureLog()
const { twilio, deliver, called, sweep, cancels, place, queued, sid } = twilioCalls()

/** A call that Twilio holds, although its answer was lost and nothing was reported until the call was given up. */
const givenUp = async () => {
  twilio().dialFault = 'lost-after'
  const one = await called(WAITS)
  twilio().dialFault = 'none'
  passTime(MINUTE)
  await place([{ type: 'watch', call_id: one.call }])
  expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number), provider_call_id: null, settled_time: null })
  return one
}

/** As `givenUp`, with the phone free again. */
const settled = async () => {
  const one = await givenUp()
  await sweep(12)
  expect(await getCall(one.call)).toMatchObject({ settled_time: expect.any(Number) })
  expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  return one
}

/** Places the next call of a lead. */
const calledNext = async (id: number): Promise<void> => {
  const lead = await getLead(id)
  setClock(lead!.next_call_time! + MINUTE)
  await dispatchDue()
  for (let sent = await queued(); sent.length > 0; sent = await queued()) await place(sent)
}

describe('a call that its platform lists and cannot confirm', () => {
  it('a call that its platform lists and cannot confirm is given up, and the failure does not deny that it exists', async () => {
    const { call } = await givenUp()
    const failure = 'The platform did not confirm the call, and could not say whether it has the call.'
    expect(await getCall(call)).toMatchObject({ failure })
  })
})

describe('a call that is reported after it was given up', () => {
  it('a given-up call that is reported while it waits is cancelled within three minutes after its calling hours', async () => {
    setClock(LAST_MOMENT)
    const one = await givenUp()
    await patch(one.lead, { status: 'CLOSED' })
    passTime(2 * MINUTE)
    await deliver()
    await sweep(3)
    expect(cancels()).toHaveLength(1)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a given-up call that is reported takes its phone again when that is free, and is cancelled soon', async () => {
    const one = await settled()
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ settled_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    await sweep(2)
    expect(cancels()).toHaveLength(1)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ settled_time: expect.any(Number) })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    expect(await leadNow(one.lead)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
  })

  it.each([
    ['settles the call', 'settled_time'],
    ['frees its phone', 'REMOVE current_call'],
  ])('a given-up call that is reported just before an old look %s keeps its phone, and frees it after its end', async (_, write) => {
    const one = await givenUp()
    const look = () => place([{ type: 'watch', call_id: one.call }])
    passTime(12 * MINUTE)
    let isReported = false
    const report = async (command: unknown): Promise<void> => {
      const { input } = command as { input: { UpdateExpression?: string; TransactItems?: unknown } }
      if (isReported || !JSON.stringify([input.UpdateExpression, input.TransactItems]).includes(write)) return
      isReported = true
      await look()
      await deliver()
    }
    await beforeEachSend(report, look)
    expect(isReported).toBe(true)
    expect(await getCall(one.call)).toMatchObject({ provider_call_id: sid(), settled_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    await sweep(2)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a given-up call that is reported takes its phone again when the phone was freed because its lead could not be read', async () => {
    const one = await givenUp()
    const lead = await getLead(one.lead)
    await updateItem(leadKey(one.lead), {
      UpdateExpression: 'SET attempts = :broken',
      ExpressionAttributeValues: { ':broken': 'many' },
    })
    passTime(12 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await getCall(one.call)).toMatchObject({ settled_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    await updateItem(leadKey(one.lead), {
      UpdateExpression: 'SET attempts = :attempts',
      ExpressionAttributeValues: { ':attempts': lead!.attempts },
    })
    await deliver()
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    await sweep(2)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ settled_time: expect.any(Number) })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a given-up call that is reported later is polled again soon when the platform does not answer', async () => {
    const one = await settled()
    await deliver()
    twilio().readFault = BROKEN
    await sweep(3)
    expect(cancels()).toEqual([])
    twilio().readFault = 'none'
    await sweep(2)
    expect(cancels()).toHaveLength(1)
    await deliver()
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a given-up call that is reported keeps its phone while the cancel fails, for four hours at most', async () => {
    const one = await settled()
    await deliver()
    twilio().changeFault = BROKEN
    await sweep(12)
    expect(cancels().length).toBeGreaterThanOrEqual(9)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: one.call })
    passTime(4 * HOUR)
    await sweep(2)
    expect(await getCall(one.call)).toMatchObject({ settled_time: expect.any(Number) })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    const sent = cancels().length
    await sweep(3)
    expect(cancels()).toHaveLength(sent)
  })

  it('a given-up call is completed when its first report says that it is over, and takes no phone', async () => {
    twilio().callbackFault = 'lost'
    const one = await settled()
    twilio().callbackFault = 'none'
    twilio().proceed(sid(), 'no-answer')
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ completed_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
  })

  it('a given-up call that is reported is cancelled at once when another call holds its phone', async () => {
    const one = await settled()
    await calledNext(one.lead)
    const [first, second] = twilio().rung
    await deliver()
    await place(await queued())
    expect(await getCall(one.call)).toMatchObject({ provider_call_id: first!.platformCallId })
    expect(cancels().map(({ path }) => path.includes(first!.platformCallId))).toEqual([true])
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: `${one.lead}-2` })
    await deliver()
    await sweep(1)
    expect(await getCall(one.call)).toMatchObject({ settled_time: expect.any(Number) })
    expect(await getCall(`${one.lead}-2`)).toMatchObject({ provider_call_id: second!.platformCallId, ended_time: null })
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: `${one.lead}-2` })
  })

  it('a given-up call ends when its person answers while another call holds the phone', async () => {
    const one = await settled()
    await calledNext(one.lead)
    twilio().proceed(sid(), 'in-progress')
    await deliver()
    await place(await queued())
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number) })
    expect(await getCall(`${one.lead}-2`)).toMatchObject({ ended_time: null })
  })

  it('a given-up call to a stopped person is asked to end each minute while the platform fails', async () => {
    const one = await settled()
    await patch(one.lead, { call_dnc: true })
    await queued()
    twilio().changeFault = BROKEN
    twilio().proceed(sid(), 'in-progress')
    await deliver()
    expect(await place(await queued())).toEqual([])
    const before = cancels().length
    await sweep(5)
    expect(cancels().length).toBeGreaterThanOrEqual(before + 5)
    twilio().changeFault = 'none'
    await sweep(1)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), settled_time: null })
  })
})
