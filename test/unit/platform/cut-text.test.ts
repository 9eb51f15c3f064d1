import { describe, expect, it } from '@jest/globals'
import { cutText } from '#shared/platform/values/cut-text.ts'

describe('a cut text', () => {
  it('is the text itself when it is short enough', () => {
    expect(cutText('abc', 3)).toBe('abc')
  })

  it('says that the rest is cut off', () => {
    expect(cutText('abcd', 3)).toBe('abc…')
  })

  it('never ends with half a character', () => {
    expect(cutText('ab😀d', 3).isWellFormed()).toBe(true)
  })
})
