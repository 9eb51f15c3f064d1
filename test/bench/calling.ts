import { toZonedTime } from 'date-fns-tz'
import { hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { type Hours, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import type { CallingPolicy } from '#shared/calling/rules/policy.ts'
import { HOUR } from '#shared/platform/values/durations.ts'

/** Costs to decide about an instant and to find the next lawful one, as multiples of one conversion by date-fns-tz. */

const FROM = Date.parse('2026-11-20T16:00:00Z')
const RUNS = 10_000
const ROUNDS = 7

const policy: CallingPolicy = {
  defaultTimezone: 'America/New_York',
  defaultWindow: [14 * 60, 20 * 60],
  account: null,
  emergencies: new Set(),
  placeOfIp: () => undefined,
}
const weekdays = { windows: null, holidays: 'federal', closed_dates: ['2026-12-24'] } as const
const closed = { mon: null, tue: null, wed: null, thu: null, fri: null, sat: ['09:00', '17:00'] as [string, string], sun: null }

const place = (timezones: string[], jurisdictions: string[]) => ({ timezones, jurisdictions, isKnown: true, presumed: null })
const newYork = place(['America/New_York'], ['NY'])
const texas = place(['America/Chicago', 'America/Denver'], ['TX', 'FL'])
const account = { ...policy, account: { ...weekdays, closed_dates: [...weekdays.closed_dates] } }
const never = { ...policy, account: { ...account.account, windows: closed } }

/** Instants spread over three years, 7919 hours apart. */
const instant = (run: number): number => FROM + ((run * 7919) % 26_280) * HOUR

/** Microseconds in the fastest round: slower rounds measure other load on the machine. */
const cost = (run: (at: number) => unknown): number => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    for (let index = 0; index < RUNS; index++) run(instant(index))
    return ((performance.now() - started) / RUNS) * 1000
  })
  return Math.min(...rounds)
}

const of = (decide: (hours: readonly Hours[], at: number) => unknown, hours: readonly Hours[]) => (at: number) => decide(hours, at)

export interface CallingCost {
  readonly microseconds: number
  /** Time as a number of conversions by date-fns-tz. */
  readonly ratio: number
  /** Most allowed conversions. */
  readonly most: number
}

export const callingCosts = (): Record<string, CallingCost> => {
  const conversion = cost((at) => toZonedTime(at, 'America/New_York'))
  const row = (most: number, run: (at: number) => unknown): CallingCost => {
    const microseconds = cost(run)
    return { microseconds: Math.round(microseconds * 100) / 100, ratio: Math.round((microseconds / conversion) * 100) / 100, most }
  }
  return {
    'one conversion': { microseconds: Math.round(conversion * 100) / 100, ratio: 1, most: 1 },
    'decision, one zone': row(1, of(mayStart, hoursAt(newYork, policy))),
    'decision, two zones, two states, an account': row(1, of(mayStart, hoursAt(texas, account))),
    'next, one zone': row(5, of(nextStart, hoursAt(newYork, policy))),
    'next, two zones, two states, an account': row(5, of(nextStart, hoursAt(texas, account))),
    'next, its hours made first': row(5, (at) => nextStart(hoursAt(texas, account), at)),
    'next, of hours that an account narrows to nothing': row(5, of(nextStart, hoursAt(place(['America/New_York'], ['ME']), never))),
  }
}
