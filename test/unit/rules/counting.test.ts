import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  attemptName,
  COUNTED_ATTEMPTS,
  COUNTED_OUTCOMES,
  callsName,
  contactsName,
  parseAttribute,
} from '#shared/statistics/rules/counted.ts'
import { groupForTransactions } from '#shared/statistics/rules/group-for-transactions.ts'
import { daysOf, faultOfPeriod, LONGEST_PERIOD, periodAsked } from '#shared/statistics/rules/period.ts'
import { countedSource, sourceName } from '#shared/statistics/rules/source-name.ts'
import { NOON } from '#test/support/samples.ts'

describe('counting', () => {
  it('counting gives every hour, outcome and attempt an attribute of its own, in an item of less than 2 KB', () => {
    const names = [
      ...Array.from({ length: 24 }, (_, hour) => [...COUNTED_OUTCOMES.map((each) => callsName(hour, each)), contactsName(hour)]).flat(),
      ...Array.from({ length: COUNTED_ATTEMPTS }, (_, index) => attemptName(index + 1)),
    ]
    expect(new Set(names).size).toBe(24 * (COUNTED_OUTCOMES.length + 1) + COUNTED_ATTEMPTS)
    expect(parseAttribute(attemptName(9))).toEqual({ kind: 'attempts', attempt: 9 })
    expect(parseAttribute(attemptName(11))).toEqual({ kind: 'attempts', attempt: COUNTED_ATTEMPTS })
    expect(parseAttribute('h13t')).toEqual({ kind: 'calls', hour: 13, outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER' })
    expect(parseAttribute('pk')).toBeUndefined()
    // A number up to 9,999 takes three bytes in DynamoDB, in the busiest hours only.
    expect(names.join('').length + 2 * names.length).toBeLessThan(2048)
  })

  it('counting puts records together in their order, and never has more writes than a transaction takes', () => {
    const record = fc.record({
      items: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }).map((items) => new Set(items)),
    })
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), fc.integer({ min: 4, max: 12 }), (records, most) => {
        const groups = groupForTransactions(records, most)
        expect(groups.flat()).toEqual(records)
        for (const group of groups) {
          const items = new Set(group.flatMap((each) => [...each.items]))
          expect(group.length + items.size).toBeLessThanOrEqual(most)
        }
      }),
    )
  })

  it('counting names a lead source without spaces around it, and names no half characters', () => {
    expect(sourceName('  web ')).toBe('web')
    expect(sourceName(`${'x'.repeat(59)}😀`).isWellFormed()).toBe(true)
    expect(countedSource('web', new Set(['web']))).toBe('web')
    expect(countedSource('fair', new Set(['web']))).toBe('(other)')
    expect(countedSource('', new Set())).toBe('')
  })
})

describe('a period', () => {
  it('a period without an end ends today, and without a beginning it has 30 days', () => {
    expect(periodAsked({}, NOON)).toEqual({ from: '2026-10-22', to: '2026-11-20' })
    expect(daysOf(periodAsked({ to: '2028-03-01' }, NOON))).toHaveLength(30)
    expect(daysOf({ from: '2028-02-28', to: '2028-03-01' })).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
  })

  it('a period has at least one day, and at most a quarter of a year', () => {
    expect(LONGEST_PERIOD).toBe(92)
    expect(faultOfPeriod({ from: '2028-07-01', to: '2028-09-30' })).toBeUndefined()
    expect(faultOfPeriod({ from: '2028-07-01', to: '2028-10-01' })).toMatchObject({ name: 'from' })
    expect(faultOfPeriod({ from: '2028-01-02', to: '2028-01-01' })).toMatchObject({ name: 'to' })
  })
})
