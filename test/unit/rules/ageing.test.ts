import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { callingTimes } from '#shared/calling/rules/dial/calling-times.ts'
import { explain } from '#shared/calling/rules/dial/explain.ts'
import { prospectOf } from '#shared/calling/rules/explain/prospect.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'

type Use = NonNullable<ReturnType<typeof sampleLeadType>['registries']>

const RELATIONSHIP: Use = { lists: ['national'], exemption: 'relationship', relationship_field: 'bought', relationship_days: 90 }
const obeying = (use: Partial<Use> = {}) => sampleLeadType({ registries: { ...RELATIONSHIP, exemption: 'none', ...use } })
const checking = (max_age_days = 31) =>
  sampleLeadType({ reassigned_numbers: { where: 'everywhere', date_field: 'agreed', creation_counts: false, max_age_days } })

const list = (as_of: string, isListed = false) => [{ list: 'national', as_of, isListed, area_codes: null }]
const metadata = { timezone: 'America/New_York', agreed: '2026-06-10', bought: '2026-09-01' }
const said = (asked_on: string) => [{ date: '2026-06-10', answer: 'no' as const, asked_on }]

/** A list of 1 November is too old from the first millisecond after 31 days. */
const LIST_ENDS = Date.parse('2026-12-02T00:00:00.001Z')
const fresh = { leadType: obeying(), registries: list('2026-11-01') }
const startingAt = (time: string, inputs: object = fresh) =>
  sampleInputs({ ...inputs, lead: { metadata, call_schedule_start_time: Date.parse(time) } })

const someInputs = fc
  .record({
    isRegistry: fc.boolean(),
    age: fc.integer({ min: 0, max: 33 }),
    longest: fc.integer({ min: 1, max: 31 }),
    exempt: fc.boolean(),
  })
  .map(({ isRegistry, age, longest, exempt }) => {
    const day = dayOf(NOON - age * DAY)
    const lead = { metadata: { ...metadata, bought: dayOf(NOON - (59 + age) * DAY) } }
    const registries = list(exempt ? '2026-11-20' : day, exempt)
    return isRegistry
      ? sampleInputs({ lead, registries, leadType: obeying(exempt ? RELATIONSHIP : {}) })
      : sampleInputs({ lead, leadType: checking(longest), reassigned: said(day) })
  })

describe('a promise of a time at which a list or an answer will be too old', () => {
  it('a lead whose list will be too old at its start has no next callable time, and the gate says why', () => {
    const { callable, nextCallableTime, verdicts } = explain(startingAt('2026-12-30T18:00:00Z'), NOON)
    expect({ callable, nextCallableTime }).toEqual({ callable: false, nextCallableTime: null })
    expect(verdicts.find(({ gate }) => gate === 'registry')).toMatchObject({
      passed: true,
      detail:
        'The phone is not on the do-not-call list national of 2026-11-01. At 2026-12-30T18:00:00.000000+00:00, the gate will refuse: The do-not-call list national of 2026-11-01 is older than 31 days.',
    })
    expect(explain(startingAt('2026-12-01T18:00:00Z'), NOON).nextCallableTime).toBe(Date.parse('2026-12-01T18:00:00Z'))
  })

  it('a lead whose answer will be too old at its start has no next callable time', () => {
    const answered = { leadType: checking(), reassigned: said('2026-11-18') }
    expect(explain(startingAt('2026-12-15T18:00:00Z', answered), NOON).nextCallableTime).toBeNull()
    expect(explain(startingAt('2026-12-14T18:00:00Z', answered), NOON).nextCallableTime).toBe(Date.parse('2026-12-14T18:00:00Z'))
  })

  it('a preview counts a lead whose list will be too old at its start under the gate', () => {
    expect(prospectOf(startingAt('2026-12-30T18:00:00Z'))).toEqual({ gate: 'registry' })
    expect(prospectOf(startingAt('2026-12-01T18:00:00Z'))).toEqual({ time: Date.parse('2026-12-01T18:00:00Z') })
  })

  it('calling times end when the list is too old, and name the gate, the time and the reason', () => {
    const { times, refusedLater, blockedBy } = callingTimes(sampleInputs({ ...fresh, lead: { metadata } }), NOON, NOON + 20 * DAY)
    expect(times.at(-1)).toEqual({ from: Date.parse('2026-12-01T08:00:00-05:00'), until: LIST_ENDS })
    expect(blockedBy).toBeUndefined()
    expect(refusedLater).toMatchObject({ time: LIST_ENDS, verdict: { gate: 'registry', code: 'TOO_OLD' } })
  })

  it('calling times of a lead that a list refuses now only say what the clock allows', () => {
    const listed = sampleInputs({ lead: { metadata }, leadType: obeying(), registries: list('2026-11-01', true) })
    const { times, refusedLater, blockedBy } = callingTimes(listed, NOON, NOON + HOUR)
    expect({ times, refusedLater }).toEqual({ times: [{ from: NOON, until: NOON + HOUR }], refusedLater: undefined })
    expect(blockedBy).toMatchObject({ gate: 'registry' })
  })

  it('calling times hold exactly the instants at which lists, exemptions and answers let a call start', () => {
    const offsets = fc.array(fc.integer({ min: 0, max: 31 * DAY - 1 }), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(someInputs, offsets, (inputs, distances) => {
        const { times, refusedLater, blockedBy } = callingTimes(inputs, NOON, NOON + 31 * DAY)
        if (blockedBy) return
        const edges = times.flatMap(({ from, until }) => [from, until - 1, until])
        const end = refusedLater ? [refusedLater.time - 1, refusedLater.time] : []
        for (const at of [...distances.map((distance) => NOON + distance), ...edges, ...end].filter((one) => one < NOON + 31 * DAY)) {
          const isInside = times.some(({ from, until }) => from <= at && at < until)
          expect({ at, isInside }).toEqual({ at, isInside: explain(inputs, at).callable })
          const { nextCallableTime } = explain(inputs, at)
          if (nextCallableTime !== null) expect(explain(inputs, nextCallableTime).callable).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })
})
