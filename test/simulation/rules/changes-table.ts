import { hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { lastStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { POLICY, placeAt } from '../../unit/rules/fixtures/calling-data.ts'
import { changesOfRules, clockAt, firstAndLast, minuteOf } from '../../unit/rules/fixtures/changes.ts'

/** The first and the last minute of a local day in which a call may start, as the service computes them. */
const ofService = (code: string, zone: string, date: string): string => {
  const hours = hoursAt(placeAt([zone], [code]), POLICY)
  const midnight = minuteOf(zone, date, 0)
  const first = nextStart(hours, midnight)
  if (first === null || first >= midnight + DAY) return 'none'
  return `${clockAt(zone, first)}-${clockAt(zone, lastStart(hours, first))}`
}

/** Each value once, in the order of the days. */
const summed = (values: readonly string[]): string => [...new Set(values)].join(', ')

/** The lawful minutes of the weeks before and after each change, by the service and by the slow reading. */
export const changesTable = (): { readonly lines: readonly string[]; readonly faults: readonly string[] } => {
  const rows = changesOfRules().flatMap(({ code, from, days }) =>
    days.map(({ zone, dates }) => {
      const [before, after] = [dates.filter((date) => date < from), dates.filter((date) => date >= from)]
      const service = [before, after].map((some) => some.map((date) => ofService(code, zone, date)))
      const slow = [before, after].map((some) => some.map((date) => firstAndLast(code, zone, date)))
      return { name: `${code} ${from} ${zone}`, service, slow, isSame: `${service}` === `${slow}` }
    }),
  )
  return {
    lines: [
      'First and last lawful minute, in the week before and in the week from the change:',
      ...rows.map(({ name, service, slow, isSame }) => {
        const [was, is] = service.map(summed)
        return `  ${name.padEnd(34)} ${was} | ${is}${isSame ? '' : `   BUT ${slow.map(summed).join(' | ')}`}`
      }),
    ],
    faults: rows.flatMap(({ name, service, slow, isSame }) => (isSame ? [] : `${name}: ${service} but ${slow}`)),
  }
}
