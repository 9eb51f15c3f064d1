import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addedUp, MOST_HOURS, NO_LEADS, previewedLeads, previewOf } from '#shared/calling/rules/preview.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { NOON } from '#test/support/samples.ts'

const at = (hours: number) => ({ time: NOON + hours * HOUR })

describe('a preview of calls', () => {
  it('a preview counts leads by the hour of their call, and by the gate that refuses them', () => {
    const prospects = [
      at(0),
      at(-1),
      { time: NOON + 90 * MINUTE },
      at(1),
      at(30),
      { gate: 'dnc' },
      { gate: 'status' },
      { gate: 'dnc' },
    ] as const
    expect(previewOf(prospects, NOON)).toEqual({
      callable_now: 2,
      by_hour: [
        { hour: NOON + HOUR, leads: 2 },
        { hour: NOON + 30 * HOUR, leads: 1 },
      ],
      later: 0,
      skipped: [
        { gate: 'status', leads: 1 },
        { gate: 'dnc', leads: 2 },
      ],
    })
  })

  it('a preview counts leads of late hours together, so that it stays small', () => {
    const preview = previewOf(
      Array.from({ length: 1000 }, (_, index) => at(1000 - index)),
      NOON,
    )
    expect(preview.by_hour).toHaveLength(MOST_HOURS)
    expect(preview).toMatchObject({ later: 1000 - MOST_HOURS, by_hour: { 0: { hour: NOON + HOUR } } })
  })

  it('the sum of previews does not depend on how their leads are divided', () => {
    const prospect = fc.oneof(
      fc.integer({ min: 0, max: 2 * MOST_HOURS }).map(at),
      fc.constantFrom({ gate: 'dnc' as const }, { gate: 'consent' as const }),
    )
    const leads = fc.array(prospect, { maxLength: 900, size: 'max' })
    fc.assert(
      fc.property(leads, fc.array(fc.nat({ max: 900 })), (prospects, cuts) => {
        const ends = [...cuts, prospects.length].sort((a, b) => a - b)
        let sum = NO_LEADS
        for (const [index, end] of ends.entries()) sum = addedUp([sum, previewOf(prospects.slice(ends[index - 1] ?? 0, end), NOON)])
        expect(sum).toEqual(previewOf(prospects, NOON))
        expect(previewedLeads(sum)).toBe(prospects.length)
      }),
    )
  })
})
