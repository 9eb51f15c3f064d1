import { createHash } from 'node:crypto'
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { created, ok, type Reply } from '#shared/http/reply.ts'
import { claimedIds } from '#shared/platform/ids/claimed-ids.ts'
import { claimRequest, releaseClaim } from '#shared/platform/ids/idempotency.ts'
import { nextId } from '#shared/platform/ids/ids.ts'
import { idempotencyKey } from '#shared/platform/keys.ts'
import { getItem, putItem } from '#shared/platform/table/table.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { idempotentRequests, newKey } from '#test/support/idempotent-requests.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const { act, post, lines } = idempotentRequests()

describe('a failed request with an Idempotency-Key', () => {
  it('a failed request with an Idempotency-Key can be retried at once with the same ids', async () => {
    const key = newKey()
    act.mockRejectedValueOnce(new Error('broken')).mockResolvedValueOnce({ status: 503, body: { detail: 'Later.' } })
    expect([(await post(key)).status, (await post(key)).status, (await post(key)).status]).toEqual([500, 503, 201])
    const reserved = act.mock.calls.map(([ids]) => ids)
    expect(new Set(reserved.map(String)).size).toBe(1)
    expect(reserved[0]).toHaveLength(2)
  })

  it('a failed request with an Idempotency-Key is taken over by one retry with the same ids when its lease ends', async () => {
    const key = newKey()
    const { promise, resolve } = Promise.withResolvers<Reply>()
    act.mockReturnValueOnce(promise)
    const before = act.mock.calls.length
    const dead = post(key)
    await eventually(() => act.mock.calls.length > before)
    expect(await post(key)).toMatchObject({
      status: 409,
      headers: { 'Retry-After': '1' },
      json: { detail: 'A request with this Idempotency-Key is still in progress.' },
    })
    passTime(59 * SECOND)
    expect((await post(key)).status).toBe(409)
    passTime(2 * SECOND)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(key)))
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(act).toHaveBeenCalledTimes(2)
    expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
    resolve(ok('come to after all'))
    await dead
    expect((await post(key)).json).toMatchObject({ name: 'a' })
  })

  it('a request with an Idempotency-Key changes nothing if it finishes after a retry took over', async () => {
    const [request, now] = [{ asker: 1, method: 'POST', path: '/x/', key: newKey(), fingerprint: 'f' }, Date.now()]
    const first = await claimRequest(request, now)
    if (first.kind !== 'claimed') throw new Error('Nothing claimed.')
    const [id, unused] = [await claimedIds(first.claim)(0).take(), await claimedIds(first.claim)(1).take()]
    const second = await claimRequest(request, now + 61 * SECOND)
    if (second.kind !== 'claimed') throw new Error('Nothing claimed.')
    expect([...second.claim.reserved]).toEqual([
      [0, id],
      [1, unused],
    ])
    expect(second.claim.nameOf(1)).toBe(first.claim.nameOf(1))
    await releaseClaim(first.claim)
    await claimedIds(first.claim)(1).giveBack(unused)
    await expect(claimedIds(first.claim)(2).take()).rejects.toMatchObject({ code: 'conflict' })
    expect(await nextId()).not.toBe(unused)
    expect(await claimRequest(request, now + 62 * SECOND)).toEqual({ kind: 'in_flight' })
  })

  it('a request that a retry took over gives back no ids that were recorded without its knowledge', async () => {
    const [request, now] = [{ asker: 1, method: 'POST', path: '/x/', key: newKey(), fingerprint: 'f' }, Date.now()]
    const first = await claimRequest(request, now)
    if (first.kind !== 'claimed') throw new Error('Nothing claimed.')
    let second: Awaited<ReturnType<typeof claimRequest>> | undefined
    // The answer of the write gets lost. Before it is sent again, a repeat of the request takes over.
    const recordTwice = async (command: unknown, sendOnce: () => Promise<unknown>): Promise<void> => {
      if (second || !(command instanceof UpdateCommand && command.input.UpdateExpression?.includes('reserved.'))) return
      await sendOnce()
      second = await claimRequest(request, now + 61 * SECOND)
    }
    const take = () => claimedIds(first.claim)(0).take()
    await beforeEachSend(recordTwice, () => expect(take()).rejects.toMatchObject({ code: 'conflict' }))
    if (second?.kind !== 'claimed') throw new Error('Nothing claimed.')
    const id = second.claim.reserved.get(0)
    expect(id).toEqual(expect.any(Number))
    expect(await nextId()).not.toBe(id)
  })

  it('a request with an Idempotency-Key runs again when the function returns keep: false', async () => {
    const key = newKey()
    act.mockImplementationOnce(async () => ({ ...ok({ part: true }), keep: false }))
    expect(await post(key)).toMatchObject({ status: 200, json: { part: true } })
    expect((await post(key, { name: 'b' })).status).toBe(422)
    expect(await post(key)).toMatchObject({ status: 201, json: { ids: act.mock.calls[0]![0] } })
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
  })

  it('a request with an Idempotency-Key is answered even if the answer cannot be stored', async () => {
    const key = newKey()
    act.mockImplementationOnce(async () => {
      process.env['TABLE_NAME'] = 'no-such-table'
      return created({ made: true })
    })
    const answer = await post(key)
    process.env['TABLE_NAME'] = 'leads'
    expect(answer).toMatchObject({ status: 201, json: { made: true } })
    expect(lines.join('')).toContain('Its lease expires on its own')
  })
})

describe('an unfinished record of version 1.0.2', () => {
  it('an unfinished idempotency record of version 1.0.2 is finished with the ids that it reserved', async () => {
    const key = newKey()
    await post(key)
    const sha256 = createHash('sha256')
      .update(JSON.stringify(['POST', '/api/leads', key]))
      .digest('hex')
    const Kept = v.object({ fingerprint: v.string(), claim: v.string(), expires_at: v.number() })
    const at = idempotencyKey(1, sha256)
    await putItem({ ...at, ...(await getItem(Kept, at)), first_id: 700_001, ids: 2, lease_until: 0 })
    expect((await post(key)).json).toMatchObject({ ids: [700_001, 700_002] })
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

  it('a new request recognizes its own claim of an Idempotency-Key when the write of the claim is sent twice', async () => {
    const key = newKey()
    expect((await sentTwice(PutCommand, () => post(key))).status).toBe(201)
    expect((await post(key)).headers).toHaveProperty('Idempotent-Replayed')
    expect(act).toHaveBeenCalledTimes(1)
  })

  it('a claim of an Idempotency-Key that is written twice is recognized as its own when it takes over a request', async () => {
    const key = newKey()
    act.mockRejectedValueOnce(new Error('broken'))
    await post(key)
    expect((await sentTwice(UpdateCommand, () => post(key))).status).toBe(201)
    expect(act.mock.calls[1]![0]).toEqual(act.mock.calls[0]![0])
  })
})
