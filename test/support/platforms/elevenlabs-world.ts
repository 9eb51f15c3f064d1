import { afterEach, beforeEach, expect } from '@jest/globals'
import type { Connection, Dial, Translation } from '#shared/agents/platforms/adapter.ts'
import { ANALYSIS_SCHEMA } from '#shared/agents/platforms/analysis.ts'
import { elevenLabsAdapter } from '#shared/agents/platforms/elevenlabs/adapter.ts'
import { elevenLabsTools } from '#shared/agents/platforms/elevenlabs/tools.ts'
import { type CallbackReceiver, receiveCallbacks } from './callbacks.ts'
import { type ElevenLabsEmulator, type ElevenLabsOptions, startElevenLabsEmulator } from './elevenlabs-emulator.ts'
import { ask } from './emulator.ts'
import { offeredTools } from './offered-tools.ts'
import { CALLER, DIAL_TIME, sampleDial } from './sample-dial.ts'

/** An emulator of ElevenLabs and a receiver of its callbacks, new for each test. */
export const elevenLabsWorld = () => {
  let platform: ElevenLabsEmulator
  let receiver: CallbackReceiver

  /** Where the workspace's webhook reports all calls. */
  const callbackUrl = () => `${receiver.url}/api/agents/voice/events/`
  const options = (over: Partial<ElevenLabsOptions>): ElevenLabsOptions => ({
    apiKey: 'key1',
    agentId: 'agent_1',
    numbers: { [CALLER.id]: { phone_number: CALLER.number, provider: 'twilio', supports_outbound: true } },
    dataCollection: ANALYSIS_SCHEMA.properties,
    tools: Object.fromEntries(offeredTools('do_not_call').map((tool) => ['tool-1', Object(elevenLabsTools.define(tool))])),
    webhook: { url: callbackUrl(), secret: 'wsec_test' },
    now: () => DIAL_TIME,
    ...over,
  })
  beforeEach(async () => {
    receiver = await receiveCallbacks(() => DIAL_TIME)
    platform = await startElevenLabsEmulator(options({}))
  })
  afterEach(async () => {
    await Promise.all([platform.close(), receiver.close()])
  })

  const connection = (over: Partial<Connection> = {}): Connection => ({
    api: platform.url,
    assistant: 'agent_1',
    apiKey: 'key1',
    callbackSecret: 'wsec_test',
    settings: { telephony: 'twilio' },
    ...over,
  })
  const dialled = (lastFour: string, over: Partial<Dial> = {}) => sampleDial(receiver.url, lastFour, over)

  return {
    platform: () => platform,
    receiver: () => receiver,
    callbackUrl,
    connection,
    dialled,
    restart: async (over: Partial<ElevenLabsOptions>): Promise<void> => {
      await platform.close()
      platform = await startElevenLabsEmulator(options(over))
      receiver.received.length = 0
    },
    place: async (lastFour: string, to = connection(), over: Partial<Dial> = {}) =>
      elevenLabsAdapter.classify(await ask(elevenLabsAdapter.request(to, dialled(lastFour, over)))),
    /** Contents of the callbacks so far, after a check of each signature. */
    heard: async (): Promise<readonly Translation[]> => {
      await platform.settled()
      expect(receiver.received.filter((callback) => !elevenLabsAdapter.verify(connection(), callback))).toEqual([])
      return receiver.received.map((callback) => elevenLabsAdapter.translate(callback))
    },
  }
}
