import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { startConnectEmulator } from '#test/support/platforms/connect-emulator.ts'
import { CONNECT_FLOW, CONNECT_INSTANCE } from '#test/support/platforms/connect-world.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'

const start = async (clock: () => number) => {
  const platform = await startConnectEmulator({
    instanceId: CONNECT_INSTANCE,
    region: 'us-east-1',
    numbers: [],
    flows: {},
    now: clock,
    onEvent: () => undefined,
  })
  // An earlier version accepted this region.
  const settings = { region: 'eusc-de-east-1', instance_id: CONNECT_INSTANCE }
  return { platform, name: 'connect', apiKey: '', assistant: CONNECT_FLOW, settings }
}
const { called, platform } = platformCalls(start, now)

describe('a malformed setting of an agent', () => {
  it('a malformed setting of an agent is named by the call that could not be placed', async () => {
    const one = await called('0001')
    const failure = 'The setting region must be a region of AWS such as us-east-1.'
    expect(await getCall(one.call)).toMatchObject({ refused_time: expect.any(Number), unsent_time: expect.any(Number), failure })
    expect(await leadNow(one.lead)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
    expect(platform().seen).toEqual([])
  })
})
