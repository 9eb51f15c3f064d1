import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type NextFill, nextFill } from '#shared/backlog/rules/fill-turn.ts'
import { DAY, SECOND } from '#shared/platform/values/durations.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

/** The next fills of calls that end one after the other. Each sets `fill_time`. */
const turnsOf = (ends: readonly number[]): NextFill[] => {
  let fill_time: number | null = null
  return ends.map((at) => {
    const next = nextFill({ fill_time }, at, 0)
    if (next.kind !== 'queued') fill_time = next.fillTime
    return next
  })
}

describe('the turns to fill lines', () => {
  it('each of a few calls that end together sends one lead behind those under way, the sixth queues a message, and the others leave it to that', () => {
    const kinds = turnsOf(Array.from({ length: 8 }, () => NOW)).map((next) => (next.kind === 'send' ? next.underWay : next.kind))
    expect(kinds).toEqual([0, 1, 2, 3, 4, 'queue', 'queued', 'queued'])
  })

  it('in any second, calls that end at any times send at most eight leads and queue at most one message', () => {
    const ends = fc.array(fc.integer({ min: 0, max: 60 * SECOND }), { maxLength: 200 })
    fc.assert(
      fc.property(ends, (times) => {
        const sorted = times.map((time) => NOW + time).toSorted((one, other) => one - other)
        const turns = turnsOf(sorted).map((next, index) => ({ at: sorted[index]!, ...next }))
        for (const { at: from } of turns) {
          const within = turns.filter(({ at }) => at >= from && at < from + SECOND)
          expect(within.filter(({ kind }) => kind === 'send').length).toBeLessThanOrEqual(8)
          expect(within.filter(({ kind }) => kind === 'queue').length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('a queued message counts as lost after nine seconds', () => {
    const [queue, early, late] = [nextFill({ fill_time: NOW + 2 * SECOND }, NOW, 0), 8.9 * SECOND, 9.1 * SECOND]
    if (queue.kind !== 'queue') throw new Error(`The fill is of the kind ${queue.kind}.`)
    expect(nextFill({ fill_time: queue.fillTime }, NOW + early, 0).kind).toBe('queued')
    expect(nextFill({ fill_time: queue.fillTime }, NOW + late, 0).kind).not.toBe('queued')
  })

  it('a queued fill may have begun after the second by which the queue delays its message', () => {
    const fill_time = NOW + 12 * SECOND
    expect(nextFill({ fill_time }, NOW + SECOND - 1, 0)).toEqual({ kind: 'queued', mayHaveBegun: false })
    expect(nextFill({ fill_time }, NOW + SECOND, 0)).toEqual({ kind: 'queued', mayHaveBegun: true })
  })

  it('a fill time that no fill can have written, because the clock was set back, does not count', () => {
    expect(nextFill({ fill_time: NOW + DAY }, NOW, 0)).toMatchObject({ kind: 'send', underWay: 0 })
  })
})
