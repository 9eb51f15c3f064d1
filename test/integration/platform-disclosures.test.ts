import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { twilioCalls } from '#test/support/platforms/twilio-calls.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'

/** Metadata that fills a request. */
const LONG = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`note_${index}`, 'x'.repeat(700)]))

const SAID = {
  must_say: 'name, company, purpose, callback_number, opt_out, recording',
  disclosures: expect.stringMatching(/^Give your name\. .* in the first 10 seconds of the conversation\.$/),
}

describe('a call through Twilio', () => {
  const { inCall, leadTypeId, twilio } = twilioCalls()

  it('a call through Twilio tells the TwiML what must be said, however long the metadata is', async () => {
    await inCall({ lead_type: leadTypeId(), us_state: 'CT', timezone: 'America/New_York', metadata: LONG })
    const dialled = twilio().seen.find(({ method, path }) => method === 'POST' && path.endsWith('/Calls.json'))
    const url = new URL(`${new URLSearchParams(dialled?.body).get('Url')}`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject(SAID)
  })
})

describe('a call through Vapi', () => {
  const { inCall, leadTypeId, platform } = platformCalls((clock) => startVapiAgent(clock), now)

  it('a call through Vapi tells the assistant what must be said, however much metadata there is', async () => {
    await inCall({ lead_type: leadTypeId(), us_state: 'CT', timezone: 'America/New_York', metadata: LONG })
    const dialled = platform().seen.find(({ method, path }) => method === 'POST' && path.endsWith('/call'))
    expect(JSON.parse(`${dialled?.body}`).assistantOverrides.variableValues).toMatchObject(SAID)
  })
})
