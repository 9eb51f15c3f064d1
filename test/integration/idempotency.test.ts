import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import * as v from 'valibot'
import { invalid, ServiceError } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { created, ok, type Reply } from '#shared/http/reply.ts'
import { Dictionary, fields } from '#shared/schema/fields/field.ts'
import { charField } from '#shared/schema/fields/text.ts'
import { saveApiKey } from '#shared/storage/api-keys.ts'
import { consumed } from '#shared/storage/capacity.ts'
import { claimRequest, releaseClaim } from '#shared/storage/idempotency.ts'
import { nextId } from '#shared/storage/ids.ts'
import { saveUser } from '#shared/storage/users.ts'
import { type EventOptions, send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { eventually } from '#test/support/eventually.ts'

const SECOND = 1000
const HOUR = 3_600_000

const lines = captureLog()
let engine: Engine
beforeAll(async () => {
  engine = await startEngine()
  const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
  for (const id of [1, 2]) {
    await saveUser({ id, name: 'A', is_staff: false, default_lead_type: null, dnc_group: '1', lines: 1, webhook_secrets: [], throttle })
    await saveApiKey(`key-${id}`, { user: id, is_staff: false, created_time: 0, revoked_time: null })
  }
})
afterAll(() => engine.stop())

const advance = (milliseconds: number) => {
  process.env['CLOCK_OFFSET_MS'] = `${Number(process.env['CLOCK_OFFSET_MS'] ?? 0) + milliseconds}`
}

/** What the function does with each request that reaches it. */
const act = jest.fn<(ids: readonly number[], body: { name: string }) => Promise<Reply>>()
beforeEach(() => {
  act.mockReset().mockImplementation(async (ids, body) => created({ ids, ...body }))
})

const Body = v.pipe(Dictionary, fields({ name: charField({ maxLength: 1_000_000 }) }))
const handler = api({ auth: 'token', body: Body, forms: true, idempotent: { reserve: 2 } }, ({ reservedIds, body }) =>
  act(reservedIds, body),
)

let lastKey = 0
const newKey = () => `key-${++lastKey}`

const post = (key: string | undefined, body: unknown = { name: 'a' }, options: Partial<EventOptions> = {}) =>
  send(handler, {
    body,
    ...options,
    headers: { Authorization: 'Token key-1', ...(key !== undefined && { 'Idempotency-Key': key }), ...options.headers },
  })

describe('a request with an Idempotency-Key', () => {
  it('is handled once, and answered the same when it is repeated', async () => {
    const key = newKey()
    const [first, second] = [await post(key), await post(key)]
    expect(act).toHaveBeenCalledTimes(1)
    expect(first).toMatchObject({ status: 201, json: { name: 'a', ids: [expect.any(Number), expect.any(Number)] } })
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed')
    expect(second).toEqual({ ...first, headers: { ...first.headers, 'Idempotent-Replayed': 'true' } })
  })

  it('is another one for another user, method, path or key', async () => {
    const key = newKey()
    await post(key)
    await post(key, undefined, { headers: { Authorization: 'Token key-2' } })
    await post(key, undefined, { path: '/api/leads/other/' })
    await post(`${key}-other`)
    expect(act).toHaveBeenCalledTimes(4)
    await post(key, undefined, { path: '/api/leads' })
    expect(act).toHaveBeenCalledTimes(4)
    await post(key, undefined, { method: 'PATCH' })
    await post(key, undefined, { method: 'PATCH' })
    expect(act).toHaveBeenCalledTimes(6)
    expect(act.mock.lastCall![0]).toEqual([])
  })

  it('is refused with another body, whether that is valid or not', async () => {
    const key = newKey()
    await post(key)
    for (const body of [{ name: 'b' }, {}, '{"name":"a" }']) {
      expect(await post(key, body, { headers: { 'Content-Type': 'application/json' } })).toMatchObject({
        status: 422,
        json: { detail: 'This Idempotency-Key was used with another request body.' },
      })
    }
    expect(act).toHaveBeenCalledTimes(1)
  })

  it('is the same form under another boundary', async () => {
    const key = newKey()
    const form = (boundary: string) =>
      post(key, `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--${boundary}--\r\n`, {
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      })
    expect((await form('x')).json).toEqual((await form('y')).json)
    expect(act).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['', 400],
    ['k'.repeat(256), 400],
    ['k'.repeat(255), 201],
    ['ü "quoted"; #1', 201],
  ])('has one of 1 to 255 characters: %j', async (key, status) => {
    const answer = await post(key)
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.json).toEqual({ detail: 'Idempotency-Key must have between 1 and 255 characters.' })
  })

  it('is handled by one of many at once, and the others are told so', async () => {
    const key = newKey()
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    act.mockImplementation(async (ids) => {
      await finished
      return created({ ids })
    })
    const statuses: number[] = []
    const answers = Array.from({ length: 16 }, async () => {
      statuses.push((await post(key)).status)
    })
    await eventually(() => statuses.length === 15)
    expect(statuses).toEqual(Array(15).fill(409))
    finish()
    await Promise.all(answers)
    expect(statuses.at(-1)).toBe(201)
    expect(act).toHaveBeenCalledTimes(1)
    expect((await post(key)).headers).toMatchObject({ 'Idempotent-Replayed': 'true' })
  })

  it('is forgotten after 24 hours', async () => {
    const key = newKey()
    await post(key)
    advance(24 * HOUR - 10 * SECOND)
    expect((await post(key, { name: 'b' })).status).toBe(422)
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
    advance(11 * SECOND)
    expect((await post(key, { name: 'b' })).headers).not.toHaveProperty('Idempotent-Replayed')
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('keeps a large answer, and its headers', async () => {
    const key = newKey()
    const results = Array.from({ length: 20_000 }, (_, id) => ({ id, action: 'created', text: `é${id}` }))
    act.mockResolvedValue({ status: 200, body: { results }, headers: { Location: '/there' } })
    const [first, second] = [await post(key), await post(key)]
    expect(second.json).toEqual(first.json)
    expect(second.headers).toMatchObject({ Location: '/there', 'Idempotent-Replayed': 'true' })
  })

  it('keeps an answer without a body', async () => {
    const key = newKey()
    act.mockResolvedValue({ status: 204 })
    await post(key)
    expect(await post(key)).toMatchObject({ status: 204, json: undefined, headers: { 'Idempotent-Replayed': 'true' } })
  })
})

describe('what was refused', () => {
  it('is refused the same way again, without another look', async () => {
    for (const error of [invalid({ name: ['No.'] }), new ServiceError('not_found', 'Not found.'), new ServiceError('forbidden', 'No.')]) {
      const key = newKey()
      act.mockRejectedValueOnce(error)
      const [first, second] = [await post(key), await post(key)]
      expect(second).toEqual({ ...first, headers: { ...first.headers, 'Idempotent-Replayed': 'true' } })
    }
    expect(act).toHaveBeenCalledTimes(3)
  })

  it('for its body is kept too, though it never reached the function', async () => {
    const key = newKey()
    expect(await post(key, {})).toMatchObject({ status: 400, json: { name: ['This field is required.'] } })
    expect(await post(key, {})).toMatchObject({ status: 400, headers: { 'Idempotent-Replayed': 'true' } })
    expect(await post(key)).toMatchObject({ status: 422 })
    const broken = { headers: { 'Content-Type': 'application/json' } }
    const other = newKey()
    await post(other, '{', broken)
    expect(await post(other, '{', broken)).toMatchObject({ status: 400, headers: { 'Idempotent-Replayed': 'true' } })
    expect(act).not.toHaveBeenCalled()
  })

  it.each(['conflict', 'unprocessable', 'throttled', 'too_large'] as const)('as %s is looked at anew', async (code) => {
    const key = newKey()
    act.mockRejectedValueOnce(new ServiceError(code, 'Later.'))
    expect((await post(key)).status).toBeGreaterThanOrEqual(409)
    expect((await post(key)).status).toBe(201)
    expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
  })

  it('for its media type may come with another one', async () => {
    const key = newKey()
    expect((await post(key, '{"name":"a"}', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415)
    expect((await post(key, 'other', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415)
    expect((await post(key, '{"name":"a"}', { headers: { 'Content-Type': 'application/json' } })).status).toBe(201)
  })
})

describe('what failed', () => {
  it('may be tried again at once, with the same ids', async () => {
    const key = newKey()
    act.mockRejectedValueOnce(new Error('broken')).mockResolvedValueOnce({ status: 503, body: { detail: 'Later.' } })
    expect([(await post(key)).status, (await post(key)).status, (await post(key)).status]).toEqual([500, 503, 201])
    const reserved = act.mock.calls.map(([ids]) => ids)
    expect(new Set(reserved.map(String)).size).toBe(1)
    expect(reserved[0]).toHaveLength(2)
  })

  it('by dying is taken up with the same ids, by one, when its lease is over', async () => {
    const key = newKey()
    const { promise, resolve } = Promise.withResolvers<Reply>()
    act.mockReturnValueOnce(promise)
    const dead = post(key)
    await new Promise((wait) => setTimeout(wait, 200))
    expect(await post(key)).toMatchObject({
      status: 409,
      json: { detail: 'A request with this Idempotency-Key is still in progress.' },
    })
    advance(59 * SECOND)
    expect((await post(key)).status).toBe(409)
    advance(2 * SECOND)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(key)))
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(act).toHaveBeenCalledTimes(2)
    expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
    resolve(ok('come to after all'))
    await dead
    expect((await post(key)).json).toMatchObject({ name: 'a' })
  })

  it('and comes to after all changes nothing any more', async () => {
    const [request, now] = [{ asker: 1, method: 'POST', path: '/x/', key: newKey(), fingerprint: 'f' }, Date.now()]
    const first = await claimRequest(request, 1, now)
    const second = await claimRequest(request, 1, now + 61 * SECOND)
    if (first.kind !== 'claimed' || second.kind !== 'claimed') throw new Error('Nothing claimed.')
    expect(second.claim.ids).toEqual(first.claim.ids)
    await releaseClaim(first.claim)
    expect(await claimRequest(request, 1, now + 62 * SECOND)).toEqual({ kind: 'in_flight' })
  })

  it('in part is not kept when the function says so', async () => {
    const key = newKey()
    act.mockImplementationOnce(async () => ({ ...ok({ part: true }), keep: false }))
    expect(await post(key)).toMatchObject({ status: 200, json: { part: true } })
    expect((await post(key, { name: 'b' })).status).toBe(422)
    expect(await post(key)).toMatchObject({ status: 201, json: { ids: act.mock.calls[0]![0] } })
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
  })

  it('to be recorded is answered all the same', async () => {
    const key = newKey()
    act.mockImplementationOnce(async () => {
      process.env['TABLE_NAME'] = 'no-such-table'
      return created({ made: true })
    })
    const answer = await post(key)
    process.env['TABLE_NAME'] = 'leads'
    expect(answer).toMatchObject({ status: 201, json: { made: true } })
    expect(lines.join('')).toContain('Left to its lease')
  })
})

describe('a claim that is written twice', () => {
  const { send } = DynamoDBDocumentClient.prototype
  afterEach(() => {
    Object.assign(DynamoDBDocumentClient.prototype, { send })
  })

  /** The first write of this kind is sent again, for its answer got lost. */
  const sentTwice = (Command: typeof PutCommand | typeof UpdateCommand) => {
    let isFirst = true
    const twice = async function (this: DynamoDBDocumentClient, ...args: unknown[]) {
      const [command] = args
      const isClaim = command instanceof Command && JSON.stringify(command.input).includes('lease_until')
      if (isClaim && isFirst) {
        isFirst = false
        await Reflect.apply(send, this, args)
      }
      return Reflect.apply(send, this, args)
    }
    Object.assign(DynamoDBDocumentClient.prototype, { send: twice })
  }

  it('is no claim of somebody else when it begins a request', async () => {
    sentTwice(PutCommand)
    const key = newKey()
    expect((await post(key)).status).toBe(201)
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
    expect(act).toHaveBeenCalledTimes(1)
  })

  it('is none when it takes one over', async () => {
    const key = newKey()
    act.mockRejectedValueOnce(new Error('broken'))
    await post(key)
    sentTwice(UpdateCommand)
    expect((await post(key)).status).toBe(201)
    expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
  })
})

describe('the ids that are reserved', () => {
  it('are nobody else’s', async () => {
    const ids: number[] = []
    act.mockImplementation(async (reserved) => {
      ids.push(...reserved, await nextId())
      return created({})
    })
    await Promise.all(Array.from({ length: 30 }, () => post(newKey())))
    expect(new Set(ids).size).toBe(90)
  })

  it('are as many as the body asks for', async () => {
    const bulk = api(
      { auth: 'token', body: Dictionary, idempotent: { reserve: (body) => Object.keys(v.parse(Dictionary, body)).length } },
      async ({ reservedIds }) => ok({ count: new Set(reservedIds).size, last: reservedIds.at(-1)! - reservedIds[0]! }),
    )
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]))
    const headers = { Authorization: 'Token key-1', 'Idempotency-Key': newKey() }
    expect((await send(bulk, { body, headers })).json).toEqual({ count: 1000, last: 999 })
  })
})

describe('nothing is written', () => {
  const written = async (run: () => Promise<unknown>) => {
    const before = consumed.write
    await run()
    return consumed.write - before
  }

  it('without the header, without credentials, or without need', async () => {
    await post(newKey())
    const key = newKey()
    expect(await written(() => post(key, undefined, { headers: { Authorization: 'Token nobody' } }))).toBe(0)
    expect(await written(() => post(''))).toBe(0)
    const requests = 100
    expect(await written(() => Promise.all(Array.from({ length: requests }, () => post(undefined))))).toBeLessThanOrEqual(2)
  })

  it('in clear of a key, nor for good', async () => {
    const key = 'a key of a client'
    const path = '/api/leads/clear/'
    const client = DynamoDBDocumentClient.from(new (await import('@aws-sdk/client-dynamodb')).DynamoDBClient({}))
    const send = jest.spyOn(DynamoDBDocumentClient.prototype, 'send')
    await post(key, undefined, { path })
    const keys = send.mock.calls.flatMap(([command]) => (command instanceof UpdateCommand ? [command.input.Key] : []))
    send.mockRestore()
    const at = keys.find((found) => found?.['sk'] === 'IDEMPOTENCY')
    const { Item } = await client.send(new GetCommand({ TableName: 'leads', Key: at! }))
    expect(JSON.stringify(Item)).not.toContain(key)
    expect(Item?.['expires_at']).toBeGreaterThan(Date.now() / 1000)
    client.destroy()
  })
})
