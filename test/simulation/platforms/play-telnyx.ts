import { SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { startTelnyxEmulator, type TelnyxScript } from '#test/support/platforms/telnyx-emulator.ts'
import { FROM, kindBy, type PlayedPlatform, scriptIn } from './played-platform.ts'

const SIP = ['403', '404', '408', '410', '480', '486', '503', '600', '603', '604', '607', '608']
const NUMBER = '+12125550199'

const SCRIPTS: Readonly<Record<string, TelnyxScript>> = {
  'normal_clearing by callee': { answered: true, cause: 'normal_clearing', source: 'callee' },
  'normal_clearing by caller': { answered: true, cause: 'normal_clearing', source: 'caller' },
  unspecified: { answered: true, cause: 'unspecified', source: 'unknown' },
  time_limit: { answered: true, cause: 'time_limit', source: 'caller' },
  timeout: { cause: 'timeout', source: 'caller', sip: '487' },
  no_answer: { cause: 'no_answer', source: 'caller', sip: '487' },
  user_busy: { cause: 'user_busy', source: 'callee', sip: '486' },
  not_found: { cause: 'not_found', source: 'callee', sip: '404' },
  originator_cancel: { cause: 'originator_cancel', source: 'caller', sip: '487' },
  call_rejected: { cause: 'call_rejected', source: 'callee', sip: 'unspecified' },
  'call_rejected, SIP 403': { cause: 'call_rejected', source: 'unknown', sip: '403' },
  'call_rejected, SIP 603': { cause: 'call_rejected', source: 'callee', sip: '603' },
  ...Object.fromEntries(SIP.map((sip) => [`normal_clearing, SIP ${sip}`, { cause: 'normal_clearing', source: 'unknown', sip }])),
  transferred: { answered: true, source: 'caller', transfer: { to: NUMBER, answered: true } },
  'transfer not answered': { answered: true, transfer: { to: NUMBER, answered: false }, insights: [{ outcome: 'callback_requested' }] },
  ...Object.fromEntries(SPOKEN_OUTCOMES.map((outcome) => [`said: ${outcome}`, { answered: true, insights: [{ outcome }] }])),
}

export const playTelnyx: PlayedPlatform = {
  name: 'telnyx',
  ends: Object.keys(SCRIPTS),
  typical: 'said: not_interested',
  start: async ({ now, endOf }) => {
    const emulator = await startTelnyxEmulator({
      ...{ apiKey: 'KEY1', connectionId: '7267', assistantId: 'assistant-1', numbers: { [FROM.number]: 'active' }, now },
      script: (to) => {
        const end = endOf(to)
        return end === undefined ? { stays: 'ringing' } : scriptIn(SCRIPTS)(end)
      },
    })
    const { publicKey: callbackSecret } = emulator
    return {
      emulator,
      account: { assistant: 'assistant-1', apiKey: 'KEY1', callbackSecret, settings: { connection_id: '7267' } },
      end: (id, end) => emulator.proceed(id, scriptIn(SCRIPTS)(end)),
    }
  },
  kindOf: kindBy([
    [/^POST .*\/actions\/hangup$/, 'cancel'],
    [/^POST \/v2\/calls$/, 'dial'],
    [/^GET /, 'read'],
  ]),
}
