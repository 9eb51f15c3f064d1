import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { nameOfState, zonesOfState } from '#shared/location/rules/state.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { zoneOffset } from '#shared/platform/values/zones.ts'
import { CODES, POLICY, RULES, rowOf } from './fixtures/calling-data.ts'

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const WINTER_AND_SUMMER = [Date.UTC(2027, 0, 13), Date.UTC(2027, 6, 14)]

/** Places with a day or an hour without calls on which the default window allows them. */
const uncovered = CODES.filter((code) => {
  const { windows } = rowOf(code, RULES.asOf)
  const shifts = zonesOfState(code).flatMap((zone) =>
    WINTER_AND_SUMMER.map((at) => (zoneOffset(zone, at) - zoneOffset(POLICY.defaultTimezone, at)) / MINUTE),
  )
  const [from, until] = POLICY.defaultWindow
  return Object.values(windows).some(
    (window) => window === null || shifts.some((shift) => from + shift < minutes(window[0]) || until + shift > minutes(window[1])),
  )
})

describe('the default window', () => {
  it('the guide names each state and territory whose hours the default window exceeds, and no other', () => {
    const guide = readFileSync('docs/when-a-phone-may-ring.md', 'utf8')
    const text = /\*\*The default window is wider[\s\S]*?\n\n(?!- )/.exec(guide)?.[0].replaceAll(/\s+/g, ' ') ?? ''
    const named = CODES.filter((code) => new RegExp(`(?<!West )\\b${nameOfState(code)}\\b`).test(text))
    expect(named.toSorted()).toEqual(uncovered.toSorted())
  })
})
