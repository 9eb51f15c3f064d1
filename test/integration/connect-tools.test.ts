import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { handler as tools } from '#functions/agents/platform-tools.ts'
import { handler as contactEvents } from '#functions/workers/contact-events.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { startConnectEmulator } from '#test/support/platforms/connect-emulator.ts'
import { CONNECT_FLOW, SOUND_FLOW } from '#test/support/platforms/connect-world.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'
import { consumeAll, request } from '#test/support/world.ts'

const REGION = 'us-east-1'
const TALKS = '0007'

let emulator: Awaited<ReturnType<typeof startConnectEmulator>>
const told: string[] = []

const start = async (clock: () => number) => {
  const instance = randomUUID()
  emulator = await startConnectEmulator({
    ...{ instanceId: instance, region: REGION, numbers: [CALLER.number], flows: { [CONNECT_FLOW]: SOUND_FLOW }, now: clock },
    onEvent: (event) => told.push(event),
  })
  const settings = { region: REGION, instance_id: instance }
  return { platform: emulator, name: 'connect', apiKey: '', callbackSecret: 'a secret for the tools', assistant: CONNECT_FLOW, settings }
}
const { called, definition, agentKey, outcome, place } = platformCalls(start, now)

/** A conversation that is over. The flow has set these attributes. */
const ended = async (results: Readonly<Record<string, string>> = {}) => {
  const one = await called(TALKS)
  passTime(MINUTE)
  emulator.release(emulator.rung.at(-1)!.platformCallId, { results })
  await consumeAll(contactEvents, told.splice(0))
  return one
}

/** The code behind the flow reports an outcome. */
const report = async (call_id: string, args: object) => {
  const authorization = Object(await definition('report_outcome')).request.headers.authorization
  const path = `/api/agents/platforms/${agentKey()}/tools/report_outcome/`
  const parameters = { agent: agentKey(), tool: 'report_outcome' }
  const headers = { Authorization: authorization, host: 'x' }
  return request(tools, { method: 'POST', path, parameters, headers, body: { call_id, ...args } })
}

describe('the code behind a contact flow', () => {
  it('the code behind a contact flow reports the outcome of a finished conversation if the flow has set none', async () => {
    const one = await ended()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: null, presumed_outcome: 'hung_up' })
    expect(await report(one.call, { outcome: 'not_interested', summary: 'Not now.' })).toMatchObject({ body: { ok: true } })
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'not_interested', summary: 'Not now.' })
    expect(await leadNow(one.lead)).toMatchObject({ status: 'LOST' })
  })

  it.each([[{ call_outcome: 'assigned' }], [{ call_summary: 'They talked.' }]])(
    'an outcome from the code behind a contact flow comes too late if the flow has set %j',
    async (results) => {
      const { call } = await ended(results)
      expect(await getCall(call)).toMatchObject({ completed_time: expect.any(Number) })
      expect(await report(call, { outcome: 'not_interested' })).toMatchObject({ body: { ok: false } })
    },
  )

  it('an outcome from the code behind a contact flow is waited for half an hour, then the end of the call counts', async () => {
    const one = await ended()
    passTime(31 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await outcome(one)).toMatchObject({ outcome: expect.stringMatching('COMPLETED'), status: 'OPEN' })
    expect((await leadNow(one.lead)).next_call_time).not.toBeNull()
  })
})

describe('a contact of another stage in the same instance, with the id of a call of ours', () => {
  it('a contact of another stage with the id of our call is never taken for our call when its number differs', async () => {
    emulator.dialFault = 'lost-before'
    const one = await called(TALKS)
    emulator.dialFault = 'none'
    const before = await getCall(one.call)
    emulator.foreign(one.call)
    expect(await consumeAll(contactEvents, told.splice(0))).toEqual([])
    expect(await getCall(one.call)).toEqual(before)
  })
})
