import { describe, expect, it } from '@jest/globals'
import type { Standing } from '#shared/domain/webhooks/after-attempt.ts'
import { consequenceOf } from '#shared/domain/webhooks/failing.ts'
import { nextTurn, type Pace } from '#shared/domain/webhooks/pace.ts'
import { NOW } from '#test/support/webhook-fixtures.ts'

const DAY = 86_400_000
const pace = (fields: Partial<Pace> = {}): Pace => ({ next_turn: 0, duration_ms: 10_000, timeouts: 0, ...fields })

/** How many attempts begin within a time, each when its turn comes. */
const attemptsWithin = (ms: number, fields: Partial<Pace>): number => {
  let { next } = nextTurn(pace(fields), NOW, 0)
  let count = 1
  while (next !== null && next < NOW + ms) {
    next = nextTurn(pace({ ...fields, next_turn: next }), next, 0).next
    count++
  }
  return count
}

describe('turns at a slow destination', () => {
  it('let ten attempts be under way at one moment', () => {
    expect(attemptsWithin(10_000, { duration_ms: 10_000 })).toBe(10)
    expect(attemptsWithin(3_000, { duration_ms: 3_000 })).toBe(10)
  })

  it.each([
    [1, 5],
    [3, 2],
    [6, 1],
    [50, 1],
  ])('after %i attempts in a row that were not answered let it be asked %i times in 15 seconds', (timeouts, expected) => {
    expect(attemptsWithin(15_000, { duration_ms: 15_000, timeouts })).toBe(expected)
  })

  it('come once a minute when it is dead', () => {
    expect(nextTurn(pace({ duration_ms: 15_000, timeouts: 100 }), NOW, 0).next).toBe(NOW + 60_000)
  })

  it('are not given far ahead: who is behind asks again later, at different times', () => {
    expect(nextTurn(pace({ next_turn: NOW + 30_000 }), NOW, 0)).toEqual({ at: NOW + 30_000, next: NOW + 31_000 })
    expect(nextTurn(pace({ next_turn: NOW + 30_001 }), NOW, 0)).toEqual({ at: NOW + 30_000, next: null })
    expect(nextTurn(pace({ next_turn: NOW + 9_000_000 }), NOW, 1)).toEqual({ at: NOW + 45_000, next: null })
    const dead = { timeouts: 100, duration_ms: 15_000 }
    expect(nextTurn(pace({ ...dead, next_turn: NOW + 600_000 }), NOW, 0)).toEqual({ at: NOW + 600_000, next: NOW + 660_000 })
    expect(nextTurn(pace({ ...dead, next_turn: NOW + 9_000_000 }), NOW, 1)).toEqual({ at: NOW + 900_000, next: null })
  })
})

describe('what an attempt means for its subscription', () => {
  const made = { time: NOW, status_code: 500, duration_ms: 5, error: null, response_body: null }
  const pending: Standing = { status: 'pending', next_attempt_time: NOW }
  const cases: readonly (readonly [string, number | null, number, Standing & { blameless?: boolean; status_code?: number }, unknown])[] = [
    ['a success', null, 0, { status: 'delivered' }, { kind: 'none' }],
    ['a first failure', null, 0, pending, { kind: 'none' }],
    ['a second failure', null, 1, pending, { kind: 'failing' }],
    ['a failure for good', null, 0, { status: 'failed' }, { kind: 'failing' }],
    ['another failure', NOW - DAY, 3, pending, { kind: 'none' }],
    ['a success after failures', NOW - DAY, 0, { status: 'delivered' }, { kind: 'well_again' }],
    ['a success after five days', NOW - 5 * DAY, 0, { status: 'delivered' }, { kind: 'well_again' }],
    ['a failure just before five days', NOW - 5 * DAY + 1, 3, pending, { kind: 'none' }],
    [
      'a failure after five days',
      NOW - 5 * DAY,
      0,
      pending,
      { kind: 'disabled', reason: expect.stringContaining('five days'), asSeen: { failing_since: NOW - 5 * DAY } },
    ],
    ['one that was not made, for a reason of ours', null, 3, { ...pending, blameless: true }, { kind: 'none' }],
    ['such a one for good', null, 9, { status: 'failed', blameless: true }, { kind: 'none' }],
    ['such a one after five days', NOW - 5 * DAY, 3, { ...pending, blameless: true }, { kind: 'none' }],
    [
      '410',
      null,
      0,
      { ...pending, status_code: 410 },
      { kind: 'disabled', reason: expect.stringContaining('410'), asSeen: { enabled_time: 1 } },
    ],
  ]
  it.each(cases)('%s', (_, failing_since, attempts, standing, expected) => {
    const delivery = { attempts: Array.from({ length: attempts }, () => made) }
    expect(consequenceOf({ failing_since, enabled_time: 1 }, delivery, { blameless: false, status_code: 500, ...standing }, NOW)).toEqual(
      expected,
    )
  })
})
