import { startTwilioEmulator, type TwilioScript } from '#test/support/platforms/twilio-emulator.ts'
import { FROM, kindBy, type PlayedPlatform, scriptIn } from './played-platform.ts'

const ACCOUNT = 'AC00000000000000000000000000000001'

const MACHINES = ['machine_start', 'machine_end_beep', 'machine_end_silence', 'machine_end_other', 'fax']
const SIP = ['403', '404', '408', '410', '480', '486', '503', '600', '603', '604', '607', '608']

const SCRIPTS: Readonly<Record<string, TwilioScript>> = {
  'completed, human': { end: 'completed', answeredBy: 'human' },
  'completed, unknown': { end: 'completed', answeredBy: 'unknown' },
  ...Object.fromEntries(MACHINES.map((answeredBy) => [`completed, ${answeredBy}`, { end: 'completed', answeredBy, verdictAtEnd: true }])),
  ...Object.fromEntries((['busy', 'no-answer', 'canceled', 'failed'] as const).map((end) => [end, { end }])),
  ...Object.fromEntries(SIP.map((sip) => [`failed, SIP ${sip}`, { end: 'failed', sip }])),
}

export const playTwilio: PlayedPlatform = {
  name: 'twilio',
  ends: Object.keys(SCRIPTS),
  typical: 'completed, human',
  isKnownByReports: true,
  start: async ({ now, endOf }) => {
    const script = (to: string): TwilioScript => {
      const end = endOf(to)
      return end === undefined ? { stays: 'ringing' } : scriptIn(SCRIPTS)(end)
    }
    const emulator = await startTwilioEmulator({ accountSid: ACCOUNT, authToken: 'token-1', numbers: [FROM.number], now, script })
    return {
      emulator,
      account: { assistant: 'https://agent.example.com/twiml', apiKey: 'token-1', settings: { account_sid: ACCOUNT } },
      end: (id, end) => emulator.proceed(id, scriptIn(SCRIPTS)(end).end ?? 'completed'),
    }
  },
  kindOf: kindBy([
    [/^POST .*\/Calls\.json/, 'dial'],
    [/^GET .*\/Calls\.json/, 'search'],
    [/^GET .*\/Calls\//, 'read'],
    [/^POST .*\/Calls\//, 'cancel'],
  ]),
}
