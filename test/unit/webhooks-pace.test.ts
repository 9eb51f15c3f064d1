import { describe, expect, it } from '@jest/globals'
import { DAY } from '#shared/platform/values/durations.ts'
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
    ['another failure', NOW - DAY, 3, pending, { kind: 'none' }],
    ['a success after failures', NOW - DAY, 0, { status: 'delivered' }, { kind: 'well_again' }],
    ['a success after five days', NOW - 5 * DAY, 0, { status: 'delivered' }, { kind: 'well_again' }],
    ['a failure for good just before five days', NOW - 5 * DAY + 1, 9, { status: 'failed' }, { kind: 'none' }],
    ['another failure after five days', NOW - 5 * DAY, 3, pending, { kind: 'none' }],
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
      expect(consequenceOf({ failing_since, enabled_time: 1 }, delivery, { blameless: false, status_code: 500, ...standing }, NOW)).toEqual(
        expected,
      )
    },
  )
})
