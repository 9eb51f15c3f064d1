import { SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { startVapiEmulator, type VapiScript } from '#test/support/platforms/vapi-emulator.ts'
import {
  SOUND_ASSISTANT,
  SOUND_NUMBER,
  STANDARD_CREDENTIAL,
  VAPI_ASSISTANT,
  VAPI_NUMBER,
  VAPI_SECRET,
} from '#test/support/platforms/vapi-world.ts'
// Not the package's entry, which loads thousands of files.
import { CallEndedReason } from '../../../node_modules/@vapi-ai/server-sdk/dist/esm/api/types/CallEndedReason.mjs'
import { kindBy, type PlayedPlatform } from './played-platform.ts'

const CREDENTIAL = '0f5fd1ff-6b31-4a1e-9a3f-000000000003'

/** Reasons of calls that nobody answered. */
const UNANSWERED = /^(customer-(did-not|busy)|twilio-|vonage-(failed|rejected)|manually-|assistant-(not-|request)|scheduled)|outbound-/
/** Reasons of calls that never rang. */
const UNRUNG = /^(call\.start\.|call-start-|assistant-(not-|request)|scheduled)/

const transferBy = (mode: string, status: string): VapiScript => ({
  endedReason: 'assistant-forwarded-call',
  isAnswered: true,
  transfer: { mode, status, destination: { type: 'number', number: '+12125550199' } } as NonNullable<VapiScript['transfer']>,
})

const SCRIPTS: Readonly<Record<string, VapiScript>> = {
  ...Object.fromEntries(
    Object.values(CallEndedReason).map((endedReason) => [
      endedReason,
      { endedReason, isAnswered: !UNANSWERED.test(endedReason), isUnrung: UNRUNG.test(endedReason) },
    ]),
  ),
  'assistant-forwarded-call, warm': transferBy('warm-transfer-say-message', 'connected'),
  'assistant-forwarded-call, nobody there': transferBy('warm-transfer-say-message', 'no-answer'),
  ...Object.fromEntries(
    SPOKEN_OUTCOMES.map((outcome) => [
      `said: ${outcome}`,
      { endedReason: 'assistant-ended-call', isAnswered: true, analysis: { summary: 'They talked.', structuredData: { outcome } } },
    ]),
  ),
}

const RINGS: VapiScript = { endedReason: 'customer-ended-call', isAnswered: true, waits: 'ringing' }

const scriptOf = (end: string | undefined): VapiScript => (end === undefined ? RINGS : (SCRIPTS[end] ?? RINGS))

export const playVapi: PlayedPlatform = {
  name: 'vapi',
  ends: Object.keys(SCRIPTS),
  typical: 'said: not_interested',
  start: async ({ now, endOf }) => {
    const emulator = await startVapiEmulator({
      apiKey: 'key',
      assistants: { [VAPI_ASSISTANT]: SOUND_ASSISTANT },
      phoneNumbers: { [VAPI_NUMBER]: SOUND_NUMBER },
      credentials: { [CREDENTIAL]: STANDARD_CREDENTIAL },
      concurrencyLimit: 1000,
      now,
      script: (to) => scriptOf(endOf(to)),
    })
    return {
      emulator,
      account: {
        ...{ assistant: VAPI_ASSISTANT, apiKey: 'key', callbackSecret: VAPI_SECRET, settings: { credential_id: CREDENTIAL } },
        from: { number: SOUND_NUMBER.number, id: VAPI_NUMBER },
      },
      end: (id, end) => emulator.release(id, scriptOf(end)),
    }
  },
  kindOf: kindBy([
    [/^POST \/call$/, 'dial'],
    [/^POST \/control\//, 'cancel'],
    [/^GET \/call\?/, 'search'],
    [/^GET \/call\//, 'read'],
  ]),
}
