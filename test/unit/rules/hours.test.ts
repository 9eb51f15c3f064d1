import { describe, expect, it } from '@jest/globals'
import { callingHours, hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { type Hours, inForceAt, lastStart, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import type { CallingPolicy } from '#shared/calling/rules/policy.ts'
import { OPEN } from '#shared/calling/rules/rules.ts'
import { POLICY, placeAt } from './fixtures/calling-data.ts'
import { account, at, EAST, everyDay, hoursIn } from './fixtures/hours-in.ts'

describe('the federal window from 08:00 to 21:00 local time', () => {
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
    // The days on which clocks go forward and back.
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
  ])('the federal window from 08:00 to 21:00 allows a call in %s at %s: %s', (zone, iso, lawful) => {
    expect(mayStart(hoursIn(zone), at(iso))).toBe(lawful)
  })

  it('the federal window says when a call may start next', () => {
    expect(nextStart(hoursIn(EAST), at('2026-11-20T08:00:00Z'))).toBe(at('2026-11-20T13:00:00Z'))
    expect(nextStart(hoursIn(EAST), at('2026-11-21T01:59:00Z'))).toBe(at('2026-11-21T13:00:00Z'))
    expect(nextStart(hoursIn(EAST), at('2026-10-31T23:59:00Z'))).toBe(at('2026-10-31T23:59:00Z'))
    // Late on the two evenings before the day on which clocks go forward.
    expect(nextStart(hoursIn(EAST), at('2026-03-07T04:00:00Z'))).toBe(at('2026-03-07T13:00:00Z'))
    expect(nextStart(hoursIn(EAST), at('2026-03-08T04:30:00Z'))).toBe(at('2026-03-08T12:00:00Z'))
  })

  it('the federal window says until when a call may start', () => {
    expect(lastStart(hoursIn(EAST), at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
    expect(lastStart(hoursIn(EAST, ['FL']), at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T00:58:59.999Z'))
    expect(lastStart(hoursIn(EAST), at('2026-11-21T02:00:00Z'))).toBe(at('2026-11-21T01:59:59.999Z'))
    expect(lastStart([], at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-20T15:59:59.999Z'))
  })
})

describe('the rules of several jurisdictions in several zones', () => {
  const texas = hoursIn(['America/Chicago', 'America/Denver'], ['TX', 'FL'])

  it('the rules of several jurisdictions all apply in every zone', () => {
    expect(inForceAt(texas, at('2026-11-20T16:00:00Z')).map(({ zone, rule }) => `${zone} ${rule}`)).toEqual(
      ['America/Chicago', 'America/Denver'].flatMap((zone) => ['federal', 'TX', 'FL'].map((rule) => `${zone} ${rule}`)),
    )
  })

  it('several jurisdictions allow a call only when all do: from nine in the west to eight in the east', () => {
    expect(nextStart(texas, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T16:00:00Z'))
    expect(mayStart(texas, at('2026-11-20T15:59:59Z'))).toBe(false)
    expect(lastStart(texas, at('2026-11-20T16:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
    // On Sunday, from noon in the western zone.
    expect(nextStart(texas, at('2026-11-22T10:00:00Z'))).toBe(at('2026-11-22T19:00:00Z'))
  })

  it('several jurisdictions close on the holidays of each rule in each zone', () => {
    const both = hoursIn([EAST, 'Pacific/Guam'], ['LA'])
    // Thanksgiving begins in Guam while it is Wednesday in the east, and ends there on Friday.
    expect(closedBecause(both, at('2026-11-25T22:30:00Z')).map(({ zone, reason }) => [zone, reason])).toEqual([['Pacific/Guam', 'HOLIDAY']])
    expect(mayStart(hoursIn(EAST, ['LA']), at('2026-11-25T22:30:00Z'))).toBe(true)
  })

  it('several jurisdictions never allow a call when their windows do not overlap', () => {
    const everywhere = hoursIn(['Pacific/Guam', 'America/New_York', 'Europe/London'])
    expect(nextStart(everywhere, at('2026-11-20T10:00:00Z'))).toBeNull()
  })
})

describe('the window of an unknown place', () => {
  const unknown = (policy: Partial<CallingPolicy> = {}, zones = [EAST], codes: string[] = []) =>
    hoursAt(placeAt(zones, codes, false), { ...POLICY, ...policy })

  it('the window of an unknown place is narrow and in the default zone', () => {
    expect(mayStart(unknown(), at('2026-11-20T18:59:59Z'))).toBe(false)
    expect(mayStart(unknown(), at('2026-11-20T19:00:00Z'))).toBe(true)
    expect(mayStart(unknown(), at('2026-11-21T00:58:59Z'))).toBe(true)
    expect(mayStart(unknown(), at('2026-11-21T00:59:00Z'))).toBe(false)
    expect(closedBecause(unknown(), at('2026-11-20T18:59:59Z'))).toMatchObject([{ rule: 'default window', citation: null }])
  })

  it('the window of an unknown place stays inside the federal window, whatever the setting', () => {
    const hours = unknown({ defaultWindow: [0, 1440] })
    expect(nextStart(hours, at('2026-11-20T05:00:00Z'))).toBe(at('2026-11-20T13:00:00Z'))
  })

  it('the window of an unknown place is narrowed by the account and by the rules and zones of an area code', () => {
    const narrowed = unknown(account({ windows: everyDay(['09:00', '15:00']) }), [EAST, 'America/Los_Angeles'], ['OR'])
    // From 14:00 in the default zone, which is 11:00 in the west, until 15:00 in the east.
    expect(nextStart(narrowed, at('2026-11-20T10:00:00Z'))).toBe(at('2026-11-20T19:00:00Z'))
    expect(lastStart(narrowed, at('2026-11-20T19:00:00Z'))).toBe(at('2026-11-20T19:58:59.999Z'))
  })

  it('the window of an unknown place never opens without a time zone', () => {
    const hours = unknown({}, [])
    expect(hours).toEqual([])
    expect(mayStart(hours, at('2026-11-20T19:00:00Z'))).toBe(false)
    expect(nextStart(hours, at('2026-11-20T19:00:00Z'))).toBeNull()
    expect(closedBecause(hours, at('2026-11-20T19:00:00Z'))).toMatchObject([{ reason: 'NO_LOCAL_TIME', zone: null }])
  })
})

describe('windows at a clock change', () => {
  const nightly = (start: number, end: number, zone = EAST): Hours[] => [
    { ...OPEN, zone, rule: 'night', citation: null, week: Array.from({ length: 7 }, () => [start, end] as const) },
  ]

  it('a window ends when the clocks skip its end', () => {
    // From 01:00 to 02:30 on the night on which 02:00 is 03:00, at 07:00 UTC.
    const hours = nightly(60, 150)
    expect(lastStart(hours, at('2026-03-08T06:00:00Z'))).toBe(at('2026-03-08T06:58:59.999Z'))
    expect(mayStart(hours, at('2026-03-08T06:59:30Z'))).toBe(false)
    expect(closedBecause(hours, at('2026-03-08T06:59:30Z'))).toMatchObject([{ reason: 'LAST_MINUTE' }])
    expect(nextStart(hours, at('2026-03-08T06:59:30Z'))).toBe(at('2026-03-09T05:00:00Z'))
  })

  it('a window begins when the clocks skip its start', () => {
    expect(nextStart(nightly(150, 240), at('2026-03-08T05:00:00Z'))).toBe(at('2026-03-08T07:00:00Z'))
  })

  it('a window is dropped when the clocks skip all of it', () => {
    expect(nextStart(nightly(130, 170), at('2026-03-08T05:00:00Z'))).toBe(at('2026-03-09T06:10:00Z'))
  })

  it('a window opens twice when the clocks repeat it', () => {
    // From 01:15 to 01:45 on the night on which 02:00 is 01:00 again, at 06:00 UTC.
    const hours = nightly(75, 105)
    expect(nextStart(hours, at('2026-11-01T04:00:00Z'))).toBe(at('2026-11-01T05:15:00Z'))
    expect(lastStart(hours, at('2026-11-01T05:15:00Z'))).toBe(at('2026-11-01T05:43:59.999Z'))
    expect(nextStart(hours, at('2026-11-01T05:44:00Z'))).toBe(at('2026-11-01T06:15:00Z'))
    expect(nextStart(hours, at('2026-11-01T06:44:00Z'))).toBe(at('2026-11-02T06:15:00Z'))
  })

  it('a window stays open when the clocks go back inside it', () => {
    expect(lastStart(nightly(0, 180), at('2026-11-01T04:30:00Z'))).toBe(at('2026-11-01T07:58:59.999Z'))
  })
})

describe('the hours of a lead', () => {
  it('the hours of a lead follow its location', () => {
    const lead = { phone_number: '+14155550123', us_state: 'CA', metadata: { timezone: 'America/Los_Angeles' } }
    const { location, hours } = callingHours(lead, POLICY)
    expect(location.timezones).toEqual(['America/Los_Angeles'])
    expect(hours).toEqual(hoursAt(location, POLICY))
    expect(mayStart(hours, at('2026-11-20T18:00:00Z'))).toBe(true)
  })

  it('a lead of California who is elsewhere is called only inside the hours by the clock of California too', () => {
    const lead = { phone_number: '+14155550123', us_state: 'CA', metadata: { timezone: EAST } }
    const { hours } = callingHours(lead, POLICY)
    expect(nextStart(hours, at('2026-11-20T14:00:00Z'))).toBe(at('2026-11-20T17:00:00Z'))
    expect(closedBecause(hours, at('2026-11-20T14:00:00Z'))).toMatchObject([{ rule: 'CA', zone: 'America/Los_Angeles' }])
    expect(lastStart(hours, at('2026-11-20T17:00:00Z'))).toBe(at('2026-11-21T01:58:59.999Z'))
  })

  it('the hours of a lead have a JSON text that differs when the hours differ', () => {
    const text = (policy: Partial<CallingPolicy>) => JSON.stringify(hoursIn(EAST, ['NY'], policy))
    const closed = account({ closed_dates: ['2026-12-24'] })
    expect(new Set([{}, { emergencies: new Set(['NY']) }, closed, account({ holidays: 'federal' }), account({})].map(text)).size).toBe(5)
    expect(text(closed)).toBe(text(account({ closed_dates: ['2026-12-24'] })))
  })
})
