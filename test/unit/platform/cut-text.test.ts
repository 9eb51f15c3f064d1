import { describe, expect, it } from '@jest/globals'
import { cutText } from '#shared/platform/values/cut-text.ts'

describe('a cut text', () => {
  it('a cut text is the text itself when it is short enough', () => {
    expect(cutText('abc', 3)).toBe('abc')
  })

  it('a cut text says that the rest is cut off', () => {
    expect(cutText('abcd', 3)).toBe('abc…')
  })

  it('a cut text never ends with half a character', () => {
    expect(cutText('ab😀d', 3).isWellFormed()).toBe(true)
  })
})
