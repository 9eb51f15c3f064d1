import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { guarded, unguarded } from '#shared/uploads/rules/formula-guard.ts'

describe('the protection of reports against formulas', () => {
  it('the protection can be taken off again, so that the console shows what the file has', () => {
    const character = fc.constantFrom('=', '+', '-', '@', ';', '\t', '\r', '\n', ' ', '"', 'a', '1', '＝')
    fc.assert(fc.property(fc.string({ unit: character }), (text) => expect(unguarded(guarded(text))).toBe(text)))
    expect(guarded('=1+1')).toBe("'=1+1")
    expect(unguarded("Ann's - it's")).toBe("Ann's - it's")
  })
})
