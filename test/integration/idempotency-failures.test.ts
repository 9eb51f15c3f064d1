import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { created, ok, type Reply } from '#shared/http/reply.ts'
import { claimRequest, releaseClaim } from '#shared/storage/idempotency.ts'
import { advance, idempotentRequests, newKey } from '#test/support/idempotent-requests.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const SECOND = 1000

const { act, post, lines } = idempotentRequests()

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
  /** The first write of this kind is sent again, for its answer got lost. */
  const sentTwice = <T>(Command: typeof PutCommand | typeof UpdateCommand, run: () => Promise<T>): Promise<T> => {
    let isFirst = true
    return beforeEachSend(async (command, sendOnce) => {
      if (!(isFirst && command instanceof Command && JSON.stringify(command.input).includes('lease_until'))) return
      isFirst = false
      await sendOnce()
    }, run)
  }

  it('is no claim of somebody else when it begins a request', async () => {
    const key = newKey()
    expect((await sentTwice(PutCommand, () => post(key))).status).toBe(201)
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
    expect(act).toHaveBeenCalledTimes(1)
  })

  it('is none when it takes one over', async () => {
    const key = newKey()
    act.mockRejectedValueOnce(new Error('broken'))
    await post(key)
    expect((await sentTwice(UpdateCommand, () => post(key))).status).toBe(201)
    expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
  })
})
