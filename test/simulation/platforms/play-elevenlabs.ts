import { SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { type ElevenLabsScript, startElevenLabsEmulator } from '#test/support/platforms/elevenlabs-emulator.ts'
import { FROM, kindBy, type PlayedPlatform, scriptIn } from './played-platform.ts'

const sip = (sip_status_code: number) => ({ type: 'sip', body: { sip_status_code } })
const tool = (result_type: string, more: object = {}): ElevenLabsScript => ({ tools: [{ result_type, ...more }] })

const ERRORS = [
  ...['line_busy', 'call_rejected', 'blocked_by_user', 'no_answer', 'call_initialization_error', 'client_disconnected'],
  ...['max_duration_exceeded', 'an error of its own'],
]

const SCRIPTS: Readonly<Record<string, ElevenLabsScript>> = {
  'end_call tool was called.': {},
  'Call ended by remote party': { reason: 'Call ended by remote party' },
  'failure: no-answer': { failure: { reason: 'no-answer' } },
  'failure: busy': { failure: { reason: 'busy' } },
  'failure: unknown': { failure: { reason: 'unknown' } },
  ...Object.fromEntries(
    [404, 480, 486, 503].map((status) => [`failure: unknown, SIP ${status}`, { failure: { reason: 'unknown', metadata: sip(status) } }]),
  ),
  ...Object.fromEntries(['voicemail', 'busy', 'no_answer', 'failed'].map((result) => [`call_result: ${result}`, { result }])),
  ...Object.fromEntries(ERRORS.map((error) => [`error: ${error}`, { error }])),
  'tool: voicemail_detection_success': tool('voicemail_detection_success', { voicemail_message: 'Call us.' }),
  'tool: transfer_to_number_twilio_success': tool('transfer_to_number_twilio_success', { conference_name: 'c1' }),
  'tool: transfer_to_number_sip_success': tool('transfer_to_number_sip_success'),
  'tool: transfer_to_number_error': tool('transfer_to_number_error'),
  'refused: quota exceeded': { refusal: 'Failed to call: quota exceeded' },
  'refused: SIP 486': { refusal: 'INVITE failed: sip status: 486: Busy here' },
  ...Object.fromEntries(SPOKEN_OUTCOMES.map((outcome) => [`said: ${outcome}`, { collected: { outcome } }])),
}

export const playElevenLabs: PlayedPlatform = {
  name: 'elevenlabs',
  ends: Object.keys(SCRIPTS),
  typical: 'said: not_interested',
  start: async ({ now, callbackUrl, endOf }) => {
    const emulator = await startElevenLabsEmulator({
      ...{ apiKey: 'key1', agentId: 'agent_1', webhook: { url: callbackUrl, secret: 'wsec_test' }, now },
      numbers: { [`${FROM.id}`]: { phone_number: FROM.number, provider: 'twilio', supports_outbound: true } },
      script: (to) => {
        const end = endOf(to)
        return end === undefined ? { stays: 'initiated' } : scriptIn(SCRIPTS)(end)
      },
    })
    return {
      emulator,
      account: { assistant: 'agent_1', apiKey: 'key1', callbackSecret: 'wsec_test', settings: { telephony: 'twilio' } },
      end: (id, end) => emulator.proceed(id, scriptIn(SCRIPTS)(end)),
    }
  },
  kindOf: kindBy([
    [/^POST .*\/outbound-call$/, 'dial'],
    [/^GET .*\/conversations\?/, 'search'],
    [/^GET .*\/conversations\//, 'read'],
  ]),
}
