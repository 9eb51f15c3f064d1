import { describe, expect, it } from '@jest/globals'
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { type AttemptAnswer, afterAttempt, parseRetryAfter, retryDelay } from '#shared/webhooks/rules/after-attempt.ts'

const NOW = Date.parse('2026-11-20T16:00:00Z')
const answer = (inputs: Partial<AttemptAnswer>): AttemptAnswer => ({
  status_code: 200,
  duration_ms: 1,
  error: null,
  response_body: null,
  retryAfter: null,
  hopeless: false,
  blameless: false,
  ...inputs,
})

describe('the retry schedule', () => {
  it('the retry schedule of a delivery has ten attempts', () => {
    const delays = Array.from({ length: 10 }, (_, index) => retryDelay(index + 1, 0.5))
    expect(delays).toEqual([5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR, undefined])
  })

  it('the retry schedule of a delivery varies each delay by up to ten per cent', () => {
    expect([retryDelay(2, 0), retryDelay(2, 1)]).toEqual([270_000, 330_000])
  })

  it.each([
    [1, 60 * SECOND, 60 * SECOND],
    [2, 60 * SECOND, 5 * MINUTE],
    [1, 400 * DAY, DAY],
    [10, 60 * SECOND, undefined],
  ])('a retry after attempt %d, with a Retry-After of %d ms, waits %p', (made, asked, expected) => {
    expect(retryDelay(made, 0.5, asked)).toBe(expected)
  })

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 16:02:00 GMT', 120_000],
    ['Fri, 20 Nov 2026 15:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('a delivery reads Retry-After %p as %p', (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected)
  })
})

describe('the status of a delivery', () => {
  it.each([
    [1, answer({ status_code: 204 }), { status: 'delivered' }],
    // A 410 also disables the subscription, which other code decides.
    [1, answer({ status_code: 410 }), { status: 'pending', next_attempt_time: NOW + 5 * SECOND }],
    [1, answer({ status_code: 301 }), { status: 'pending', next_attempt_time: NOW + 5 * SECOND }],
    [1, answer({ status_code: 500 }), { status: 'pending', next_attempt_time: NOW + 5 * SECOND }],
    [1, answer({ status_code: 503, retryAfter: 90_000 }), { status: 'pending', next_attempt_time: NOW + 90_000 }],
    [3, answer({ status_code: null, error: 'No answer within 15 seconds.' }), { status: 'pending', next_attempt_time: NOW + 30 * MINUTE }],
    [10, answer({ status_code: 500 }), { status: 'failed' }],
    [1, answer({ status_code: null, hopeless: true }), { status: 'failed' }],
  ])('the status of a delivery follows from attempt %d with the answer %p', (made, inputs, expected) => {
    expect(afterAttempt(made, inputs, NOW, 0.5)).toEqual(expected)
  })
})
