import type { PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { type CallbackFault, listen } from './emulator.ts'

/** How an emulator sends its callbacks. */
export interface CallbackSender {
  readonly send: (fault: CallbackFault, url: string, headers: Readonly<Record<string, string>>, body: string) => void
  readonly settled: () => Promise<void>
}

/** Sends callbacks one after the other. A receiver that cannot be reached loses them. */
export const callbackSender = (): CallbackSender => {
  let sending: Promise<unknown> = Promise.resolve()
  return {
    send: (fault, url, headers, body) => {
      const post = () => fetch(url, { method: 'POST', headers, body }).then((answer) => answer.text())
      const times = fault === 'lost' ? 0 : fault === 'twice' ? 2 : 1
      for (let time = 0; time < times; time++) sending = sending.then(post).catch(() => undefined)
    },
    settled: async () => {
      for (let before: unknown; before !== sending; ) {
        before = sending
        await sending
      }
    },
  }
}

export interface CallbackReceiver {
  /** Its base URL, without a trailing slash. */
  readonly url: string
  readonly received: PlatformCallback[]
  readonly close: () => Promise<void>
}

/** Receives callbacks as the service does. They arrive at `at`. */
export const receiveCallbacks = async (at: () => number): Promise<CallbackReceiver> => {
  const received: PlatformCallback[] = []
  const server = await listen(({ path, headers, body }) => {
    const single = Object.entries(headers).map(([name, value]) => [name, String(value)])
    received.push({ url: `${server.url}${path}`, rawBody: body, headers: Object.fromEntries(single), at: at() })
    return { status: 200, body: {} }
  })
  return { url: server.url, received, close: server.close }
}
