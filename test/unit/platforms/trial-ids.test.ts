import { describe, expect, it } from '@jest/globals'
import { newTrialId } from '#lib/ops/trial/trial-call.ts'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { adapterOf } from '#shared/agents/platforms/adapters.ts'
import { callKeyOf } from '#shared/platform/keys.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { receiveCallbacks } from '#test/support/platforms/callbacks.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { DIAL_TIME, sampleDial } from '#test/support/platforms/sample-dial.ts'
import { TRIAL_PLATFORMS } from '#test/support/platforms/trial-platforms.ts'

const { cleanUp } = cleanUpEach('ids')

describe('the id of a trial', () => {
  it('the id of a trial names no call of the service, and is as short as platforms require', () => {
    expect(callKeyOf(newTrialId())).toBeUndefined()
    expect(newTrialId().length).toBeLessThanOrEqual(40)
  })

  // ElevenLabs reports to its own webhook, and Amazon Connect to EventBridge: there, polls bring the id back.
  it.each(TRIAL_PLATFORMS.filter(({ name }) => !['connect', 'elevenlabs'].includes(name)))(
    'the id of a trial comes back with the callbacks of $name',
    async (one) => {
      const receiver = await receiveCallbacks(() => DIAL_TIME)
      const platform = await one.start(() => DIAL_TIME, true)
      cleanUp(platform.close, receiver.close)
      const { name, apiKey, assistant, settings, callbackSecret } = one
      const connection: Connection = { api: platform.url, apiKey, assistant, settings, callbackSecret }
      const callId = newTrialId()
      const callbackUrl = `${receiver.url}/api/agents/platforms/voice/events/?call=${callId}`
      const [[lastFour] = ['']] = one.endings
      const adapter = adapterOf(name)!
      const dial = sampleDial(receiver.url, lastFour, { callId, callbackUrl, from: one.from })
      expect(adapter.classify(await ask(adapter.request(connection, dial, DIAL_TIME)))).toMatchObject({ kind: 'accepted' })
      await platform.settled()
      const ids = receiver.received.map((callback) => adapter.translate(callback).callId)
      expect(ids.length).toBeGreaterThan(0)
      expect(new Set(ids)).toEqual(new Set([callId]))
    },
  )
})
