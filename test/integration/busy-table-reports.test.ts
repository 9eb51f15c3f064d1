import { describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as inbound } from '#functions/agents/inbound-calls.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { TableBusyError } from '#shared/platform/transient-errors.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { leadNow, newPhone, phoneOf } from '#test/support/lead-requests.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OWNER, request } from '#test/support/world.ts'

const { world, on, inCall, called, deliver, talking, send } = toolWorld()

const REFUSALS = 2

/** While `run` runs, the table refuses the first writes. @returns the result, and the number of refused writes */
const whileBusy = async <T>(run: () => Promise<T>) => {
  let refused = 0
  const result = await beforeEachSend((command) => {
    const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)Command$/.test(Object(command).constructor.name)
    if (isWrite && refused < REFUSALS && ++refused) throw new TableBusyError('Busy.')
  }, run)
  return { result, refused }
}

describe('a report while the table is too busy', () => {
  on('twilio')

  it('a report of a voice agent waits while the table is too busy for it, and takes effect once', async () => {
    const { call } = await inCall()
    const data = { outcome: 'not_interested', summary: 'No.' }
    const body = { type: 'call.completed', call_id: call, time: new Date(NOON).toISOString(), data }
    const { result, refused } = await whileBusy(() => request(report, agentRequest(world().agentSecret, '', body, { call_id: call })))
    expect({ status: result.status, refused }).toEqual({ status: 200, refused: REFUSALS })
    expect(await getCall(call)).toMatchObject({ reported_outcome: 'not_interested' })
  })

  it('an event of a voice platform waits while the table is too busy for it, because few platforms send it again', async () => {
    const { call } = await called('0002')
    const { result, refused } = await whileBusy(deliver)
    expect(refused).toBe(REFUSALS)
    expect(new Set(result)).toEqual(new Set([200]))
    expect(await getCall(call)).toMatchObject({ ended_time: expect.any(Number) })
  })

  it('an inbound call waits while the table is too busy for it, and holds its phone', async () => {
    const to = '+12125550190'
    await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [to] }))
    const body = { provider_call_id: 'in-1', from: newPhone(), to }
    const ring = () => request(inbound, agentRequest(world().agentSecret, '/api/agents/inbound-calls/', body))
    const { result, refused } = await whileBusy(ring)
    expect({ status: result.status, refused }).toEqual({ status: 201, refused: REFUSALS })
    expect(await phoneOf(body.from)).toMatchObject({ current_call: result.body.call_id })
  })

  it('a stop that an assistant reports with a tool waits while the table is too busy for it', async () => {
    const { call, lead } = await talking()
    const { result, refused } = await whileBusy(() => send('do_not_call', { call_id: call, channel: 'call' }))
    expect({ status: result.status, refused }).toEqual({ status: 200, refused: REFUSALS })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
  })
})
