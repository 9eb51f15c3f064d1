import type { InferenceEmbeddingWebhookToolParams } from 'telnyx/resources/ai/assistants'
import type { Assistant } from '#shared/accounts/configuration.ts'
import type { ToolName } from '#shared/agents/platforms/tools.ts'
import { type BlandTool, startBlandEmulator } from './bland-emulator.ts'
import { startElevenLabsEmulator } from './elevenlabs-emulator.ts'
import { elevenLabsTool } from './elevenlabs-tool.ts'
import type { Emulator } from './emulator.ts'
import { startRetellEmulator } from './retell-emulator.ts'
import { CALLER } from './sample-dial.ts'
import { startTelnyxEmulator } from './telnyx-emulator.ts'
import { startTwilioEmulator } from './twilio-emulator.ts'
import { startVapiEmulator } from './vapi-emulator.ts'
import { STANDARD_CREDENTIAL, VAPI_SECRET } from './vapi-world.ts'

type Arguments = Readonly<Record<string, unknown>>

interface Started {
  readonly platform: Emulator
  readonly apiKey: string
  readonly callbackSecret?: string
  readonly assistant: string
  readonly from?: Assistant['from'][number]
  readonly settings?: Assistant['settings']
  /** Somebody answers the call, unless the emulator does that by the number. */
  readonly answer?: (id: string) => void
  /** The assistant calls a tool that was pasted. `url`: where this platform reports. */
  readonly use: (id: string, tool: ToolName, args: Arguments, definition: unknown) => Promise<unknown>
}

/** A platform with a call in which an assistant uses our tools. */
export interface ToolCase {
  readonly name: string
  /** Last four digits of a number whose call goes on. */
  readonly lastFour: string
  readonly canEnd: boolean
  readonly start: (now: () => number) => Promise<Started>
}

const UUID = '0f5fd1ff-6b31-4a1e-9a3f-000000000001'
const ACCOUNT = 'AC00000000000000000000000000000001'

export const TOOL_CASES: readonly ToolCase[] = [
  {
    name: 'vapi',
    lastFour: '0007',
    canEnd: true,
    start: async (now) => {
      const credentials = { [UUID]: STANDARD_CREDENTIAL }
      const platform = await startVapiEmulator({
        ...{ apiKey: 'key', assistants: { [UUID]: {} }, phoneNumbers: { [UUID]: { number: CALLER.number } }, credentials, now },
      })
      return {
        ...{ platform, apiKey: 'key', callbackSecret: VAPI_SECRET, assistant: UUID, from: { ...CALLER, id: UUID } },
        settings: { credential_id: UUID },
        use: (id, name, args) => platform.useTools(id, { name, arguments: args }),
      }
    },
  },
  {
    name: 'retell',
    lastFour: '9999',
    canEnd: true,
    start: async (now) => {
      const platform = await startRetellEmulator({ numbers: [CALLER.number], now })
      return {
        ...{ platform, apiKey: 'key_test', assistant: 'agent_1', answer: platform.pickUp },
        use: async (id, name, args, definition) => platform.invoke(Object(definition).url, id, name, args),
      }
    },
  },
  {
    name: 'bland',
    lastFour: '9999',
    canEnd: true,
    start: async (now) => {
      const platform = await startBlandEmulator({ numbers: [CALLER.number], now })
      return {
        ...{ platform, apiKey: 'sk_test', callbackSecret: 'bland_secret', assistant: 'pathway_1' },
        answer: (id) => platform.progress(id, 'started'),
        use: (id, _, args, definition) => platform.useTool(id, definition as BlandTool, args),
      }
    },
  },
  {
    name: 'telnyx',
    lastFour: '0009',
    canEnd: true,
    start: async (now) => {
      const numbers = { [CALLER.number]: 'active' }
      const platform = await startTelnyxEmulator({ apiKey: 'KEY1', connectionId: '7', assistantId: 'a1', numbers, now })
      return {
        ...{ platform, apiKey: 'KEY1', callbackSecret: platform.publicKey, assistant: 'a1', settings: { connection_id: '7' } },
        use: (id, _, args, definition) => platform.useTool(id, definition as InferenceEmbeddingWebhookToolParams, args),
      }
    },
  },
  {
    name: 'elevenlabs',
    lastFour: '0009',
    canEnd: false,
    start: async (now) => {
      const numbers = { [CALLER.id]: { phone_number: CALLER.number, provider: 'twilio', supports_outbound: true } }
      const platform = await startElevenLabsEmulator({ apiKey: 'key1', agentId: 'agent_1', numbers, webhook: null, now })
      return {
        ...{ platform, apiKey: 'key1', callbackSecret: 'wsec_test', assistant: 'agent_1' },
        use: (id, _, args, definition) => platform.useTool(id, elevenLabsTool(definition), args),
      }
    },
  },
  {
    name: 'twilio',
    lastFour: '0009',
    canEnd: true,
    start: async (now) => {
      const platform = await startTwilioEmulator({ accountSid: ACCOUNT, authToken: 'token-1', numbers: [CALLER.number], now })
      return {
        ...{ platform, apiKey: 'token-1', assistant: 'https://agent.example.com/twiml', settings: { account_sid: ACCOUNT } },
        // The customer's own code sends it.
        use: (id, _, args, definition) => {
          const { url, method, headers } = Object(definition).request
          const { callId } = platform.rung.find(({ platformCallId }) => platformCallId === id) ?? {}
          return fetch(url, { method, headers, body: JSON.stringify({ ...args, call_id: callId, platform_call_id: id }) })
        },
      }
    },
  },
]
