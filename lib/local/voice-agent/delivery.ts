import { setTimeout as sleep } from 'node:timers/promises'
import type { Webhook } from 'standardwebhooks'
import type { Callback } from './callbacks.ts'

export interface DeliveryOptions {
  /** Asked before each try, because the service may have moved. */
  readonly address: () => string
  readonly webhook: Webhook
  readonly speed: number
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
const GIVE_UP_AFTER_MS = 600_000

/** A status, or undefined when there was no answer in time. */
const send = async (callback: Callback, { address, webhook, signal }: DeliveryOptions): Promise<number | undefined> => {
  const now = new Date()
  try {
    const response = await fetch(address(), {
      method: 'POST',
      body: callback.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json',
        'webhook-id': callback.eventId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': webhook.sign(callback.eventId, now, callback.body),
      },
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

const isFinal = (status: number) => (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 429)

/**
 * Sends a callback when it is due and again until the service accepts or refuses it. Gives the service's final status,
 * or undefined when it gave none within ten minutes. Rejects when aborted.
 */
export const deliver = async (callback: Callback, options: DeliveryOptions): Promise<number | undefined> => {
  const { speed, signal } = options
  await sleep(Math.max(0, callback.dueAt - Date.now()), undefined, { signal })
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const status = await send(callback, options)
    signal.throwIfAborted()
    if (status !== undefined && isFinal(status)) return status
    if (Date.now() + pause / speed > giveUpAt) return undefined
    await sleep(pause / speed, undefined, { signal })
  }
}
