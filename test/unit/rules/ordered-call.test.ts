import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import { explain } from '#shared/calling/rules/dial/explain.ts'
import { orderedCall } from '#shared/calling/rules/dial/ordered-call.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType, samplePolicy } from '#test/support/samples.ts'

const DAY = 24 * HOUR

const { phone, lines } = sampleInputs()
const USE = { lists: ['national'], exemption: 'none' as const, relationship_field: null, relationship_days: 540 }
const OBEYING = sampleLeadType({ consent_field: null, registries: USE })
const SCHEDULED = { next_call_time_reason: 'SCHEDULED', due_list: 'CALL', held_by: null, promised_time: null }

describe('a call that a client orders', () => {
  it.each<[string, Parameters<typeof sampleInputs>[0], number | null, number, string | RegExp]>([
    ['at its time', {}, NOON + HOUR, NOON + HOUR, 'The call is scheduled for 2026-11-20T17:00:00.000000+00:00.'],
    ['now, when no time is named', {}, null, NOON, 'The call is scheduled for now.'],
    [
      'in the morning, when it was to be in the night',
      {},
      NOON + 12 * HOUR,
      NOON + 21 * HOUR,
      /first possible time after .* federal: .* is outside 08:00-21:00/,
    ],
    ['in the morning, when it is night', { now: NOON + 12 * HOUR }, null, NOON + 21 * HOUR, /next time that is available.*outside/],
    [
      'not before calling may start',
      { lead: { call_schedule_start_time: NOON + 2 * HOUR } },
      NOON + HOUR,
      NOON + 2 * HOUR,
      /does not start before/,
    ],
    [
      'when the law’s cap of a day allows it',
      { lead: { us_state: 'FL' }, phone: { ...phone, attempts: [NOON - HOUR, NOON - 2 * HOUR, NOON - 3 * HOUR] } },
      NOON + HOUR,
      NOON + 21 * HOUR,
      /3 of at most 3 attempts/,
    ],
    [
      'although its do-not-call list will be too old by then, and says so',
      { leadType: OBEYING, registries: [{ list: 'national', as_of: '2026-11-01', isListed: false, area_codes: null }] },
      NOON + 15 * DAY,
      NOON + 15 * DAY,
      /the gate registry will refuse it then: The do-not-call list national of 2026-11-01 is older than 31 days\.$/,
    ],
    ['although the phone is busy', { phone: { ...phone, current_call: '9-1' } }, NOON, NOON, /scheduled/],
    ['although all lines are busy', { lines: { ...lines, calls: new Set(['1-1', '2-1']) } }, NOON, NOON, /scheduled/],
    ['although its agent is not asked for a while', { breaker: { ...TRUSTED, open_until: NOON + HOUR } }, NOON, NOON, /scheduled/],
    ['in place of a call that was promised', { lead: { promised_time: NOON + DAY, next_call_time: NOON + DAY } }, NOON, NOON, /scheduled/],
    ['of a lead that waits', { lead: { due_list: 'HELD', held_by: 'simulator' } }, NOON + HOUR, NOON + HOUR, /scheduled/],
  ])('a call that a client orders is scheduled %s', (_, changes, wanted, expected, detail) => {
    const ordered = orderedCall(sampleInputs(changes), wanted)
    expect(ordered.next).toEqual({ next_call_time: expected, ...SCHEDULED })
    expect(ordered.detail).toMatch(detail)
  })

  it.each<[string, Parameters<typeof sampleInputs>[0], RegExp]>([
    ['a terminal status', { lead: { status: 'CLOSED' } }, /status CLOSED/],
    ['a cancelled lead', { lead: { status: 'CANCELLED' } }, /status CANCELLED/],
    ['a pause', { lines: { ...lines, paused: true } }, /paused outbound calls/],
    ['a pause of the leads that were there', { lines: { ...lines, paused_upto: 1 } }, /that existed then/],
    ['a stop on the lead', { lead: { call_dnc: true } }, /must not be called/],
    ['a stop on the phone', { phone: { ...phone, call_dnc: true } }, /must not be called/],
    ['the list of litigators', { isLitigator: true }, /litigators/],
    ['a missing lead type', { leadType: undefined }, /no lead type/],
    ['missing consent', { leadType: sampleLeadType({ consent_field: 'proof' }) }, /no proof of consent/],
    ['the cadence’s end', { lead: { round_attempts: 8 } }, /8 of at most 8/],
    ['the cadence’s end, though a call was promised', { lead: { round_attempts: 8, promised_time: NOON + DAY } }, /8 of at most 8/],
    ['an emergency', { lead: { us_state: 'LA' }, policy: samplePolicy({ emergencies: new Set(['LA']) }) }, /emergency in LA/],
    ['a call in progress', { lead: { current_call: '7-1' }, phone: { ...phone, current_call: '7-1' } }, /in progress/],
  ])('a call that a client orders is refused for %s', (_, changes, detail) => {
    for (const wanted of [null, NOON + HOUR]) {
      const ordered = orderedCall(sampleInputs(changes), wanted)
      expect(ordered).toEqual({ next: undefined, detail: expect.stringMatching(detail) })
      expect(ordered.detail).toMatch(/^Not scheduled\. /)
    }
  })

  it('a call that a client orders is refused after the year 9999', () => {
    expect(orderedCall(sampleInputs(), Date.parse('9999-12-31T23:59:59Z') + HOUR * 3).next).toBeUndefined()
  })

  it('a call that a client orders is scheduled at the first callable instant from the requested time', () => {
    const wishes = fc.integer({ min: 0, max: 60 * DAY }).map((distance) => NOON + distance)
    const leads = fc.record({
      us_state: fc.constantFrom('FL', 'AL', 'TX', 'PA', null),
      call_schedule_start_time: fc.option(wishes),
    })
    fc.assert(
      fc.property(leads, fc.option(wishes), (lead, wanted) => {
        const inputs = sampleInputs({ lead })
        const at = orderedCall(inputs, wanted).next?.next_call_time
        expect(at).toBe(explain(inputs, wanted ?? NOON).nextCallableTime)
        expect(at).toBeGreaterThanOrEqual(Math.max(wanted ?? NOON, lead.call_schedule_start_time ?? 0))
      }),
      { numRuns: 300 },
    )
  })
})
