import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { forOwner, noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { type BusyPace, grownPace, newBusyPace, slowedPace } from '#shared/platform/table/busy-pace.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { stoppedMachineClock } from '#test/support/machine-clock.ts'

const LIMITS = { start: 30, least: 0.5, most: 200, kept: 0 }
const START: BusyPace = { rate: LIMITS.start, threshold: Number.POSITIVE_INFINITY, changedAt: 0, fellAt: Number.NEGATIVE_INFINITY }

/** The rates of the seconds that follow. `r`: the table was too busy. */
const rates = (seconds: string, limits = LIMITS): number[] => {
  let pace = START
  return [...seconds].map((second, index) => {
    pace = (second === 'r' ? slowedPace : grownPace)(pace, limits, (index + 1) * SECOND)
    return pace.rate
  })
}

describe('the pace of a process', () => {
  it('the pace doubles each second up to the most, while the table is not too busy', () => {
    expect(rates('....')).toEqual([60, 120, 200, 200])
  })

  it('the pace falls to the least when the table is too busy, and doubles up to half of the rate that was too high', () => {
    expect(rates('.r........')).toEqual([60, 0.5, 1, 2, 4, 8, 16, 30, 32, 34])
  })

  it('the pace stays at the least while the table is too busy, and does not forget the rate that was too high', () => {
    expect(rates('.rrr........')).toEqual([60, 0.5, 0.5, 0.5, 1, 2, 4, 8, 16, 30, 32, 34])
  })

  it('the pace of work that keeps half of its rate is halved once a second while the table is too busy', () => {
    expect(rates('..rr...', { ...LIMITS, kept: 0.5 })).toEqual([60, 120, 60, 30, 32, 34, 36])
    const fallen = slowedPace(START, { ...LIMITS, kept: 0.5 }, SECOND)
    expect(slowedPace(fallen, { ...LIMITS, kept: 0.5 }, 1.5 * SECOND)).toEqual({ ...fallen, changedAt: 1.5 * SECOND })
  })

  it('the pace grows for each second in which a process was idle', () => {
    const fallen = slowedPace(START, LIMITS, SECOND)
    expect(grownPace(fallen, LIMITS, 5.5 * SECOND)).toEqual({ ...fallen, rate: 8, changedAt: 5 * SECOND })
    expect(grownPace(fallen, LIMITS, 1000 * SECOND).rate).toBe(LIMITS.most)
  })

  it('the pace follows a clock that is set back', () => {
    const fallen = slowedPace(START, LIMITS, 3600 * SECOND)
    const later = grownPace(fallen, LIMITS, 10 * SECOND)
    expect(grownPace(later, LIMITS, 12 * SECOND).rate).toBe(2)
    expect(slowedPace({ ...later, rate: 8 }, LIMITS, 12 * SECOND).rate).toBe(LIMITS.least)
  })

  it('the pace does not change within a second without a refusal', () => {
    expect(grownPace(START, LIMITS, SECOND - 1)).toEqual(START)
  })

  it('the pace is never below the least or above the most, whatever the table answers', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('r', '.'), { maxLength: 100 }), (seconds) => {
        for (const rate of rates(seconds.join(''))) {
          expect(rate).toBeGreaterThanOrEqual(LIMITS.least)
          expect(rate).toBeLessThanOrEqual(LIMITS.most)
        }
      }),
    )
  })
})

describe('the turns of a process', () => {
  /** How many of many turns come within a second. */
  const inSecond = async (takeTurn: ReturnType<typeof newBusyPace>): Promise<number> => {
    const until = Date.now() + SECOND
    const turns = await Promise.all(Array.from({ length: 300 }, () => takeTurn(until)))
    return turns.filter((hasTurn) => hasTurn).length
  }

  it('the turns of a second are no more than the most, and a quarter of that after a pause', async () => {
    const taken = await inSecond(newBusyPace({ start: 100, least: 1, most: 100, kept: 0 }))
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThanOrEqual(127)
  })

  it('the turns nearly stop after the table was too busy, and are given again after a pause', async () => {
    const takeTurn = newBusyPace({ start: 100, least: 0.1, most: 100, kept: 0 })
    noteBusyAnswer()
    expect(await inSecond(takeTurn)).toBeLessThanOrEqual(1)
  })

  it('an old refusal does not delay a turn', async () => {
    const takeTurn = newBusyPace({ start: 4, least: 0.5, most: 4, kept: 0 })
    noteBusyAnswer()
    await sleep(5 * SECOND)
    // If it counted from now on, a turn would take two seconds.
    for (let turn = 0; turn < 2; turn++) expect(await takeTurn(Date.now() + 1.5 * SECOND)).toBe(true)
  })

  it('the turns of all nearly stop after the table was too busy for two owners within a second', async () => {
    const takeTurn = newBusyPace({ start: 100, least: 0.1, most: 100, kept: 0 })
    forOwner(1, noteBusyAnswer)
    forOwner(2, noteBusyAnswer)
    expect(await forOwner(3, () => inSecond(takeTurn))).toBeLessThanOrEqual(1)
  })

  it('an owner with many waiting turns hardly delays the turn of another', async () => {
    const takeTurn = newBusyPace({ start: 10, least: 0.1, most: 10, kept: 0 })
    const given: number[] = []
    const take = (owner: number) => forOwner(owner, () => takeTurn(Date.now() + 60 * SECOND)).then(() => given.push(owner))
    await Promise.all([...Array.from({ length: 20 }, () => take(1)), take(2)])
    expect(given.indexOf(2)).toBeLessThanOrEqual(2)
  })
})

describe('the turns of owners on a stopped clock', () => {
  const pass = stoppedMachineClock()

  it('the turns of one owner nearly stop after the table was too busy for this owner alone, and those of others do not wait', async () => {
    const takeTurn = newBusyPace({ start: 100, least: 0.1, most: 100, kept: 0 })
    pass(2 * SECOND)
    for (let answer = 0; answer < 3; answer++) forOwner(1, noteBusyAnswer)
    const given: string[] = []
    const take = async (name: string) => void ((await takeTurn(Date.now() + 30 * SECOND)) && given.push(name))
    const turns = Array.from({ length: 8 }, () => [forOwner(1, () => take('slowed')), forOwner(2, () => take('other')), take('nobody')])
    // Turns that need not wait are given before this.
    await setImmediate()
    const count = (name: string) => given.filter((each) => each === name).length
    expect(['slowed', 'other', 'nobody'].map(count)).toEqual([1, 8, 8])
    pass(60 * SECOND)
    await Promise.all(turns.flat())
    expect(given).toHaveLength(17)
  })
})
