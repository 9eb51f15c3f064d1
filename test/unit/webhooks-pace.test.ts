import { describe, expect, it } from '@jest/globals'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import type { DeliveryState } from '#shared/webhooks/rules/after-attempt.ts'
import { consequenceOf } from '#shared/webhooks/rules/failing.ts'
import { allowance, areSlow, nextWait, type RecentAttempt, recentDeliveryAttempts } from '#shared/webhooks/rules/pace.ts'
import { NOW } from '#test/support/webhook-fixtures.ts'

describe('a destination', () => {
  const judged = (attempts: readonly boolean[], apartMs = 1) =>
    attempts.reduce<readonly RecentAttempt[]>(
      (recent, wasSlow, index) => recentDeliveryAttempts(recent, { time: NOW + index * apartMs, wasSlow }),
      [],
    )
  const repeat = (count: number, pattern: readonly boolean[]) => Array.from({ length: count }, () => pattern).flat()

  it.each<[string, boolean, readonly boolean[]]>([
    ['is slow when five attempts in a row were', true, repeat(5, [true])],
    ['is not slow when only four attempts were', false, repeat(4, [true])],
    ['is slow when every second attempt was', true, repeat(5, [false, true])],
    ['is not slow when every third attempt was', false, repeat(20, [false, false, true])],
    ['is not slow when one of twenty attempts was', false, repeat(20, [true, ...repeat(19, [false])])],
    ['is not slow when it once was', false, [...repeat(5, [true]), ...repeat(6, [false])]],
  ])('a destination %s', (_, expected, attempts) => {
    expect(areSlow(judged(attempts))).toBe(expected)
  })

  it('a destination is judged only by its recent attempts', () => {
    expect(areSlow(judged(repeat(10, [true]), 3 * 60_000))).toBe(false)
    expect(areSlow(judged(repeat(10, [true]), 60_000))).toBe(true)
  })
})

describe('attempts at a slow destination', () => {
  it.each([
    ['ten at once, when it answers', { duration_ms: 10_000, timeouts: 0 }, { room: 10, span: 10_000 }],
    ['at full speed, when it answers quickly', { duration_ms: 20, timeouts: 0 }, { room: 10, span: 20 }],
    ['fewer, when one was not answered', { duration_ms: 15_000, timeouts: 1 }, { room: 5, span: 30_000 }],
    ['one a minute, when it is dead', { duration_ms: 15_000, timeouts: 4 }, { room: 1, span: 60_000 }],
    ['one a minute, however long it is dead', { duration_ms: 15_000, timeouts: 5_000 }, { room: 1, span: 60_000 }],
  ])('attempts at a slow destination are limited: %s', (_, pace, expected) => {
    expect(allowance(pace)).toEqual(expected)
  })

  it('attempts at a slow destination wait twice as long each time, up to about ten minutes', () => {
    const waits = Array.from({ length: 8 }).reduce<number[]>((told) => [...told, nextWait(told.at(-1) ?? 0, 0.5)], [])
    expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600, 600])
    expect([nextWait(0, 0), nextWait(0, 1), nextWait(900, 0), nextWait(900, 1)]).toEqual([23, 38, 450, 750])
  })
})

const UNKNOWN = { failing_since: null, daily_failures: null, slow_since: null, enabled_time: 1 }

describe('the effect of an attempt on its subscription', () => {
  const made = { time: NOW, status_code: 500, duration_ms: 5, error: null, response_body: null }
  const pending: DeliveryState = { status: 'pending', next_attempt_time: NOW }
  const cases: readonly (readonly [
    string,
    number | null,
    number,
    DeliveryState & { blameless?: boolean; status_code?: number },
    unknown,
  ])[] = [
    ['a success', null, 0, { status: 'delivered' }, { kind: 'none' }],
    ['a first failure', null, 0, pending, { kind: 'none' }],
    ['a second failure', null, 1, pending, { kind: 'failing' }],
    ['a failure for good', null, 0, { status: 'failed' }, { kind: 'failing' }],
    [
      'a failure on another day',
      NOW - DAY,
      3,
      pending,
      { kind: 'failing_daily', daily: { since: NOW, last: NOW }, asSeen: { failing_since: NOW - DAY } },
    ],
    ['a success after failures', NOW - DAY, 0, { status: 'delivered' }, { kind: 'well_again' }],
    ['a success after five days', NOW - 5 * DAY, 0, { status: 'delivered' }, { kind: 'well_again' }],
    [
      'a failure for good just before five days',
      NOW - 5 * DAY + 1,
      9,
      { status: 'failed' },
      { kind: 'failing_daily', daily: { since: NOW, last: NOW }, asSeen: { failing_since: NOW - 5 * DAY + 1 } },
    ],
    [
      'the first known failure after five days',
      NOW - 5 * DAY,
      3,
      pending,
      { kind: 'failing_daily', daily: { since: NOW, last: NOW }, asSeen: { failing_since: NOW - 5 * DAY } },
    ],
    [
      'a failure for good after five days',
      NOW - 5 * DAY,
      9,
      { status: 'failed' },
      { kind: 'disabled', reason: expect.stringContaining('five days'), asSeen: { failing_since: NOW - 5 * DAY } },
    ],
    ['an attempt not made for a reason of ours', null, 3, { ...pending, blameless: true }, { kind: 'none' }],
    ['an attempt not made for a reason of ours, for good', null, 9, { status: 'failed', blameless: true }, { kind: 'none' }],
    ['an attempt not made for a reason of ours, after five days', NOW - 5 * DAY, 3, { ...pending, blameless: true }, { kind: 'none' }],
    [
      '410',
      null,
      0,
      { ...pending, status_code: 410 },
      { kind: 'disabled', reason: expect.stringContaining('410'), asSeen: { enabled_time: 1 } },
    ],
  ]
  it.each(cases)(
    'the effect of a delivery attempt on its subscription depends on the outcome: %s',
    (_, failing_since, attempts, standing, expected) => {
      const delivery = { attempts: Array.from({ length: attempts }, () => made) }
      const seen = { ...UNKNOWN, failing_since }
      expect(consequenceOf(seen, delivery, { blameless: false, status_code: 500, ...standing }, NOW)).toEqual(expected)
    },
  )

  const silent = { status_code: null, blameless: false, status: 'pending' } as const

  it('a failed first attempt counts in the slow lane, where the second one may come much later', () => {
    expect(consequenceOf({ ...UNKNOWN, slow_since: NOW }, { attempts: [] }, silent, NOW)).toEqual({ kind: 'failing' })
  })

  /** A destination that gets one attempt at each of these times, and never answers: when it is disabled, and the writes until then. */
  const disabledAt = (times: readonly number[]) => {
    let [seen, writes] = [{ ...UNKNOWN, slow_since: NOW }, 0] as [Parameters<typeof consequenceOf>[0], number]
    for (const time of times) {
      const consequence = consequenceOf(seen, { attempts: [] }, silent, time)
      if (consequence.kind === 'disabled') return { days: (time - NOW) / DAY, writes }
      if (consequence.kind !== 'none') writes++
      if (consequence.kind === 'failing') seen = { ...seen, failing_since: time, daily_failures: { since: time, last: time } }
      if (consequence.kind === 'failing_daily') seen = { ...seen, daily_failures: consequence.daily }
    }
    return undefined
  }
  const every = (interval: number, days: number) =>
    Array.from({ length: (days * DAY) / interval + 1 }, (_, index) => NOW + index * interval)

  it('a destination is disabled after five days with an attempt a minute, all of different deliveries, and written once a day', () => {
    expect(disabledAt(every(MINUTE, 7))).toEqual({ days: 5, writes: 5 })
  })

  it.each([
    ['after five days with an attempt each', every(DAY, 7), 5],
    ['after five days with attempts at any time of each', [0, 23, 25, 71, 73, 119, 120].map((hours) => NOW + hours * HOUR), 5],
    ['five days after a day without an attempt', [...every(HOUR, 3), ...every(HOUR, 6).map((time) => time + 5 * DAY)], 10],
  ])('a destination without an answer is disabled: %s', (_, times, days) => {
    expect(disabledAt(times)).toEqual({ days, writes: expect.any(Number) })
  })

  it('a destination stays enabled when it has failures for a short time, and one six days later', () => {
    expect(disabledAt([...every(MINUTE, 1), NOW + 6 * DAY, NOW + 6 * DAY + HOUR])).toBeUndefined()
  })

  it('days with failures do not count after a version that does not know them has recorded a success', () => {
    const daily_failures = { since: NOW - 5 * DAY, last: NOW - DAY }
    const failing_since = NOW - HOUR
    expect(consequenceOf({ ...UNKNOWN, failing_since, daily_failures }, { attempts: [] }, silent, NOW)).toEqual({
      ...{ kind: 'failing_daily', daily: { since: NOW, last: NOW }, asSeen: { failing_since } },
    })
  })
})
