import { afterEach, beforeEach, expect } from '@jest/globals'
import type { Connection, Translation } from '#shared/agents/platforms/adapter.ts'
import { twilioAdapter } from '#shared/agents/platforms/twilio/adapter.ts'
import { type CallbackReceiver, receiveCallbacks } from './callbacks.ts'
import { ask } from './emulator.ts'
import { CALLER, DIAL_TIME, sampleDial } from './sample-dial.ts'
import { startTwilioEmulator, type TwilioEmulator, type TwilioOptions } from './twilio-emulator.ts'

const ACCOUNT = { accountSid: 'AC00000000000000000000000000000001', authToken: '12345', numbers: [CALLER.number], now: () => DIAL_TIME }

/** An emulator of Twilio and a receiver of its callbacks, new for each test. */
export const twilioWorld = () => {
  let platform: TwilioEmulator
  let receiver: CallbackReceiver

  beforeEach(async () => {
    receiver = await receiveCallbacks(() => DIAL_TIME + 60_000)
    platform = await startTwilioEmulator(ACCOUNT)
  })
  afterEach(async () => {
    await Promise.all([platform.close(), receiver.close()])
  })

  const connection = (over: Partial<Connection> = {}): Connection => ({
    api: platform.url,
    assistant: 'https://agent.example.com/twiml?tenant=7',
    apiKey: ACCOUNT.authToken,
    callbackSecret: null,
    secrets: [],
    settings: { account_sid: ACCOUNT.accountSid },
    ...over,
  })
  const dialled = (lastFour: string) => sampleDial(receiver.url, lastFour)

  return {
    platform: () => platform,
    receiver: () => receiver,
    connection,
    dialled,
    restart: async (over: Partial<TwilioOptions>): Promise<void> => {
      await platform.close()
      platform = await startTwilioEmulator({ ...ACCOUNT, ...over })
      receiver.received.length = 0
    },
    place: async (lastFour: string, to = connection()) =>
      twilioAdapter.classify(await ask(twilioAdapter.request(to, dialled(lastFour), DIAL_TIME))),
    /** Contents of the callbacks so far, after a check of each signature. */
    heard: async (): Promise<readonly Translation[]> => {
      await platform.settled()
      expect(receiver.received.filter((callback) => !twilioAdapter.verify(connection(), callback))).toEqual([])
      return receiver.received.map((callback) => twilioAdapter.translate(callback))
    },
  }
}
