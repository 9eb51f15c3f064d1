import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals'
import * as v from 'valibot'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { api } from '#shared/http/api.ts'
import { Dictionary, fields } from '#shared/http/fields/field.ts'
import { charField } from '#shared/http/fields/text.ts'
import { created, type Reply } from '#shared/http/reply.ts'
import { type EventOptions, send } from './api-event.ts'
import { captureLog } from './captured-log.ts'
import { setClock } from './clock.ts'
import { type Engine, startEngine } from './engine.ts'

const Body = v.pipe(Dictionary, fields({ name: charField({ maxLength: 1_000_000 }) }))

let lastKey = 0
export const newKey = (): string => `key-${++lastKey}`

/** A function that handles each Idempotency-Key once. `act`: called for requests that are not repeats. `lines`: the log. */
export const idempotentRequests = () => {
  const lines = captureLog()
  let engine: Engine
  beforeAll(async () => {
    engine = await startEngine()
    setClock(Date.now())
    const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
    for (const id of [1, 2]) {
      await saveUser({ id, name: 'A', is_staff: false, default_lead_type: null, dnc_group: '1', lines: 1, webhook_secrets: [], throttle })
      await saveApiKey(`key-${id}`, { user: id, created_time: 0, revoked_time: null })
    }
  })
  afterAll(() => engine.stop())

  const act = jest.fn<(ids: readonly number[], body: { name: string }) => Promise<Reply>>()
  beforeEach(() => {
    act.mockReset().mockImplementation(async (ids, body) => created({ ids, ...body }))
  })
  const handler = api({ auth: 'token', body: Body, forms: true }, async ({ reservation, body }) => {
    const isRepeatable = reservation(0).name !== undefined
    return act(isRepeatable ? [await reservation(0).take(), await reservation(1).take()] : [], body)
  })

  const post = (key: string | undefined, body: unknown = { name: 'a' }, options: Partial<EventOptions> = {}) =>
    send(handler, {
      body,
      ...options,
      headers: { Authorization: 'Token key-1', ...(key !== undefined && { 'Idempotency-Key': key }), ...options.headers },
    })

  return { act, post, lines }
}
