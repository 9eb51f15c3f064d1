import { describe, expect, it } from '@jest/globals'
import { readRegistryLine } from '#shared/registries/rules/line.ts'

const NUMBER = '+12125550100'

describe('a line of a registry', () => {
  it.each([
    '212,5550100',
    '212, 5550100',
    '2125550100',
    '212-555-0100',
    '(212) 555-0100',
    '212.555.0100',
    '+12125550100',
    '1-212-555-0100',
    '"212","5550100"',
    '"2125550100"',
  ])('a line of a full list has a number in one of the usual forms: %s', (line) => {
    expect(readRegistryLine(line)).toEqual({ phoneNumber: NUMBER, change: undefined })
  })

  it.each([
    ['212,5550100,2026-11-20,A', true],
    ['212,5550100,20261120,D', false],
    ['2125550100,11/20/2026,D', false],
    ['2125550100,11-20-2026,a', true],
    ['212,5550100,A,2026-11-20', true],
    ['"212","5550100","2026-11-20","D"', false],
  ])('a line of a list of changes has a number, a date, and A or D: %s', (line, isAdded) => {
    expect(readRegistryLine(line)).toEqual({ phoneNumber: NUMBER, change: { isAdded, day: '2026-11-20' } })
  })

  it.each([
    'phone number',
    '212555010',
    '21255501000',
    '212,555010',
    '212,5550100,',
    '212,5550100,A',
    '212,5550100,2026-11-20',
    '212,5550100,2026-02-30,A',
    '212,5550100,2026-11-20,X',
    '212,5550100,2026-11-20,A,B',
    '44 20 7946 0000',
  ])('a line of another form is not read: %s', (line) => {
    expect(readRegistryLine(line)).toBeUndefined()
  })
})
