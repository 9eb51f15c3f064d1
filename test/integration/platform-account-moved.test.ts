import { describe, expect, it } from '@jest/globals'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { movableMachineClock } from '#test/support/machine-clock.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'

const { forgetConfiguration } = movableMachineClock()
const world = toolWorld()
const { agentKey, platform, called, place } = world

/** The operator moves the agent to another account. */
const change = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const agent = (await readAgent(agentKey()))!
  await saveAgent({ ...agent, platform: { ...agent.platform!, settings } })
  forgetConfiguration()
}

describe('an agent on Telnyx whose account the operator changes during a call', () => {
  world.on('telnyx')

  it.each([
    ['is not repeated on another account', '999', 1, { accepted_time: null, unknown_time: expect.any(Number) }],
    ['is repeated on the same account', undefined, 2, { accepted_time: expect.any(Number), unknown_time: null }],
  ])('a request with an unclear answer %s', async (_, connection, requests, milestones) => {
    platform().dialFault = 'lost-after'
    platform().callbackFault = 'lost'
    const { call } = await called('0000')
    if (connection !== undefined) await change({ connection_id: connection })
    passTime(10 * SECOND)
    await place([{ type: 'watch', call_id: call }])
    expect(platform().seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/calls'))).toHaveLength(requests)
    expect(await getCall(call)).toMatchObject(milestones)
  })
})
