import { describe, expect, it } from '@jest/globals'
import { faultIn } from '#lib/console/webhooks/fault.ts'
import { FilterError } from '#shared/webhooks/rules/filter/filter-error.ts'
import { parseFilter } from '#shared/webhooks/rules/filter/parse.ts'

/** The mistake in a condition, as the console shows the message of the API. */
const faultOf = (condition: string) => {
  try {
    parseFilter(condition)
  } catch (error) {
    if (error instanceof FilterError) return faultIn(condition, [error.message])
  }
  return undefined
}

describe('the mistake in a filter condition', () => {
  it.each([
    ['status = 3', 1, 8, '='],
    ["us_state ==\n  'NY' && email", 2, 8, '&'],
    ["'🙂🙂' == a == b", 1, 11, '='],
    ["metadata.note == 'open", 1, 18, "'"],
    ['f(1)', 1, 1, 'f'],
    [`${'('.repeat(33)}a${')'.repeat(33)}`, 1, 33, '('],
    ["a == '\\q'", 1, 7, '\\'],
  ])('the mistake in %j is in line %d, column %d', (condition, line, column, mark) => {
    const found = faultOf(condition)
    expect(found).toMatchObject({ line, column, mark })
    expect(condition.slice(found?.start, found?.end)).toBe(mark)
  })

  it('the mistake is visible even if its character is not, or if something is missing at the end', () => {
    expect(faultOf('a\u202E == 1')).toMatchObject({ column: 2, mark: '\uFFFD', start: 1, end: 2 })
    expect(faultOf('status ==')).toMatchObject({ column: 10, mark: '\u00A0', start: 9, end: 9 })
  })

  it('the mistake in a long condition is shown with some text around it', () => {
    const condition = `${'a == 1 and '.repeat(20)}=${' and b == 2'.repeat(20)}`
    expect(faultOf(condition)).toMatchObject({
      column: 221,
      before: `…${'a == 1 and '.repeat(20).slice(-40)}`,
      mark: '=',
      after: `${' and b == 2'.repeat(20).slice(0, 40)}…`,
    })
  })

  it('the mistake has no place if the message names none, or one outside of the text', () => {
    expect(faultIn('a', ['Ensure this field has no more than 2000 characters.'])).toBeUndefined()
    expect(faultIn('a', ['Unexpected "b" at position 9.'])).toBeUndefined()
    expect(faultIn('a', [])).toBeUndefined()
  })
})
