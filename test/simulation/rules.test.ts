import { describe, expect, it } from '@jest/globals'
import { mayStart } from '#shared/calling/rules/hours/hours.ts'
import { changesTable } from './rules/changes-table.ts'
import { compareMany } from './rules/compare.ts'

describe('the simulation of calling rules', () => {
  it('the simulation of calling rules finds no difference between the service and a slow reading of the data', () => {
    const { faults, lawful, planned } = compareMany(5000, 2)
    expect(faults).toEqual([])
    expect(lawful).toBeGreaterThan(1000)
    expect(planned).toBeGreaterThan(1000)
  })

  it('the simulation of calling rules finds a service that always applies the newest text', () => {
    const { faults } = compareMany(5000, 2, (hours, at) => {
      const newest = hours.filter(({ until }) => until === Number.POSITIVE_INFINITY)
      return mayStart(
        newest.map((rule) => ({ ...rule, from: Number.NEGATIVE_INFINITY })),
        at,
      )
    })
    expect(faults.length).toBeGreaterThan(0)
  })

  it('the simulation of calling rules prints the lawful minutes around each change', () => {
    const { lines, faults } = changesTable()
    expect(faults).toEqual([])
    expect(lines.join('\n')).toMatch(/PA 2026-10-18 America\/New_York +.*08:00-20:58.* \| .*09:00-18:58/)
    expect(lines.join('\n')).toMatch(/FL 2021-07-01 America\/Chicago +08:00-20:58 \| 08:00-19:58/)
  })
})
