import type { Connection, Dial, Translation } from '#shared/agents/platforms/adapter.ts'
import { ANALYSIS_SCHEMA } from '#shared/agents/platforms/analysis.ts'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import { type Answer, ask, listen } from './emulator.ts'
import type { VapiCredential } from './vapi-credential.ts'
import { startVapiEmulator, type VapiOptions } from './vapi-emulator.ts'

export const VAPI_ASSISTANT = '0f5fd1ff-6b31-4a1e-9a3f-000000000001'
export const VAPI_NUMBER = '0f5fd1ff-6b31-4a1e-9a3f-000000000002'
export const VAPI_CREDENTIAL = '0f5fd1ff-6b31-4a1e-9a3f-000000000003'
/** Base64 of 32 bytes. */
const KEY = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
export const VAPI_SECRET = `whsec_${KEY}`

/** The credential that makes Vapi's callbacks Standard Webhooks. */
export const STANDARD_CREDENTIAL: VapiCredential = {
  ...{ type: 'hmac', secretKey: KEY, secretIsBase64: true, algorithm: 'sha256', signatureEncoding: 'base64', signaturePrefix: 'v1,' },
  ...{ signatureHeader: 'webhook-signature', timestampHeader: 'webhook-timestamp', messageIdHeader: 'webhook-id' },
  payloadFormat: '{svix-id}.{timestamp}.{body}',
}

/** An assistant and a number with which nothing is wrong. */
export const SOUND_ASSISTANT = {
  name: 'Outreach',
  voicemailDetection: { provider: 'vapi' },
  analysisPlan: { structuredDataPlan: { enabled: true, schema: ANALYSIS_SCHEMA } },
  model: { tools: [{ type: 'function', function: { name: 'do_not_call' } }] },
}
export const SOUND_NUMBER = { number: '+12125550100', provider: 'twilio', status: 'active' }

/** The emulator, with a receiver of callbacks that verifies and translates each. */
export const vapiWorld = async (options: Partial<VapiOptions> = {}, secret: string | null = VAPI_SECRET) => {
  const emulator = await startVapiEmulator({
    apiKey: 'key',
    assistants: { [VAPI_ASSISTANT]: SOUND_ASSISTANT },
    phoneNumbers: { [VAPI_NUMBER]: SOUND_NUMBER },
    credentials: { [VAPI_CREDENTIAL]: STANDARD_CREDENTIAL },
    ...options,
  })
  const connection: Connection = {
    ...{ api: emulator.url, assistant: VAPI_ASSISTANT, apiKey: 'key', callbackSecret: secret },
    settings: { credential_id: VAPI_CREDENTIAL },
  }
  const translations: Translation[] = []
  const receive: Answer = ({ path, headers, body }) => {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const callback = { url: `${receiver.url}${path}`, rawBody: body, headers: plain, at: (options.now ?? Date.now)() }
    if (!vapiAdapter.verify(connection, callback)) return { status: 401 }
    translations.push(vapiAdapter.translate(callback))
    return { status: 200, body: {} }
  }
  const receiver = await listen(receive)
  const dialOf = (to: string, changes: Partial<Dial> = {}): Dial => ({
    ...{ callId: '01900000-0000-7000-8000-000000000001', to, from: { number: '+12125550100', id: VAPI_NUMBER } },
    ...{ variables: { first_name: 'Ada' }, callbackUrl: `${receiver.url}/api/agents/vapi/events/`, longestSeconds: 600 },
    ...{ intentTime: Date.now(), notAfter: Date.now() + 30_000, ...changes },
  })
  /** Places a call and waits for its callbacks. */
  const call = async (to: string, changes?: Partial<Dial>) => {
    const answer = vapiAdapter.classify(await ask(vapiAdapter.request(connection, dialOf(to, changes))))
    await emulator.settled()
    return answer
  }
  const close = async () => {
    await emulator.close()
    await receiver.close()
  }
  const reports = () => translations.flatMap((translation) => translation.reports)
  return { emulator, connection, translations, reports, dialOf, call, receiver, close }
}
