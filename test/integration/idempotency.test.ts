import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it, jest } from '@jest/globals'
import { api } from '#shared/http/api.ts'
import { Dictionary } from '#shared/http/fields/field.ts'
import { created } from '#shared/http/reply.ts'
import { nextId } from '#shared/platform/ids/ids.ts'
import { HOUR, SECOND } from '#shared/platform/values/durations.ts'
import { invalid, ServiceError } from '#shared/platform/values/errors.ts'
import { send } from '#test/support/api-event.ts'
import { passTime } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { idempotentRequests, newKey } from '#test/support/idempotent-requests.ts'
import { unitsOf } from '#test/support/units.ts'

const { act, post } = idempotentRequests()

describe('a request with an Idempotency-Key', () => {
  it('a request with an Idempotency-Key runs once, and its repeat gets the same answer', async () => {
    const key = newKey()
    const [first, second] = [await post(key), await post(key)]
    expect(act).toHaveBeenCalledTimes(1)
    expect(first).toMatchObject({ status: 201, json: { name: 'a', ids: [expect.any(Number), expect.any(Number)] } })
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed')
    expect(second).toEqual({ ...first, headers: { ...first.headers, 'Idempotent-Replayed': 'true' } })
  })

  it('a request with an Idempotency-Key is distinct for another user, method, path or key', async () => {
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

  it('a request that sends a used Idempotency-Key with another body is refused, whether that body is valid or not', async () => {
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

  it('a repeat with an Idempotency-Key matches the same form under another boundary', async () => {
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
  ])('an Idempotency-Key needs 1 to 255 characters: %j', async (key, status) => {
    const answer = await post(key)
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.json).toEqual({ detail: 'Idempotency-Key must have between 1 and 255 characters.' })
  })

  it('a request with an Idempotency-Key runs once among many at the same time, and the others get 409', async () => {
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

  it('an Idempotency-Key is forgotten after 24 hours', async () => {
    const key = newKey()
    await post(key)
    passTime(24 * HOUR - 10 * SECOND)
    expect((await post(key, { name: 'b' })).status).toBe(422)
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
    passTime(11 * SECOND)
    expect((await post(key, { name: 'b' })).headers).not.toHaveProperty('Idempotent-Replayed')
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('a repeated request with an Idempotency-Key gets a large answer again, with its headers', async () => {
    const key = newKey()
    const results = Array.from({ length: 20_000 }, (_, id) => ({ id, action: 'created', text: `é${id}` }))
    act.mockResolvedValue({ status: 200, body: { results }, headers: { Location: '/there' } })
    const [first, second] = [await post(key), await post(key)]
    expect(second.json).toEqual(first.json)
    expect(second.headers).toMatchObject({ Location: '/there', 'Idempotent-Replayed': 'true' })
  })

  it('a repeated request with an Idempotency-Key gets an answer without a body again', async () => {
    const key = newKey()
    act.mockResolvedValue({ status: 204 })
    await post(key)
    expect(await post(key)).toMatchObject({ status: 204, json: undefined, headers: { 'Idempotent-Replayed': 'true' } })
  })
})

describe('a refusal under an Idempotency-Key', () => {
  it('a refusal under an Idempotency-Key is replayed without running the function again', async () => {
    for (const error of [invalid({ name: ['No.'] }), new ServiceError('not_found', 'Not found.'), new ServiceError('forbidden', 'No.')]) {
      const key = newKey()
      act.mockRejectedValueOnce(error)
      const [first, second] = [await post(key), await post(key)]
      expect(second).toEqual({ ...first, headers: { ...first.headers, 'Idempotent-Replayed': 'true' } })
    }
    expect(act).toHaveBeenCalledTimes(3)
  })

  it('a refusal of an invalid body is replayed for its Idempotency-Key although the function never ran', async () => {
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

  it.each(['conflict', 'unprocessable', 'throttled', 'too_large'] as const)(
    'a refusal with the code %s lets the request with its Idempotency-Key run again',
    async (code) => {
      const key = newKey()
      act.mockRejectedValueOnce(new ServiceError(code, 'Later.'))
      expect((await post(key)).status).toBeGreaterThanOrEqual(409)
      expect((await post(key)).status).toBe(201)
      expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
    },
  )

  it('a refusal of a media type allows a retry of the Idempotency-Key with another media type', async () => {
    const key = newKey()
    expect((await post(key, '{"name":"a"}', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415)
    expect((await post(key, 'other', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415)
    expect((await post(key, '{"name":"a"}', { headers: { 'Content-Type': 'application/json' } })).status).toBe(201)
  })
})

describe('reserved ids', () => {
  it('ids reserved by concurrent requests are unique', async () => {
    const ids: number[] = []
    act.mockImplementation(async (reserved) => {
      ids.push(...reserved, await nextId())
      return created({})
    })
    await Promise.all(Array.from({ length: 30 }, () => post(newKey())))
    expect(new Set(ids).size).toBe(90)
  })

  it('reserved ids are recorded before use, in few writes', async () => {
    const reserved: number[] = []
    const handler = api({ auth: 'token', body: Dictionary }, async ({ reservation }) => {
      reserved.push(...(await Promise.all(Array.from({ length: 1000 }, (_, place) => reservation(place).take()))))
      throw new Error('broken')
    })
    const headers = { Authorization: 'Token key-1', 'Idempotency-Key': newKey() }
    const { write } = await unitsOf(() => send(handler, { body: {}, headers }))
    expect(new Set(reserved).size).toBe(1000)
    expect(write).toBeLessThan(200)
    await send(handler, { body: {}, headers })
    expect(reserved.slice(1000)).toEqual(reserved.slice(0, 1000))
  })
})

describe('the idempotency store', () => {
  const written = async (run: () => Promise<unknown>) => (await unitsOf(run)).write

  it('the idempotency store is not written without a valid key and credentials', async () => {
    await post(newKey())
    const key = newKey()
    expect(await written(() => post(key, undefined, { headers: { Authorization: 'Token nobody' } }))).toBe(0)
    expect(await written(() => post(''))).toBe(0)
    const requests = 100
    expect(await written(() => Promise.all(Array.from({ length: requests }, () => post(undefined))))).toBeLessThanOrEqual(2)
  })

  it('the idempotency store hides the key, and expires its records', async () => {
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
