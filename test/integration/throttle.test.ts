import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { DEFAULT_THROTTLE } from '#shared/accounts/configuration.ts'
import { type Account, blockSize, firstCredit, pay } from '#shared/accounts/rules/throttle.ts'
import { newThrottle } from '#shared/accounts/throttle-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { suiteTable } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'

const START = Date.parse('2026-11-20T16:00:00Z')

captureLog()
suiteTable()

const allowances = fc.record({ sustained_per_day: fc.nat(2000), burst_per_minute: fc.nat(200) })

describe('the rate limit', () => {
  it('the rate limit never exceeds the allowance of a window, and grants all of it on demand', () => {
    const steps = fc.array(fc.oneof(fc.constant(0), fc.nat(MINUTE), fc.nat(DAY)), { maxLength: 200 })
    fc.assert(
      fc.property(allowances, steps, (allowance, gaps) => {
        const paid = new Map<string, number>()
        let account: Account | undefined
        let now = START
        for (const gap of gaps) {
          now += gap
          const windows = [`minute ${Math.floor(now / MINUTE)}`, `day ${Math.floor(now / DAY)}`] as const
          const room = Math.min(
            allowance.burst_per_minute - (paid.get(windows[0]) ?? 0),
            allowance.sustained_per_day - (paid.get(windows[1]) ?? 0),
          )
          const payment = pay(account, allowance, now)
          expect(payment.paid).toBe(room > 0)
          if (payment.paid) {
            expect(payment.block).toBe(Math.min(room, blockSize(allowance)))
            account = payment.account
            for (const window of windows) paid.set(window, (paid.get(window) ?? 0) + payment.block)
          } else {
            expect(payment.at).toBeGreaterThan(now)
            if (allowance.burst_per_minute > 0 && allowance.sustained_per_day > 0)
              expect(pay(account, allowance, payment.at).paid).toBe(
                payment.at % DAY === 0 || (paid.get(windows[1]) ?? 0) < allowance.sustained_per_day,
              )
          }
        }
      }),
    )
  })

  it('the rate limit scales its blocks with the allowance, and starts with less than one block of credit', () => {
    expect(blockSize(DEFAULT_THROTTLE)).toBe(20)
    expect(blockSize({ sustained_per_day: 1e9, burst_per_minute: 1e9 })).toBe(100)
    expect(blockSize({ sustained_per_day: 59, burst_per_minute: 1e9 })).toBe(1)
    fc.assert(
      fc.property(allowances, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (allowance, random) => {
        const credit = firstCredit(allowance, random)
        expect(credit).toBeGreaterThanOrEqual(0)
        expect(credit).toBeLessThan(blockSize(allowance))
      }),
    )
  })

  it('the rate limit counts in a window that a slightly fast clock started, and ignores one far in the future', () => {
    const ahead = { minute: START / MINUTE + 1, minute_used: 5, day: Math.floor(START / DAY), day_used: 5 }
    expect(pay(ahead, DEFAULT_THROTTLE, START)).toMatchObject({ account: { minute: ahead.minute, minute_used: 25 } })
    expect(pay({ ...ahead, minute: ahead.minute + 1 }, DEFAULT_THROTTLE, START)).toMatchObject({
      account: { minute: START / MINUTE, minute_used: 20 },
    })
  })
})

/** Sends requests through sandboxes, all of them at once. @returns how many were let through */
const flood = async (
  sandboxes: readonly ReturnType<typeof newThrottle>[],
  user: number,
  allowance: typeof DEFAULT_THROTTLE,
  each: number,
) => {
  const answers = sandboxes.flatMap((sandbox) => Array.from({ length: each }, () => sandbox(user, allowance)))
  return (await Promise.all(answers)).filter((at) => at === undefined).length
}

describe('concurrent sandboxes', () => {
  it.each([
    [1, 30],
    [2, 600],
    [40, 600],
    [64, 59],
    [16, 6000],
  ])('%d concurrent sandboxes let through %d requests a minute, plus less than a block each', async (count, burst) => {
    const allowance = { sustained_per_day: 1e6, burst_per_minute: burst }
    const user = count
    let now = START
    const sandboxes = Array.from({ length: count }, (_, index) => newThrottle({ now: () => now, random: () => index / count }))
    const overshoot = count * (blockSize(allowance) - 1)
    const let_through: number[] = []
    for (let minute = 0; minute < 3; minute++) {
      let_through.push(await flood(sandboxes, user, allowance, burst + blockSize(allowance)))
      now += MINUTE
    }
    const total = let_through.reduce((a, b) => a + b)
    // The credit of the start is used up once. Later, a window lets through what it pays for.
    expect(let_through[0]).toBeGreaterThanOrEqual(burst)
    expect(let_through[0]).toBeLessThanOrEqual(burst + overshoot)
    expect(total).toBeGreaterThanOrEqual(3 * burst)
    expect(total).toBeLessThanOrEqual(3 * burst + overshoot)
  })

  it('concurrent sandboxes let through two requests each without an early refusal', async () => {
    const [user, allowance] = [1000, DEFAULT_THROTTLE]
    const sandboxes = Array.from({ length: 100 }, (_, index) => newThrottle({ now: () => START, random: () => index / 100 }))
    expect(await flood(sandboxes, user, allowance, 2)).toBe(200)
  })
})

describe('the rate limit within one sandbox of Lambda', () => {
  it('the rate limit within one sandbox costs at most 0.06 read and write units per request', async () => {
    let now = START
    const sandbox = newThrottle({ now: () => now })
    const { read, write } = await unitsOf(async () => {
      for (let index = 0; index < 400; index++) {
        now += 20_000
        expect(await sandbox(2000, DEFAULT_THROTTLE)).toBeUndefined()
      }
    })
    expect(write / 400).toBeLessThanOrEqual(0.06)
    expect(read / 400).toBeLessThanOrEqual(0.06)
  })

  it('the rate limit costs no writes and about one read a minute while it refuses requests', async () => {
    let now = START
    const sandbox = newThrottle({ now: () => now })
    const allowance = { sustained_per_day: 10, burst_per_minute: 10 }
    await flood([sandbox], 2001, allowance, 10)
    const refused = await unitsOf(async () => {
      for (let index = 0; index < 300; index++) {
        now += 1000
        expect(await sandbox(2001, allowance)).toBe(Date.parse('2026-11-21T00:00:00Z'))
      }
    })
    expect(refused.write).toBe(0)
    expect(refused.read).toBeLessThanOrEqual(6)
  })

  it('the rate limit applies a raised allowance within a minute', async () => {
    let now = START
    const sandbox = newThrottle({ now: () => now })
    expect(await flood([sandbox], 2002, { sustained_per_day: 1, burst_per_minute: 9 }, 2)).toBe(1)
    const raised = { sustained_per_day: 9, burst_per_minute: 9 }
    expect(await flood([sandbox], 2002, raised, 1)).toBe(0)
    now += MINUTE
    expect(await flood([sandbox], 2002, raised, 1)).toBe(1)
  })
})

describe('a request over the rate limit', () => {
  const handler = api({ auth: 'token' }, async ({ user }) => ok({ user: user.id }))
  const ask = (key: string) => send(handler, { method: 'GET', headers: { Authorization: `Token ${key}` } })

  it('a request over the rate limit gets a 429 that says when to retry', async () => {
    const user = { name: 'A', is_staff: false, default_lead_type: null, dnc_group: '1', lines: 1, webhook_secrets: [] }
    await saveUser({ ...user, id: 3001, throttle: { sustained_per_day: 3, burst_per_minute: 600 } })
    await saveUser({ ...user, id: 3002 })
    for (const id of [3001, 3002]) await saveApiKey(`key-${id}`, { user: id, created_time: 0, revoked_time: null })
    for (let index = 0; index < 3; index++) expect((await ask('key-3001')).status).toBe(200)
    const refused = await ask('key-3001')
    const seconds = Number(refused.headers['Retry-After'])
    expect(refused).toMatchObject({
      status: 429,
      json: { detail: `Request was throttled. Expected available in ${seconds} seconds.` },
    })
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect(Number.isInteger(seconds)).toBe(true)
    expect((await ask('key-3002')).status).toBe(200)
    expect((await ask('nobody')).status).toBe(401)
  })
})
