import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { fromZonedTime } from 'date-fns-tz'
import { callingRulesFiles, packRules } from '#lib/calling-rules/generate.ts'
import { attemptCapAt, hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { WEEKDAYS } from '#shared/calling/rules/calling-rules.ts'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { inForceAt, lastStart, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import { DATA_VERSION, FEDERAL, JURISDICTIONS } from '#shared/calling/rules/rules.ts'
import { CALLING_RULES } from '#shared/data/calling-rules.ts'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { US_STATES } from '#shared/platform/values/values.ts'
import { CODES, POLICY, placeAt, RULES, rowOf } from './fixtures/calling-data.ts'
import { LAWFUL_INSTANTS } from './fixtures/lawful-instants.ts'

const ZONE = 'America/Chicago'

/** Weeks from Sunday to Saturday without any holiday, in winter and in summer. */
const WEEKS = ['2026-11-15', '2027-08-15']

const local = (text: string, zone = ZONE) => fromZonedTime(text, zone).getTime()
/** By the clock of one zone. */
const hoursOf = (code: string, zone = ZONE) => hoursAt(placeAt([zone], [code]), POLICY).filter((hours) => hours.zone === zone)
const dayAfter = (date: string, days: number) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

const isClosedAllDay = (code: string, date: string): boolean => {
  const midnight = local(`${date}T00:00:00`)
  const next = nextStart(hoursOf(code), midnight)
  return next !== null && next >= midnight + DAY - MINUTE
}

/** Checks the first and the last lawful millisecond of a day. */
const expectWindow = (code: string, date: string, [start, end]: readonly [string, string]): void => {
  const hours = hoursOf(code)
  const [first, last] = [local(`${date}T${start}:00`), local(`${date}T${end}:00`) - MINUTE - 1]
  expect([first - 1, first, last, last + 1].map((at) => mayStart(hours, at))).toEqual([false, true, true, false])
  expect(nextStart(hours, local(`${date}T00:00:00`))).toBe(first)
  expect(lastStart(hours, first)).toBe(last)
}

describe('the calling rules', () => {
  it('the calling rules match the copy in the functions (npm run generate writes it)', () => {
    expect(CALLING_RULES).toEqual(packRules(RULES))
  })

  it('the generator of the calling rules writes the import line that the generated file has', () => {
    const imports = Object.entries(callingRulesFiles()).map(([path, text]) => [path, text.split('\n')[0]])
    expect(imports).toEqual(imports.map(([path]) => [path, readFileSync(`${path}`, 'utf8').split('\n')[0]]))
  })

  it('the calling rules have a row for every value of us_state', () => {
    expect([...JURISDICTIONS.keys()].toSorted()).toEqual([...US_STATES].toSorted())
    expect(CODES).toHaveLength(59)
  })

  it('the calling rules have the expected version, flags and federal citation', () => {
    const flagged = (flag: 'presumesAreaCodes' | 'isMailRegion') =>
      [...JURISDICTIONS].filter(([, laws]) => laws.at(-1)?.[flag]).map(([code]) => code)
    expect(DATA_VERSION).toBe('2026-11-25')
    expect(flagged('presumesAreaCodes').toSorted()).toEqual(['CT', 'FL', 'MD', 'OK', 'OR'])
    expect(flagged('isMailRegion').toSorted()).toEqual(['AA', 'AE', 'AP'])
    expect(FEDERAL.map(({ citation }) => citation)).toEqual(['47 CFR 64.1200(c)(1); 16 CFR 310.4(c)'])
  })
})

describe.each(CODES)('the row of %s', (code) => {
  it.each(WEEKS)('the calling rules of a state open and close to the minute on each day of the week of %s', (sunday) => {
    for (const [index, weekday] of WEEKDAYS.entries()) {
      const date = dayAfter(sunday, index)
      const window = rowOf(code, date).windows[weekday]
      if (window) expectWindow(code, date, window)
      else expect(isClosedAllDay(code, date)).toBe(true)
    }
  })

  it('the calling rules of a state keep its holidays, and no others', () => {
    const calendar = RULES.holidayCalendar[code] ?? {}
    for (let date = '2026-11-01'; date < '2028-12-31'; date = dayAfter(date, 1)) {
      const row = rowOf(code, date)
      const usual = row.windows[WEEKDAYS[new Date(date).getUTCDay()]!]
      const name = calendar[date]
      const [refusal] = closedBecause(hoursOf(code), local(`${date}T12:30:00`)).filter(({ rule }) => rule === code)
      if (usual === null || name === undefined) {
        const isOpen = usual !== null && usual[0] <= '12:30' && '12:30' < usual[1]
        expect(refusal?.reason).toBe(usual === null ? 'CLOSED_WEEKDAY' : isOpen ? undefined : 'OUTSIDE_HOURS')
      } else if (row.holidayWindow) {
        expectWindow(code, date, row.holidayWindow)
        expect(refusal?.detail).toContain(`on ${name}`)
      } else {
        expect(isClosedAllDay(code, date)).toBe(true)
        expect(refusal).toMatchObject({ reason: 'HOLIDAY', detail: expect.stringContaining(name) })
      }
    }
  })

  it('the calling rules of a state cap attempts as its data says, and name its citations', () => {
    const row = rowOf(code, '2026-11-20')
    const citation = row.citations.join('; ')
    const cap = row.maxAttemptsPer24h === null ? null : { max: row.maxAttemptsPer24h, rule: code, citation }
    const at = local('2026-11-20T12:00:00')
    expect(attemptCapAt(hoursOf(code), at)).toEqual(cap)
    expect(inForceAt(hoursOf(code), at).map(({ rule, citation: cited }) => [rule, cited])).toEqual([
      ['federal', RULES.federal[0]!.citations.join('; ')],
      [code, citation],
    ])
  })
})

describe('instants taken from the citations by hand', () => {
  it('at least sixty instants are taken from the citations by hand', () => expect(LAWFUL_INSTANTS.length).toBeGreaterThanOrEqual(60))

  it.each(LAWFUL_INSTANTS)('an instant is lawful or not as the cited law has it: %s %s %s: %s (%s)', (code, time, zone, lawful) => {
    const at = local(time, zone)
    const hours = hoursOf(code, zone)
    expect(mayStart(hours, at)).toBe(lawful)
    expect(nextStart(hours, at) === at).toBe(lawful)
    expect(closedBecause(hours, at).length === 0).toBe(lawful)
  })
})

describe('the attempt cap of several jurisdictions', () => {
  it('the attempt cap of several jurisdictions is the lowest one, or the first of equal ones', () => {
    const capIn = (...codes: string[]) => attemptCapAt(hoursAt(placeAt([ZONE], codes), POLICY), local('2026-11-20T12:00:00'))
    expect(capIn('TX', 'FL', 'ME', 'MD')).toMatchObject({ max: 1, rule: 'ME' })
    expect(capIn('MD', 'FL')).toMatchObject({ max: 3, rule: 'MD' })
    expect(capIn('TX', 'ZZ')).toBeNull()
  })
})
