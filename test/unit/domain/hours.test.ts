import { describe, expect, it } from '@jest/globals'
import { callingHours, hoursAt } from '#shared/domain/calling/calling-hours.ts'
import { closedBecause } from '#shared/domain/calling/closed-because.ts'
import { type Hours, lastStart, mayStart, nextStart } from '#shared/domain/calling/hours.ts'
import type { CallingPolicy } from '#shared/domain/calling/policy.ts'
import { OPEN } from '#shared/domain/calling/rules.ts'
import { parseAccountHours } from './fixtures/account-hours.ts'
import { POLICY, placeAt } from './fixtures/calling-data.ts'

const EAST = 'America/New_York'
const at = (iso: string) => Date.parse(iso)
const hoursIn = (zones: string | string[], codes: string[] = [], policy: Partial<CallingPolicy> = {}) =>
  hoursAt(placeAt([zones].flat(), codes), { ...POLICY, ...policy })

const everyDay = (window: [string, string] | null) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, window]))
const account = (hours: unknown) => ({ account: parseAccountHours(hours) })

describe('the federal window, 08:00 to 21:00 where the person is', () => {
  it.each([
    [EAST, '2026-11-20T12:59:59.999Z', false],
    [EAST, '2026-11-20T13:00:00.000Z', true],
    [EAST, '2026-11-21T01:58:59.999Z', true],
    [EAST, '2026-11-21T01:59:00.000Z', false],
    [EAST, '2026-11-21T02:00:00.000Z', false],
    ['America/Los_Angeles', '2026-11-20T15:59:59.000Z', false],
    ['America/Los_Angeles', '2026-11-20T16:00:00.000Z', true],
    ['America/Phoenix', '2026-07-01T15:00:00.000Z', true],
    ['America/Phoenix', '2026-07-01T14:59:59.000Z', false],
    ['Pacific/Honolulu', '2026-11-20T18:00:00.000Z', true],
    ['Pacific/Guam', '2026-11-20T22:00:00.000Z', true],
    ['America/St_Johns', '2026-11-20T11:30:00.000Z', true],
    ['America/St_Johns', '2026-11-20T11:29:59.000Z', false],
    ['Asia/Kathmandu', '2026-11-20T02:15:00.000Z', true],
    ['Asia/Kathmandu', '2026-11-20T02:14:59.999Z', false],
    // The day on which clocks go forward, and the one on which they go back.
    [EAST, '2026-03-08T12:00:00.000Z', true],
    [EAST, '2026-03-08T11:59:59.000Z', false],
    [EAST, '2026-11-01T13:00:00.000Z', true],
    [EAST, '2026-11-01T12:59:59.000Z', false],
    // The evening before: the offset is still the old one.
    ['America/Los_Angeles', '2026-11-01T03:58:59.000Z', true],
    ['America/Los_Angeles', '2026-11-01T04:30:00.000Z', false],
    ['America/Los_Angeles', '2026-03-08T04:30:00.000Z', true],
    ['America/Denver', '2026-11-01T03:30:00.000Z', false],
    ['Australia/Sydney', '2026-10-03T22:30:00.000Z', true],
  ])('%s at %s: %s', (zone, iso, lawful) => {
    expect(mayStart(hoursIn(zone), at(iso))).toBe(lawful)
  })

  it('says when a call may start next', () => {
    expect(nextStart(hoursIn(EAST), at('2026-11-20T08:00:00Z'))).toBe(at('2026-11-20T13:00:00Z'))
    expect(nextStart(hoursIn(EAST), at('2026-11-21T01:59:00Z'))).toBe(at('2026-11-21T13:00:00Z'))
    expect(nextStart(hoursIn(EAST), at('2026-10-31T23:59:00Z'))).toBe(at('2026-10-31T23:59:00Z'))
    // Late in the evening before the clocks go forward, and before that one.
    expect(nextStart(hoursIn(EAST), at('2026-03-07T04:00:00Z'))).toBe(at('2026-03-07T13:00:00Z'))
    expect(nextStart(hoursIn(EAST), at('2026-03-08T04:30:00Z'))).toBe(at('2026-03-08T12:00:00Z'))
  })

  it('says until when a call may start', () => {
    expect(lastStart(hoursIn(EAST), at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
    expect(lastStart(hoursIn(EAST, ['FL']), at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T00:58:59.999Z'))
    expect(lastStart(hoursIn(EAST), at('2026-11-21T02:00:00Z'))).toBe(at('2026-11-21T01:59:59.999Z'))
    expect(lastStart([], at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-20T15:59:59.999Z'))
  })
})

describe('several rows in several zones', () => {
  const texas = hoursIn(['America/Chicago', 'America/Denver'], ['TX', 'FL'])

  it('are every row by every clock', () => {
    expect(texas.map(({ zone, rule }) => `${zone} ${rule}`)).toEqual(
      ['America/Chicago', 'America/Denver'].flatMap((zone) => ['federal', 'TX', 'FL'].map((rule) => `${zone} ${rule}`)),
    )
  })

  it('are lawful where all are: from nine in the west to eight in the east', () => {
    expect(nextStart(texas, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T16:00:00Z'))
    expect(mayStart(texas, at('2026-11-20T15:59:59Z'))).toBe(false)
    expect(lastStart(texas, at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
    // On Sunday from noon in the west.
    expect(nextStart(texas, at('2026-11-22T10:00:00Z'))).toBe(at('2026-11-22T19:00:00Z'))
  })

  it('close on the holidays of each, by each clock', () => {
    const both = hoursIn([EAST, 'Pacific/Guam'], ['LA'])
    // Thanksgiving begins in Guam while it is Wednesday in the east, and ends there on Friday.
    expect(closedBecause(both, at('2026-11-25T22:30:00Z')).map(({ zone, reason }) => [zone, reason])).toEqual([['Pacific/Guam', 'HOLIDAY']])
    expect(mayStart(hoursIn(EAST, ['LA']), at('2026-11-25T22:30:00Z'))).toBe(true)
  })

  it('are never lawful when no hour is lawful everywhere', () => {
    const everywhere = hoursIn(['Pacific/Guam', 'America/New_York', 'Europe/London'])
    expect(nextStart(everywhere, at('2026-11-20T10:00:00Z'))).toBeNull()
  })
})

describe('where nothing tells the place', () => {
  const unknown = (policy: Partial<CallingPolicy> = {}, zones = [EAST], codes: string[] = []) =>
    hoursAt(placeAt(zones, codes, false), { ...POLICY, ...policy })

  it('is the narrow window of the default zone', () => {
    expect(mayStart(unknown(), at('2026-11-20T18:59:59Z'))).toBe(false)
    expect(mayStart(unknown(), at('2026-11-20T19:00:00Z'))).toBe(true)
    expect(mayStart(unknown(), at('2026-11-21T00:58:59Z'))).toBe(true)
    expect(mayStart(unknown(), at('2026-11-21T00:59:00Z'))).toBe(false)
    expect(closedBecause(unknown(), at('2026-11-20T18:59:59Z'))).toMatchObject([{ rule: 'default window', citation: null }])
  })

  it('cannot be widened beyond the federal window by the setting', () => {
    const hours = unknown({ defaultWindow: [0, 1440] })
    expect(nextStart(hours, at('2026-11-20T05:00:00Z'))).toBe(at('2026-11-20T13:00:00Z'))
  })

  it('is narrowed by the account, and by the row and zones of an area code', () => {
    const narrowed = unknown(account({ windows: everyDay(['09:00', '15:00']) }), [EAST, 'America/Los_Angeles'], ['OR'])
    // From 14:00 in the default zone, which is 11:00 in the west; until 15:00 in the east.
    expect(nextStart(narrowed, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T19:00:00Z'))
    expect(lastStart(narrowed, at('2026-11-20T19:00:00Z'))).toBe(at('2026-11-20T19:58:59.999Z'))
  })

  it('is never without any zone', () => {
    const hours = unknown({}, [])
    expect(hours).toEqual([])
    expect(mayStart(hours, at('2026-11-20T19:00:00Z'))).toBe(false)
    expect(nextStart(hours, at('2026-11-20T19:00:00Z'))).toBeNull()
    expect(closedBecause(hours, at('2026-11-20T19:00:00Z'))).toMatchObject([{ reason: 'NO_LOCAL_TIME', zone: null }])
  })
})

describe('an account', () => {
  it('narrows and never widens', () => {
    const wide = hoursIn('America/Los_Angeles', ['CA'], account({ windows: everyDay(['00:00', '24:00']) }))
    const narrow = hoursIn('America/Los_Angeles', ['CA'], account({ windows: everyDay(['10:30', '17:15']) }))
    expect(nextStart(wide, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T17:00:00Z'))
    expect(lastStart(wide, at('2026-11-20T17:00:00Z'))).toBe(at('2026-11-21T04:58:59.999Z'))
    expect(nextStart(narrow, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T18:30:00Z'))
    expect(lastStart(narrow, at('2026-11-20T18:30:00Z'))).toBe(at('2026-11-21T01:13:59.999Z'))
  })

  it('closes weekdays, holidays and dates, by the clock where the person is', () => {
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

  it('may close for long, and opens again', () => {
    const december = Array.from({ length: 31 }, (_, index) => `2026-12-${`${index + 1}`.padStart(2, '0')}`)
    const hours = hoursIn(EAST, ['ME'], account({ closed_dates: [...december, '2027-01-01'] }))
    expect(nextStart(hours, at('2026-11-30T22:00:00Z'))).toBe(at('2027-01-04T14:00:00Z'))
    // Open on the one day of the week that is left, when that is no holiday of the state.
    const fridays = hoursIn(EAST, ['PA'], account({ windows: { ...everyDay(null), fri: ['09:00', '19:00'] } }))
    expect(nextStart(fridays, at('2027-12-18T00:30:00Z'))).toBe(at('2028-01-07T14:00:00Z'))
  })

  it('names holidays one by one', () => {
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
  ])('may narrow the windows to nothing: %s', (_, hours) => {
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
  ])('is refused when it says %j', (hours) => {
    expect(() => parseAccountHours(hours)).toThrow()
  })

  it('is the same after it was stored', () => {
    const once = parseAccountHours({ windows: everyDay(['09:00', '17:00']), holidays: ['christmas-day'] })
    expect(parseAccountHours(JSON.parse(JSON.stringify(once)))).toEqual(once)
    expect(parseAccountHours({})).toEqual({ windows: null, holidays: 'none', closed_dates: [] })
  })
})

describe('an emergency', () => {
  const emergencies = new Set(['LA', 'NY'])

  it('bars every call where a jurisdiction of the lead is in it', () => {
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

  it('bars none elsewhere', () => {
    expect(mayStart(hoursIn('America/Chicago', ['TX'], { emergencies }), at('2026-11-20T16:00:00Z'))).toBe(true)
  })
})

describe('the reasons of a refusal', () => {
  it('name the rule, the local time and what it missed', () => {
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

describe('windows at the hour at which clocks are changed', () => {
  const nightly = (start: number, end: number, zone = EAST): Hours[] => [
    { ...OPEN, zone, rule: 'night', citation: null, week: Array.from({ length: 7 }, () => [start, end] as const) },
  ]

  it('end where the clocks leap over their end', () => {
    // From 01:00 to 02:30 on the night on which 02:00 is 03:00, at 07:00 UTC.
    const hours = nightly(60, 150)
    expect(lastStart(hours, at('2026-03-08T06:00:00Z'))).toBe(at('2026-03-08T06:58:59.999Z'))
    expect(mayStart(hours, at('2026-03-08T06:59:30Z'))).toBe(false)
    expect(closedBecause(hours, at('2026-03-08T06:59:30Z'))).toMatchObject([{ reason: 'LAST_MINUTE' }])
    expect(nextStart(hours, at('2026-03-08T06:59:30Z'))).toBe(at('2026-03-09T05:00:00Z'))
  })

  it('begin where the clocks leap over their start', () => {
    expect(nextStart(nightly(150, 240), at('2026-03-08T05:00:00Z'))).toBe(at('2026-03-08T07:00:00Z'))
  })

  it('are left out where the clocks leap over all of them', () => {
    expect(nextStart(nightly(130, 170), at('2026-03-08T05:00:00Z'))).toBe(at('2026-03-09T06:10:00Z'))
  })

  it('come twice where the clocks show them twice', () => {
    // From 01:15 to 01:45 on the night on which 02:00 is 01:00 again, at 06:00 UTC.
    const hours = nightly(75, 105)
    expect(nextStart(hours, at('2026-11-01T04:00:00Z'))).toBe(at('2026-11-01T05:15:00Z'))
    expect(lastStart(hours, at('2026-11-01T05:15:00Z'))).toBe(at('2026-11-01T05:43:59.999Z'))
    expect(nextStart(hours, at('2026-11-01T05:44:00Z'))).toBe(at('2026-11-01T06:15:00Z'))
    expect(nextStart(hours, at('2026-11-01T06:44:00Z'))).toBe(at('2026-11-02T06:15:00Z'))
  })

  it('go on where the clocks are put back inside them', () => {
    expect(lastStart(nightly(0, 180), at('2026-11-01T04:30:00Z'))).toBe(at('2026-11-01T07:58:59.999Z'))
  })
})

describe('the hours of a lead', () => {
  it('are those of its location', () => {
    const lead = { phone_number: '+14155550123', us_state: 'CA', metadata: { timezone: 'America/Los_Angeles' } }
    const { location, hours } = callingHours(lead, POLICY)
    expect(location.timezones).toEqual(['America/Los_Angeles'])
    expect(hours).toEqual(hoursAt(location, POLICY))
    expect(mayStart(hours, at('2026-11-20T18:00:00Z'))).toBe(true)
  })

  it('can be told from others as text', () => {
    const text = (policy: Partial<CallingPolicy>) => JSON.stringify(hoursIn(EAST, ['NY'], policy))
    const closed = account({ closed_dates: ['2026-12-24'] })
    expect(new Set([{}, { emergencies: new Set(['NY']) }, closed, account({ holidays: 'federal' }), account({})].map(text)).size).toBe(5)
    expect(text(closed)).toBe(text(account({ closed_dates: ['2026-12-24'] })))
  })
})
