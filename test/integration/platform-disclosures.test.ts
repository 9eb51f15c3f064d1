import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { IN_CONNECTICUT, SAID_IN_CONNECTICUT } from '#test/support/disclosures.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'

const { inCall, leadTypeId, platform } = platformCalls((clock) => startVapiAgent(clock), now)

describe('a call through Vapi', () => {
  it('a call through Vapi tells the assistant what must be said, however much metadata there is', async () => {
    await inCall({ lead_type: leadTypeId(), ...IN_CONNECTICUT })
    const dialled = platform().seen.find(({ method, path }) => method === 'POST' && path.endsWith('/call'))
    expect(JSON.parse(`${dialled?.body}`).assistantOverrides.variableValues).toMatchObject(SAID_IN_CONNECTICUT)
  })
})
