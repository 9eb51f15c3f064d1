import { afterEach } from '@jest/globals'
import { handler as me } from '#functions/users/me.ts'
import { handler as pauseCalls } from '#functions/users/pause-calls.ts'
import { handler as unpauseCalls } from '#functions/users/unpause-calls.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { callWorld } from './agent-calls.ts'
import { captureLog } from './captured-log.ts'
import { eventually } from './eventually.ts'
import { consumeAll, KEY, OWNER, request } from './world.ts'

const ask =
  (handler: typeof pauseCalls, what: string) =>
  (id: number | string, body?: unknown, key = KEY) => {
    const headers = { Authorization: `Token ${key}` }
    return request(handler, { method: 'POST', path: `/api/users/${id}/${what}/`, parameters: { id: `${id}` }, headers, body })
  }
export const pause = ask(pauseCalls, 'pause-calls')
export const unpause = ask(unpauseCalls, 'unpause-calls')
export const ownUser = async () => (await request(me, { method: 'GET', path: '/api/users/me/' })).body

/** Answer to a pause of the existing leads. */
export const EXISTING = { status: 'Outbound calls to the existing leads are paused until they are unpaused.' }

/** A world in which each test starts with nothing paused and nothing to do. */
export const pausedWorld = () => {
  captureLog()
  const { world, queued } = callWorld()

  /** Idempotency keys of dialled calls. Cancels are left out: a pause can cancel calls of earlier tests. */
  const called = (): string[] => {
    const keys = world().agent.requests.map(({ headers }) => `${headers['idempotency-key']}`)
    return [...new Set(keys.filter((key) => !key.endsWith('-cancel')))]
  }

  /**
   * Delivers messages in batches of ten, as the queue does, until none comes back. A message comes back after a lost race for a line, or
   * while another one is dialling its call.
   */
  const work = async (messages: readonly unknown[]): Promise<void> => {
    for (let start = 0; start < messages.length; start += 10) {
      let left = messages.slice(start, start + 10)
      await eventually(async () => {
        left = (await consumeAll(placeCall, left)).map((place) => left[place])
        return left.length === 0
      })
    }
  }

  /** Works until the queue is empty. */
  const workAll = async (): Promise<void> => {
    for (let messages = await queued(); messages.length > 0; messages = await queued()) await work(messages)
  }

  afterEach(async () => {
    await unpause(OWNER)
    await workAll()
  })

  return { queued, called, work, workAll }
}
