import type { Connection, Dial, Translation } from '#shared/agents/platforms/adapter.ts'
import { connectAdapter } from '#shared/agents/platforms/connect/adapter.ts'
import { type ConnectOptions, signedAsk, startConnectEmulator } from './connect-emulator.ts'

export const CONNECT_INSTANCE = '10a4c4eb-f57e-4d4c-b602-bf39176ced07'
export const CONNECT_ARN = `arn:aws:connect:us-east-1:111122223333:instance/${CONNECT_INSTANCE}`
export const CONNECT_FLOW = '846ec553-a005-41c0-8341-000000000001'
export const SOUND_FLOW = {
  State: 'ACTIVE',
  Status: 'PUBLISHED',
  Content: '{"Actions":[{"Parameters":{"Attributes":{"call_outcome":""}}}]}',
}
export const CONNECT_NUMBER = { number: '+12125550100', id: null }

/** The emulator, with a rule that translates each event. */
export const connectWorld = async (options: Partial<ConnectOptions> = {}) => {
  const translations: Translation[] = []
  const begun = Date.now()
  const events: string[] = []
  const emulator = await startConnectEmulator({
    ...{ instanceId: CONNECT_INSTANCE, region: 'us-east-1', numbers: [CONNECT_NUMBER.number], flows: { [CONNECT_FLOW]: SOUND_FLOW } },
    ...options,
    onEvent: (event) => {
      events.push(event)
      translations.push(connectAdapter.translate({ url: '', rawBody: event, at: (options.now ?? Date.now)() }))
    },
  })
  const connection: Connection = {
    ...{ api: emulator.url, assistant: CONNECT_FLOW, apiKey: '', callbackSecret: null },
    settings: { instance_id: CONNECT_INSTANCE, region: 'us-east-1' },
    permitted: [CONNECT_ARN],
  }
  const dialOf = (to: string, changes: Partial<Dial> = {}): Dial => ({
    ...{ callId: '01900000-0000-7000-8000-000000000001', to, from: CONNECT_NUMBER, variables: { first_name: 'Ada' } },
    ...{ callbackUrl: 'https://example.com/', longestSeconds: 600, intentTime: begun, notAfter: begun + 30_000, ...changes },
  })
  const call = async (to: string, changes?: Partial<Dial>) =>
    connectAdapter.classify(await signedAsk(connectAdapter.request(connection, dialOf(to, changes))))
  /** The platform's id of an accepted call. */
  const accepted = async (to: string): Promise<string> => {
    const answer = await call(to)
    if (answer.kind !== 'accepted') throw new Error(answer.reason)
    return answer.platformCallId
  }
  /** The reports of a poll. */
  const polled = async (platformCallId: string) => {
    const answer = await connectAdapter.poll?.(signedAsk, connection, platformCallId, Date.now())
    return answer?.kind === 'translated' ? answer.translation.reports : []
  }
  const reports = () => translations.flatMap((translation) => translation.reports)
  return { emulator, connection, translations, events, reports, dialOf, call, accepted, polled, close: emulator.close }
}
