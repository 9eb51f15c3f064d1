import { describe, expect, it } from '@jest/globals'
import { nextLook } from '#shared/calling/rules/silence.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { NOON, sampleCall } from '#test/support/samples.ts'

const NOT_AFTER = NOON + 30 * SECOND
/** A minute of ringing later. */
const OVERDUE = NOON + 90 * SECOND
const SILENT = NOON + 10 * MINUTE
const accepted = { accepted_time: NOON, not_after: NOT_AFTER }
const onPlatform = { ...accepted, on_platform: true }

describe('the next look at a call', () => {
  it.each([
    ['is when it counts as silent, for our own protocol', accepted, NOON, SILENT],
    ['is when it should have stopped ringing, on a platform', onPlatform, NOON, OVERDUE],
    ['is half a minute later when the platform did not answer then', onPlatform, OVERDUE, OVERDUE + 30 * SECOND],
    ['is when it counts as silent, once somebody has answered', { ...onPlatform, answered_time: NOON }, NOON, SILENT],
    [
      'is when it counts as silent, once the platform said that it goes on',
      { ...onPlatform, last_heard_time: OVERDUE },
      OVERDUE,
      SILENT + 90 * SECOND,
    ],
    ['is within half a minute when the platform cannot report', { ...onPlatform, only_polled: true }, NOON, NOON + 30 * SECOND],
  ])('the next look at a call %s', (_, changes, now, look) => {
    expect(nextLook(sampleCall(changes), now)).toBe(look)
  })
})
