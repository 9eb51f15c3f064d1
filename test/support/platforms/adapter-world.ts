import type { Adapter, Connection, Dial, DialAnswer, PlatformCallback, Translation } from '#shared/agents/platforms/adapter.ts'
import type { OpenReport } from '#shared/agents/platforms/open-report.ts'
import { ask, type Emulator, listen } from './emulator.ts'

export const DIAL_TIME = 1_795_000_000_000
export const DIALLED_CALL = '01900000-0000-7000-8000-000000000001'

/** An adapter, an emulator of its platform, and a receiver of callbacks. */
export const adapterWorld = async <E extends Emulator>(adapter: Adapter, emulator: E, account: Partial<Connection>) => {
  const receiver = await listen(() => ({ status: 204 }))
  const connection: Connection = { api: emulator.url, assistant: '', apiKey: '', callbackSecret: null, settings: {}, ...account }
  const eventsUrl = `${receiver.url}/agents/voice/events/`

  const dialTo = (to = '+12125559999'): Dial => ({
    callId: DIALLED_CALL,
    to,
    from: { number: '+12125550100', id: null },
    variables: { first_name: 'Ada' },
    callbackUrl: `${eventsUrl}?call=${DIALLED_CALL}`,
    intentTime: DIAL_TIME,
    notAfter: DIAL_TIME + 30_000,
    longestSeconds: 600,
  })
  const dial = async (to?: string, account: Partial<Connection> = {}): Promise<DialAnswer> =>
    adapter.classify(await ask(adapter.request({ ...connection, ...account }, dialTo(to))))

  /** The callbacks that have arrived, as the service sees them. */
  const callbacks = async (): Promise<PlatformCallback[]> => {
    await emulator.settled()
    return receiver.seen.map(({ path, headers, body }) => ({
      url: `${receiver.url}${path}`,
      rawBody: body,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      at: DIAL_TIME,
    }))
  }
  const translations = async (): Promise<Translation[]> => (await callbacks()).map((callback) => adapter.translate(callback))
  const reports = async (): Promise<OpenReport[]> => (await translations()).flatMap((one) => one.reports)
  const close = async (): Promise<void> => {
    await emulator.settled()
    await Promise.all([emulator.close(), receiver.close()])
  }
  return { emulator, connection, eventsUrl, dialTo, dial, callbacks, translations, reports, close }
}

/** The outcome that reports complete a call with. */
export const completedAs = (reports: readonly OpenReport[]): unknown =>
  reports.find(({ type }) => type === 'call.completed')?.data?.['outcome']
