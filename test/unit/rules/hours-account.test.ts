import { describe, expect, it } from '@jest/globals'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { lastStart, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import { parseAccountHours } from './fixtures/account-hours.ts'
import { account, at, EAST, everyDay, hoursIn } from './fixtures/hours-in.ts'

describe('the hours of an account', () => {
  it('the hours of an account narrow the lawful window and never widen it', () => {
    const wide = hoursIn('America/Los_Angeles', ['CA'], account({ windows: everyDay(['00:00', '24:00']) }))
    const narrow = hoursIn('America/Los_Angeles', ['CA'], account({ windows: everyDay(['10:30', '17:15']) }))
    expect(nextStart(wide, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T17:00:00Z'))
    expect(lastStart(wide, at('2026-11-20T17:00:00Z'))).toBe(at('2026-11-21T04:58:59.999Z'))
    expect(nextStart(narrow, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T18:30:00Z'))
    expect(lastStart(narrow, at('2026-11-20T18:30:00Z'))).toBe(at('2026-11-21T01:13:59.999Z'))
  })

  it('the hours of an account close weekdays, holidays and dates in the local time of the person', () => {
    const windows = { ...everyDay(['08:00', '21:00']), wed: null }
    const hours = hoursIn(EAST, [], account({ windows, holidays: 'federal', closed_dates: ['2026-11-27', '2026-12-24'] }))
    const reason = (iso: string) => closedBecause(hours, at(iso)).map((closed) => [closed.rule, closed.reason])
    expect(reason('2026-11-24T17:00:00Z')).toEqual([])
    expect(reason('2026-11-25T17:00:00Z')).toEqual([['account', 'CLOSED_WEEKDAY']])
    expect(reason('2026-11-26T17:00:00Z')).toEqual([['account', 'HOLIDAY']])
    expect(reason('2026-11-27T17:00:00Z')).toEqual([['account', 'CLOSED_DATE']])
    expect(reason('2027-07-05T17:00:00Z')).toEqual([['account', 'HOLIDAY']])
    expect(nextStart(hours, at('2026-11-25T04:30:00Z'))).toBe(at('2026-11-28T13:00:00Z'))
    expect(nextStart(hours, at('2026-12-24T03:00:00Z'))).toBe(at('2026-12-26T13:00:00Z'))
  })

  it('the hours of an account may be closed for weeks and then open again', () => {
    const december = Array.from({ length: 31 }, (_, index) => `2026-12-${`${index + 1}`.padStart(2, '0')}`)
    const hours = hoursIn(EAST, ['ME'], account({ closed_dates: [...december, '2027-01-01'] }))
    expect(nextStart(hours, at('2026-11-30T22:00:00Z'))).toBe(at('2027-01-04T14:00:00Z'))
    // Open only on Fridays, and not on a holiday of the state.
    const fridays = hoursIn(EAST, ['PA'], account({ windows: { ...everyDay(null), fri: ['09:00', '19:00'] } }))
    expect(nextStart(fridays, at('2027-12-18T00:30:00Z'))).toBe(at('2028-01-07T14:00:00Z'))
  })

  it('the hours of an account may list single holidays', () => {
    const hours = hoursIn(EAST, [], account({ holidays: ['good-friday', 'new-years-day'] }))
    expect(mayStart(hours, at('2026-11-26T17:00:00Z'))).toBe(true)
    expect(mayStart(hours, at('2027-03-26T17:00:00Z'))).toBe(false)
    expect(mayStart(hours, at('2027-12-31T17:00:00Z'))).toBe(false)
  })

  it.each([
    ['all days', { windows: everyDay(null) }],
    ['Saturdays alone, where the law opens weekdays', { windows: { ...everyDay(null), sat: ['09:00', '17:00'] } }],
    ['an hour that is not lawful', { windows: everyDay(['06:00', '08:30']) }],
    ['one minute, which is the last', { windows: everyDay(['10:00', '10:01']) }],
  ])('the hours of an account may leave no window open: %s', (_, hours) => {
    const narrowed = hoursIn(EAST, ['ME'], account(hours))
    expect(nextStart(narrowed, at('2026-11-20T10:00:00Z'))).toBeNull()
    expect(closedBecause(narrowed, at('2026-11-20T15:00:00Z')).map(({ rule }) => rule)).toContain('account')
  })

  it.each([
    [{ windows: { mon: ['09:00', '17:00'] } }],
    [{ windows: { ...everyDay(null), someday: null } }],
    [{ windows: everyDay(['17:00', '09:00']) }],
    [{ windows: everyDay(['09:00', '09:00']) }],
    [{ windows: everyDay(['9:00', '17:00']) }],
    [{ windows: everyDay(['09:00', '24:01']) }],
    [{ windows: { ...everyDay(null), mon: ['09:00'] } }],
    [{ holidays: ['xmas'] }],
    [{ holidays: 'all' }],
    [{ closed_dates: ['2026-02-30'] }],
    [{ closed_dates: ['24.12.2026'] }],
    [{ closed_dates: '2026-12-24' }],
  ])('invalid hours of an account are refused: %j', (hours) => {
    expect(() => parseAccountHours(hours)).toThrow()
  })

  it('the hours of an account are the same after storage', () => {
    const once = parseAccountHours({ windows: everyDay(['09:00', '17:00']), holidays: ['christmas-day'] })
    expect(parseAccountHours(JSON.parse(JSON.stringify(once)))).toEqual(once)
    expect(parseAccountHours({})).toEqual({ windows: null, holidays: 'none', closed_dates: [] })
  })
})

describe('an emergency', () => {
  const emergencies = new Set(['LA', 'NY'])

  it('an emergency bars every call if it covers a jurisdiction of the lead', () => {
    const hours = hoursIn('America/Chicago', ['LA'], { emergencies })
    expect(nextStart(hours, at('2026-11-20T16:00:00Z'))).toBeNull()
    expect(closedBecause(hours, at('2026-11-20T16:00:00Z'))).toEqual([
      {
        rule: 'LA',
        citation: expect.stringContaining('R-29617'),
        zone: 'America/Chicago',
        reason: 'EMERGENCY',
        detail: 'A declared emergency in LA bars all calls.',
      },
    ])
    expect(nextStart(hoursIn('America/Chicago', ['TX', 'NY'], { emergencies }), at('2026-11-20T16:00:00Z'))).toBeNull()
  })

  it('an emergency bars the calls under each text of a state whose law changes', () => {
    const hours = hoursIn('America/Denver', ['UT'], { emergencies: new Set(['UT']) })
    for (const time of ['2026-03-02T18:00:00Z', '2026-11-20T18:00:00Z', '2027-03-01T18:00:00Z']) {
      expect(closedBecause(hours, at(time))).toEqual([expect.objectContaining({ rule: 'UT', reason: 'EMERGENCY' })])
    }
  })

  it('an emergency bars no call elsewhere', () => {
    expect(mayStart(hoursIn('America/Chicago', ['TX'], { emergencies }), at('2026-11-20T16:00:00Z'))).toBe(true)
  })
})

describe('the reasons of a refusal', () => {
  it('the reasons of a refusal name the rule, the local time and the missed window or holiday', () => {
    expect(closedBecause(hoursIn('America/Los_Angeles', ['CA']), at('2026-11-20T16:30:00Z'))).toEqual([
      {
        rule: 'CA',
        citation: 'Cal. Pub. Util. Code 2872(c); 47 CFR 64.1200(c)(1); 16 CFR 310.4(c)',
        zone: 'America/Los_Angeles',
        reason: 'OUTSIDE_HOURS',
        detail: 'Friday 2026-11-20 08:30 in America/Los_Angeles is outside 09:00-21:00.',
      },
    ])
    const detail = (code: string, iso: string) => closedBecause(hoursIn('America/Chicago', [code]), at(iso)).map((closed) => closed.detail)
    expect(detail('NE', '2026-11-26T16:00:00Z')).toEqual([
      'Thursday 2026-11-26 10:00 in America/Chicago is outside 13:00-21:00 on Thanksgiving Day.',
    ])
    expect(detail('LA', '2026-11-26T16:00:00Z')).toEqual([
      'Thursday 2026-11-26 10:00 in America/Chicago: there are no calls on Thanksgiving Day.',
    ])
    expect(detail('LA', '2026-11-22T16:00:00Z')).toEqual(['Sunday 2026-11-22 10:00 in America/Chicago: there are no calls on a Sunday.'])
    expect(detail('TX', '2026-11-21T02:59:30Z')).toEqual([
      'Friday 2026-11-20 20:59 in America/Chicago is the last minute of 08:00-21:00.',
      'Friday 2026-11-20 20:59 in America/Chicago is the last minute of 09:00-21:00.',
    ])
  })
})
