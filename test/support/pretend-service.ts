import { afterEach } from '@jest/globals'
import { type ClientSettings, LeadOutreachClient } from '#lib/client/index.ts'
import { type Receiver, type ReceiverAnswer, type ReceiverOptions, startReceiver } from './receiver.ts'

export type Respond = NonNullable<ReceiverOptions['respond']>

/** @returns a function that starts a service which answers as told, and a client of it that does not wait between attempts */
export const pretendService = () => {
  const servers: Receiver[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  return async (respond: Respond, settings: Partial<ClientSettings> = {}) => {
    const server = await startReceiver({ respond })
    servers.push(server)
    const delays: number[] = []
    const noSleep = async (milliseconds: number) => void delays.push(milliseconds)
    return { server, delays, client: new LeadOutreachClient({ url: server.url, apiKey: 'lok_1', sleep: noSleep, ...settings }) }
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): ReceiverAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Why work fails; undefined if it does not. */
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (failure: unknown) => failure,
  )
