import { describe, expect, it } from '@jest/globals'
import { IN_CONNECTICUT, SAID_IN_CONNECTICUT } from '#test/support/disclosures.ts'
import { twilioCalls } from '#test/support/platforms/twilio-calls.ts'

const { inCall, leadTypeId, twilio } = twilioCalls()

describe('a call through Twilio', () => {
  it('a call through Twilio tells the TwiML what must be said, however much metadata there is', async () => {
    await inCall({ lead_type: leadTypeId(), ...IN_CONNECTICUT })
    const dialled = twilio().seen.find(({ method, path }) => method === 'POST' && path.endsWith('/Calls.json'))
    const url = new URL(`${new URLSearchParams(dialled?.body).get('Url')}`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject(SAID_IN_CONNECTICUT)
  })
})
