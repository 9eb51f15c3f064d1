import { describe, expect, it } from '@jest/globals'
import {
  type Breaker,
  forCall,
  healthOf,
  isClosed,
  isHalfOpen,
  isProbeOf,
  OPENS_AFTER,
  opening,
  TRUSTED,
} from '#shared/agents/rules/breaker.ts'
import { inTurns, ownerOf } from '#shared/backlog/rules/turns.ts'
import type { Call } from '#shared/calling/call.ts'
import { mayBeAskedYet, mayBeCancelled } from '#shared/calling/rules/dial/cancellable.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { NOON, sampleCall } from '#test/support/samples.ts'

const failed = (changes: Partial<Breaker> = {}): Breaker => ({ ...TRUSTED, failures: OPENS_AFTER, ...changes })
const news = { isProbe: false, failure: 'The provider answered 500.', now: NOON }

describe('the health of an agent', () => {
  it.each([
    ['failing', [301, 307, 401, 403, 404, 405, 408, 410, 429, 500, 502, 503, 504]],
    ['sound', [400, 402, 406, 415, 422, 451]],
    ['unsaid', [409, 425, 499]],
  ])('an agent is %s after one of these statuses: %j', (health, statuses) => {
    for (const status of statuses) expect([status, healthOf(status)]).toEqual([status, health])
  })
})

describe('a breaker', () => {
  it('a breaker opens with the fifth failure in a row, and says why', () => {
    expect(opening(failed({ failures: 4 }), news)).toBeUndefined()
    expect(opening(failed(), news)).toEqual({
      openings: 1,
      open_until: NOON + 30 * SECOND,
      reason: 'The provider answered 500. It has failed for 5 calls in a row.',
    })
  })

  it('a breaker ignores failures of calls that were under way when it opened', () => {
    expect(opening(failed({ failures: 9, openings: 1, open_until: NOON + SECOND }), news)).toBeUndefined()
  })

  it('a breaker is tested only by calls that were dialled as its probe since it opened last', () => {
    const open = failed({ openings: 2, opened_time: NOON })
    const probe = { verdicts: { capacity: 'PROBE' }, intent_time: NOON + SECOND }
    expect(isProbeOf(open, probe)).toBe(true)
    expect(isProbeOf(open, { ...probe, intent_time: NOON - SECOND })).toBe(false)
    expect(isProbeOf(open, { ...probe, verdicts: { capacity: 'LINE_FREE' } })).toBe(false)
    expect(isProbeOf(TRUSTED, probe)).toBe(false)
  })

  it('a breaker doubles its pause with each failed probe, up to ten minutes', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 1000].map(
      (openings) => ((opening(failed({ openings }), { ...news, isProbe: true })?.open_until ?? 0) - NOON) / SECOND,
    )
    expect(pauses).toEqual([60, 120, 240, 480, 600, 600, 600])
  })

  it('a breaker is half open once its pause is over, and at once for its own probe', () => {
    const open = failed({ openings: 1, open_until: NOON + 1, probe: '7-1' })
    expect([isHalfOpen(open, NOON), isHalfOpen(open, NOON + 1), isHalfOpen(TRUSTED, NOON)]).toEqual([false, true, false])
    expect([isHalfOpen(forCall(open, '7-1'), NOON), isHalfOpen(forCall(open, '7-2'), NOON)]).toEqual([true, false])
    expect([isClosed(open), isClosed(failed({ failures: 4 }))]).toEqual([false, true])
  })

  it('a breaker is closed until it first opens, however many failures it has, and opens with the next one', () => {
    expect([isClosed(failed({ failures: 7 })), isHalfOpen(failed({ failures: 7 }), NOON)]).toEqual([true, false])
    expect(opening(failed({ failures: 8 }), news)).toMatchObject({ openings: 1 })
  })
})

describe('turns', () => {
  it('turns take the first entry of every owner before any second one, up to a limit per owner', () => {
    const entries = [1, 1, 1, 1, 2, 1, 3, 2].map((owner, index) => ({ owner, index }))
    expect(inTurns(entries, 3, ownerOf).map(({ owner, index }) => `${owner}:${index}`)).toEqual(['1:0', '2:4', '3:6', '1:1', '2:7', '1:2'])
    expect(inTurns([], 3, ownerOf)).toEqual([])
  })
})

describe('the cancellation of a stopped call', () => {
  it.each<[string, Partial<Call>, number, boolean]>([
    ['is ringing', { asked_time: NOON, accepted_time: NOON }, 0, true],
    ['may be ringing, though nobody has confirmed it', { asked_time: NOON }, 45 * SECOND, true],
    ['was given up, and may be ringing', { asked_time: NOON, unknown_time: NOON }, 45 * SECOND, true],
    ['is in conversation', { accepted_time: NOON, answered_time: NOON }, 0, false],
    ['has ended', { accepted_time: NOON, ended_time: NOON }, 0, false],
    ['is completed', { accepted_time: NOON, completed_time: NOON }, 0, false],
    ['was refused', { refused_time: NOON }, 0, false],
    ['was cancelled', { accepted_time: NOON, cancel_asked_time: NOON }, 0, false],
    ['has rung for a minute', { accepted_time: NOON }, 60 * SECOND, false],
  ])('the cancellation of a stopped call depends on its state: the call %s', (_, changes, after, expected) => {
    expect(mayBeCancelled(sampleCall(changes), NOON + after)).toBe(expected)
  })

  it('the cancellation of a stopped call waits while the agent may still be asked to place it', () => {
    expect(mayBeAskedYet(sampleCall({ asked_time: NOON }), NOON + 29 * SECOND)).toBe(true)
    expect(mayBeAskedYet(sampleCall({ asked_time: NOON }), NOON + 30 * SECOND)).toBe(false)
    expect(mayBeAskedYet(sampleCall({ accepted_time: NOON }), NOON)).toBe(false)
    expect(mayBeAskedYet(sampleCall({ unknown_time: NOON }), NOON)).toBe(false)
  })
})
