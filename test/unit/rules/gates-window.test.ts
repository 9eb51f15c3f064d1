import { describe, expect, it } from '@jest/globals'
import { judge } from '#shared/calling/rules/gates/judge.ts'
import type { GateInputs } from '#shared/calling/rules/verdict.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { sampleLeadType, samplePolicy } from '#test/support/samples.ts'

const FLORIDA = { us_state: 'FL' }

const windowOf = (given: GateInputs) => judge(given).find(({ gate }) => gate === 'window')

describe('the window gate', () => {
  it('the window gate names the version of the calling rules for the law only, not for account hours', () => {
    const closed = { windows: null, holidays: 'none' as const, closed_dates: ['2026-11-20'] }
    const given = sampleInputs({ lead: FLORIDA, policy: samplePolicy({ account: closed }) })
    expect(windowOf(given)).toMatchObject({ passed: false, rule: 'account', citation: null })
    const open = sampleInputs({ lead: FLORIDA, policy: samplePolicy({ account: { ...closed, closed_dates: [] } }) })
    expect(windowOf(open)).toMatchObject({ passed: true, rule: 'federal, FL (calling rules of 2026-11-25), account' })
  })

  it('the window gate names the refusing rule, the reason, the local times and the version of the rules', () => {
    const given = sampleInputs({ lead: FLORIDA, now: Date.parse('2026-11-21T01:30:00Z') })
    expect(windowOf(given)).toEqual({
      gate: 'window',
      passed: false,
      code: 'OUTSIDE',
      detail: 'FL: Friday 2026-11-20 20:30 in America/New_York is outside 08:00-20:00.',
      inputs: {
        timezones: ['America/New_York'],
        timezone_source: 'timezone',
        local_times: { 'America/New_York': '2026-11-20T20:30:00.000000-05:00' },
        rules: [
          { rule: 'federal', from: null, until: null },
          { rule: 'FL', from: '2023-05-25', until: null },
        ],
        remarks: [],
        closed: [{ rule: 'FL', timezone: 'America/New_York', reason: 'OUTSIDE_HOURS' }],
      },
      rule: 'FL (calling rules of 2026-11-25)',
      citation: expect.stringContaining('Fla. Stat.'),
      next_time: Date.parse('2026-11-21T13:00:00Z'),
    })
    expect(windowOf(sampleInputs({ lead: FLORIDA }))).toMatchObject({
      passed: true,
      rule: 'federal, FL (calling rules of 2026-11-25)',
      citation: expect.stringMatching(/CFR.*Fla\. Stat\./),
    })
  })

  it('the window gate names each source once, also if two rules cite it', () => {
    const { citation } = windowOf(sampleInputs({ lead: { us_state: 'NY' } }))!
    const sources = citation!.split('; ')
    expect(sources).toContain('47 CFR 64.1200(c)(1)')
    expect(sources).toEqual([...new Set(sources)])
  })

  it.each<[string, GateInputs, string, RegExp]>([
    ['a holiday', sampleInputs({ lead: { us_state: 'AL' }, now: Date.parse('2026-11-26T18:00:00Z') }), 'HOLIDAY', /Thanksgiving/],
    [
      'a Sunday',
      sampleInputs({ lead: { us_state: 'AL' }, now: Date.parse('2026-11-22T18:00:00Z') }),
      'CLOSED_WEEKDAY',
      /no calls on a Sunday/,
    ],
    [
      'an emergency',
      sampleInputs({ lead: { us_state: 'NY' }, policy: samplePolicy({ emergencies: new Set(['NY']) }) }),
      'EMERGENCY',
      /emergency in NY.*No call may start within/,
    ],
    [
      'a number of no known place',
      sampleInputs({ lead: { phone_number: '+442071838750', metadata: {} }, leadType: sampleLeadType({ international: true }) }),
      'NO_LOCAL_TIME',
      /local time is not known/,
    ],
  ])('the window gate refuses and names the reason: %s', (_, given, reason, detail) => {
    const verdict = windowOf(given)
    expect(verdict).toMatchObject({ passed: false, detail: expect.stringMatching(detail), inputs: { closed: [{ reason }] } })
  })
})
