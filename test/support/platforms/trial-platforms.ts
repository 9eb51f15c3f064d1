import { ANALYSIS_SCHEMA } from '#shared/agents/platforms/analysis.ts'
import { BLAND_ENDS, startBlandEmulator } from './bland-emulator.ts'
import { startConnectEmulator } from './connect-emulator.ts'
import { CONNECT_FLOW, CONNECT_INSTANCE, SOUND_FLOW } from './connect-world.ts'
import { startElevenLabsEmulator } from './elevenlabs-emulator.ts'
import type { Emulator } from './emulator.ts'
import { RETELL_REASONS, startRetellEmulator } from './retell-emulator.ts'
import { CALLER } from './sample-dial.ts'
import { startTelnyxEmulator } from './telnyx-emulator.ts'
import { startTwilioEmulator } from './twilio-emulator.ts'
import { startVapiEmulator } from './vapi-emulator.ts'
import { SOUND_ASSISTANT, SOUND_NUMBER, STANDARD_CREDENTIAL, VAPI_ASSISTANT, VAPI_NUMBER, VAPI_SECRET } from './vapi-world.ts'

const VAPI_CREDENTIAL = '0f5fd1ff-6b31-4a1e-9a3f-000000000003'
const ACCOUNT = 'AC00000000000000000000000000000001'
const OTHER = '+15005550009'
const place = (names: object, name: string): string => String(Object.keys(names).indexOf(name)).padStart(4, '0')

/** A platform's emulator, with an account in which nothing is wrong. */
export interface TrialPlatform {
  readonly name: string
  /** `isReachable`: whether callback URLs on this machine are accepted. */
  readonly start: (now: () => number, isReachable?: boolean) => Promise<Emulator & { readonly publicKey?: string }>
  /** Empty: it has none. */
  readonly apiKey: string
  readonly callbackSecret: string | null
  readonly assistant: string
  readonly otherAssistant: string
  readonly from: { readonly number: string; readonly id: string | null }
  /** A number that the account does not have. */
  readonly otherFrom: TrialPlatform['from']
  readonly settings: Readonly<Record<string, string>>
  /** Settings that name an account which does not exist, where the settings name it and the API key does not. */
  readonly otherSettings?: TrialPlatform['settings']
  /** The last four digits of a number, and the outcome of its call, as the service prints it. */
  readonly endings: readonly (readonly [lastFour: string, outcome: string])[]
  /** The last four digits of a number that rings or talks until somebody ends it. */
  readonly stays: string
  /** Whether it has a request to end such a call. */
  readonly endsCalls: boolean
}

const reported = (outcome: string): string => `${outcome} (reported)`
const presumed = (outcome: string): string => `${outcome} (presumed, because only the end was reported)`

export const TRIAL_PLATFORMS: readonly TrialPlatform[] = [
  {
    name: 'bland',
    start: (now) => startBlandEmulator({ now, apiKey: 'secret-of-bland', numbers: [CALLER.number] }),
    ...{ apiKey: 'secret-of-bland', callbackSecret: 'bland_secret', assistant: 'pathway_1', otherAssistant: 'pathway_9' },
    ...{ from: { number: CALLER.number, id: null }, otherFrom: { number: OTHER, id: null } },
    ...{ settings: {} },
    endings: [
      [place(BLAND_ENDS, 'person_hung_up'), reported('not_interested')],
      [place(BLAND_ENDS, 'stop_asked'), reported('do_not_call')],
      [place(BLAND_ENDS, 'machine'), reported('voicemail')],
      [place(BLAND_ENDS, 'nobody'), reported('no_answer')],
    ],
    ...{ stays: '9999', endsCalls: true },
  },
  {
    name: 'connect',
    start: (now) =>
      startConnectEmulator({
        ...{ now, instanceId: CONNECT_INSTANCE, region: 'us-east-1', numbers: [CALLER.number], flows: { [CONNECT_FLOW]: SOUND_FLOW } },
        onEvent: () => {},
      }),
    ...{ apiKey: '', callbackSecret: null, assistant: CONNECT_FLOW, otherAssistant: '846ec553-a005-41c0-8341-000000000009' },
    ...{ from: { number: CALLER.number, id: null }, otherFrom: { number: OTHER, id: null } },
    settings: { region: 'us-east-1', instance_id: CONNECT_INSTANCE, machine_detection: 'on' },
    otherSettings: { region: 'us-east-1', instance_id: '10a4c4eb-f57e-4d4c-b602-000000000009' },
    endings: [
      ['9999', reported('not_interested')],
      ['0001', reported('no_answer')],
      ['0002', reported('busy')],
      ['0003', reported('disconnected')],
      ['0005', reported('voicemail')],
    ],
    ...{ stays: '0006', endsCalls: true },
  },
  {
    name: 'elevenlabs',
    start: (now) =>
      startElevenLabsEmulator({
        ...{ now, apiKey: 'secret-of-elevenlabs', agentId: 'agent_1', dataCollection: ANALYSIS_SCHEMA.properties },
        numbers: { [CALLER.id]: { phone_number: CALLER.number, provider: 'twilio', supports_outbound: true } },
      }),
    ...{ apiKey: 'secret-of-elevenlabs', callbackSecret: 'wsec_test', assistant: 'agent_1', otherAssistant: 'agent_9' },
    ...{ from: CALLER, otherFrom: { number: OTHER, id: 'phone-9' }, settings: {} },
    endings: [
      ['9999', reported('completed')],
      ['0007', reported('do_not_call')],
      ['0003', reported('voicemail')],
      ['0015', reported('busy')],
    ],
    ...{ stays: '0009', endsCalls: false },
  },
  {
    name: 'retell',
    start: (now) =>
      startRetellEmulator({
        ...{ now, apiKey: 'secret-of-retell', numbers: [CALLER.number] },
        agents: {
          agent_1: {
            post_call_analysis_data: [{ name: 'outcome', choices: ANALYSIS_SCHEMA.properties.outcome.enum }],
            ...{ voicemail_option: { action: { type: 'hangup' } }, response_engine: { llm_id: 'llm_1' } },
          },
        },
      }),
    ...{ apiKey: 'secret-of-retell', callbackSecret: null, assistant: 'agent_1', otherAssistant: 'agent_9' },
    ...{ from: { number: CALLER.number, id: null }, otherFrom: { number: OTHER, id: null } },
    ...{ settings: {} },
    endings: [
      [place(RETELL_REASONS, 'agent_hangup'), reported('completed')],
      [place(RETELL_REASONS, 'voicemail_reached'), reported('voicemail')],
      [place(RETELL_REASONS, 'dial_busy'), reported('busy')],
      [place(RETELL_REASONS, 'invalid_destination'), reported('disconnected')],
    ],
    ...{ stays: '9999', endsCalls: false },
  },
  {
    name: 'telnyx',
    start: (now) =>
      startTelnyxEmulator({
        ...{ now, apiKey: 'secret-of-telnyx', connectionId: '7267', assistantId: 'assistant-1', insightSchemas: [ANALYSIS_SCHEMA] },
        numbers: { [CALLER.number]: 'active' },
      }),
    ...{ apiKey: 'secret-of-telnyx', callbackSecret: null, assistant: 'assistant-1', otherAssistant: 'assistant-9' },
    ...{ from: { number: CALLER.number, id: null }, otherFrom: { number: OTHER, id: null } },
    ...{ settings: { connection_id: '7267' } },
    endings: [
      ['9999', reported('completed')],
      ['0007', reported('do_not_call')],
      ['0003', reported('voicemail')],
    ],
    ...{ stays: '0009', endsCalls: true },
  },
  {
    name: 'twilio',
    start: (now, isReachable = false) =>
      startTwilioEmulator({
        now,
        accountSid: ACCOUNT,
        authToken: 'secret-of-twilio',
        numbers: [CALLER.number],
        isOnInternet: !isReachable,
      }),
    ...{ apiKey: 'secret-of-twilio', callbackSecret: null, assistant: 'https://agent.example.com/twiml', otherAssistant: 'agent' },
    ...{ from: { number: CALLER.number, id: null }, otherFrom: { number: OTHER, id: null } },
    ...{ settings: { account_sid: ACCOUNT } },
    endings: [
      ['0123', presumed('completed')],
      ['0007', presumed('voicemail')],
      ['0002', reported('no_answer')],
      ['0004', reported('busy')],
    ],
    ...{ stays: '0008', endsCalls: true },
  },
  {
    name: 'vapi',
    start: (now) =>
      startVapiEmulator({
        ...{ now, apiKey: 'secret-of-vapi', assistants: { [VAPI_ASSISTANT]: SOUND_ASSISTANT } },
        phoneNumbers: { [VAPI_NUMBER]: SOUND_NUMBER },
        credentials: { [VAPI_CREDENTIAL]: STANDARD_CREDENTIAL },
      }),
    ...{
      apiKey: 'secret-of-vapi',
      callbackSecret: VAPI_SECRET,
      assistant: VAPI_ASSISTANT,
      otherAssistant: '0f5fd1ff-6b31-4a1e-9a3f-000000000009',
    },
    ...{ from: { number: SOUND_NUMBER.number, id: VAPI_NUMBER }, otherFrom: { number: OTHER, id: VAPI_CREDENTIAL } },
    ...{ settings: { credential_id: VAPI_CREDENTIAL } },
    endings: [
      ['9999', reported('not_interested')],
      ['0001', reported('no_answer')],
      ['0002', reported('busy')],
      ['0005', reported('voicemail')],
    ],
    ...{ stays: '0007', endsCalls: true },
  },
]
