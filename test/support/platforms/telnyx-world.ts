import { afterEach, beforeEach, expect } from '@jest/globals'
import type { Connection, Translation } from '#shared/agents/platforms/adapter.ts'
import { ANALYSIS_SCHEMA } from '#shared/agents/platforms/analysis.ts'
import { telnyxAdapter } from '#shared/agents/platforms/telnyx/adapter.ts'
import { telnyxTools } from '#shared/agents/platforms/telnyx/tools.ts'
import { type CallbackReceiver, receiveCallbacks } from './callbacks.ts'
import { ask } from './emulator.ts'
import { offeredTools } from './offered-tools.ts'
import { CALLER, DIAL_TIME, sampleDial } from './sample-dial.ts'
import { startTelnyxEmulator, type TelnyxEmulator, type TelnyxOptions } from './telnyx-emulator.ts'

/** An emulator of Telnyx and a receiver of its callbacks, new for each test. */
export const telnyxWorld = () => {
  let platform: TelnyxEmulator
  let receiver: CallbackReceiver
  let time = DIAL_TIME

  const options: TelnyxOptions = {
    apiKey: 'KEY1',
    connectionId: '7267',
    assistantId: 'assistant-1',
    numbers: { [CALLER.number]: 'active' },
    insightSchemas: [ANALYSIS_SCHEMA],
    tools: offeredTools('do_not_call').map((tool) => Object(telnyxTools.define(tool))),
    now: () => time,
  }
  beforeEach(async () => {
    time = DIAL_TIME
    receiver = await receiveCallbacks(() => time)
    platform = await startTelnyxEmulator(options)
  })
  afterEach(async () => {
    await Promise.all([platform.close(), receiver.close()])
  })

  const connection = (over: Partial<Connection> = {}): Connection => ({
    api: platform.url,
    assistant: options.assistantId,
    apiKey: options.apiKey,
    callbackSecret: platform.publicKey,
    settings: { connection_id: options.connectionId },
    ...over,
  })
  const dialled = (lastFour: string) => sampleDial(receiver.url, lastFour)

  return {
    platform: () => platform,
    receiver: () => receiver,
    connection,
    dialled,
    pass: (milliseconds: number): void => {
      time += milliseconds
    },
    restart: async (over: Partial<TelnyxOptions>): Promise<void> => {
      await platform.close()
      platform = await startTelnyxEmulator({ ...options, ...over })
      receiver.received.length = 0
    },
    place: async (lastFour: string, to = connection()) => telnyxAdapter.classify(await ask(telnyxAdapter.request(to, dialled(lastFour)))),
    /** Contents of the callbacks so far, after a check of each signature. */
    heard: async (): Promise<readonly Translation[]> => {
      await platform.settled()
      expect(receiver.received.filter((callback) => !telnyxAdapter.verify(connection(), callback))).toEqual([])
      return receiver.received.map((callback) => telnyxAdapter.translate(callback))
    },
  }
}
