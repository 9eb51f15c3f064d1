import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'

let vapi: Awaited<ReturnType<typeof startVapiAgent>>['platform']
const start = async (clock: () => number) => {
  const agent = await startVapiAgent(clock, { script: () => ({ endedReason: `new-reason-${'x'.repeat(1000)}`, isAnswered: true }) })
  vapi = agent.platform
  return agent
}

const { called, deliver } = platformCalls(start, now)
const lines = captureLog()

describe('something of a platform that is not documented', () => {
  it('an undocumented value from a platform is logged once for a call, and cut', async () => {
    vapi.callbackFault = 'twice'
    const { call } = await called('0000')
    await deliver()
    const logged = lines.flatMap((text) => text.split('\n')).filter((line) => line.includes('new-reason'))
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0]!)).toMatchObject({ call, unknown: expect.stringMatching(/^endedReason new-reason-x+…$/) })
    expect(JSON.parse(logged[0]!).unknown).toHaveLength(201)
  })
})
