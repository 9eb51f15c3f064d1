import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { OUTCOMES } from '#lib/console/calls/outcomes.ts'
import { callsAsked, callsPlace, mistakesIn, statisticsQuery } from '#lib/console/calls/period.ts'
import { texts } from '#lib/console/texts.ts'
import { faultOfPeriod } from '#shared/statistics/rules/period.ts'

const TODAY = '2026-03-01'

const days = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2024-12-31'), noInvalidDate: true })
  .map((date) => date.toJSON().slice(0, 10))
const askedFor = (place: string) => callsAsked(new URLSearchParams(place.split('?')[1]))

describe('the period of the calls in the console', () => {
  it('the period, the type, the source and the outcome of an address are those that were chosen, whatever the name of the source', () => {
    const filters = {
      leadType: fc.constantFrom('', '4'),
      source: fc.string({ unit: 'grapheme' }),
      outcome: fc.constantFrom(undefined, ...OUTCOMES),
    }
    const custom = fc.record({ choice: fc.constant('custom' as const), from: days, to: days, ...filters })
    const usual = fc.record({ choice: fc.constantFrom('1', '7', '30'), from: fc.constant(''), to: fc.constant(''), ...filters })
    fc.assert(fc.property(fc.oneof(custom, usual), (asked) => expect(askedFor(callsPlace(asked))).toEqual(asked)))
  })

  it('the period of a number of days ends today', () => {
    expect(statisticsQuery(askedFor('calls?days=1'), TODAY)).toEqual({ from: TODAY, to: TODAY })
    expect(statisticsQuery(askedFor('calls?days=7&lead_type=4'), TODAY)).toEqual({ from: '2026-02-23', to: TODAY, lead_type: 4 })
    expect(statisticsQuery(askedFor('calls?days=5&lead_source=A%26B'), TODAY)).toEqual({
      from: '2026-01-31',
      to: TODAY,
      lead_source: 'A&B',
    })
  })

  it('a custom period is refused exactly when the service refuses it, for the same end', () => {
    fc.assert(
      fc.property(days, days, (from, to) => {
        const fault = faultOfPeriod({ from, to })
        expect(Object.keys(mistakesIn(from, to))).toEqual(fault ? [fault.name] : [])
      }),
    )
    expect(mistakesIn('', TODAY)).toEqual({ from: texts.callsView.missing })
  })
})
