import { describe, expect, it } from '@jest/globals'
import { HORIZON } from '#shared/calling/rules/hours/hours.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { changesTable } from '../../simulation/rules/changes-table.ts'
import { changesOfRules } from './fixtures/changes.ts'
import { RULES_TEXT } from './fixtures/rules-text.ts'

const CHANGES = changesOfRules()

/** Empty while the rules are young enough. `age`: in days. */
const warningAt = (age: number): string =>
  age > 90 ? `The calling rules are of ${RULES_TEXT.asOf}, ${age} days ago. Read them again.\n` : ''

describe('a change of the calling rules', () => {
  it('the calling rules have every change that the guides name', () => {
    expect(CHANGES.map(({ code, from }) => `${code} ${from}`)).toEqual([
      ...['PA 2019-12-03', 'FL 2021-07-01', 'WA 2022-06-09', 'OK 2022-11-01', 'FL 2023-05-25', 'WA 2023-07-23', 'CT 2023-10-01'],
      ...['NJ 2023-12-01', 'MD 2024-01-01', 'MS 2024-06-03', 'GA 2024-07-01', 'ME 2024-08-09', 'TX 2025-09-01', 'OR 2026-01-01'],
      ...['VA 2026-01-01', 'UT 2026-05-06', 'PA 2026-10-18', 'UT 2027-01-01'],
    ])
  })

  it('a change takes effect at local midnight, as a slow reading of the data has it', () => {
    const { lines, faults } = changesTable()
    expect(faults).toEqual([])
    expect(lines).toHaveLength(1 + CHANGES.flatMap(({ zones }) => zones).length)
  })

  it('all changes lie within the time for which calls are planned, so that no lead is held beyond one', () => {
    const future = CHANGES.filter(({ from }) => from > RULES_TEXT.asOf)
    expect(future.map(({ code }) => code)).toEqual(['UT'])
    expect(future.every(({ from }) => Date.parse(from) < Date.parse(RULES_TEXT.asOf) + HORIZON)).toBe(true)
  })

  it('warns when the calling rules are older than 90 days', () => {
    const age = Math.floor((Date.now() - Date.parse(RULES_TEXT.asOf)) / DAY)
    process.stderr.write(warningAt(age))
    expect(warningAt(90)).toBe('')
    expect(warningAt(91)).toBe(`The calling rules are of ${RULES_TEXT.asOf}, 91 days ago. Read them again.\n`)
  })
})
