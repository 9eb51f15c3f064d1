import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { startVapiEmulator } from '#test/support/platforms/vapi-emulator.ts'
import {
  SOUND_ASSISTANT,
  SOUND_NUMBER,
  STANDARD_CREDENTIAL,
  VAPI_ASSISTANT,
  VAPI_CREDENTIAL,
  VAPI_NUMBER,
  VAPI_SECRET,
} from '#test/support/platforms/vapi-world.ts'

let vapi: Awaited<ReturnType<typeof startVapiEmulator>>
const start = async (clock: () => number) => {
  vapi = await startVapiEmulator({
    apiKey: 'key',
    assistants: { [VAPI_ASSISTANT]: SOUND_ASSISTANT },
    phoneNumbers: { [VAPI_NUMBER]: SOUND_NUMBER },
    credentials: { [VAPI_CREDENTIAL]: STANDARD_CREDENTIAL },
    script: () => ({ endedReason: `new-reason-${'x'.repeat(1000)}`, isAnswered: true }),
    now: clock,
  })
  const settings = { credential_id: VAPI_CREDENTIAL }
  const from = { number: SOUND_NUMBER.number, id: VAPI_NUMBER }
  return { platform: vapi, name: 'vapi', apiKey: 'key', callbackSecret: VAPI_SECRET, assistant: VAPI_ASSISTANT, settings, from }
}

const { called, deliver } = platformCalls(start, now)
const lines = captureLog()

describe('something of a platform that is not documented', () => {
  it('is logged once for a call, and cut', async () => {
    vapi.callbackFault = 'twice'
    const { call } = await called('0000')
    await deliver()
    const logged = lines.flatMap((text) => text.split('\n')).filter((line) => line.includes('new-reason'))
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0]!)).toMatchObject({ call, unknown: expect.stringMatching(/^endedReason new-reason-x+…$/) })
    expect(JSON.parse(logged[0]!).unknown).toHaveLength(201)
  })
})
