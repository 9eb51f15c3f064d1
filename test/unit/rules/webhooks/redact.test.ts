import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { needlesOf } from '#shared/webhooks/rules/redact/needles.ts'
import { redact } from '#shared/webhooks/rules/redact/redact.ts'
import { charactersRead } from '#test/support/characters-read.ts'

/** Lengths of the longest answer that is searched, and of the longest headers. */
const ANSWER = 99_000
const HEADER = 8_000

const wordsOf = (count: number): string => Array.from({ length: count }, (_, number) => number.toString(36).padStart(4, 'q')).join(' ')

/** Few letters, so that needles overlap and occur in texts. */
const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 })
const needle = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 5 })

describe('needles in a text', () => {
  it('needles in a text are all found, the longest one at each end position', () => {
    fc.assert(
      fc.property(letters, fc.uniqueArray(needle, { maxLength: 8 }), (text, needles) => {
        const found: [number, number][] = []
        needlesOf(needles).eachIn(text, (from, to) => found.push([from, to]))
        const expected = Array.from(text, (_, at) => at + 1).flatMap((to) => {
          const [length = 0] = needles
            .filter((each) => text.slice(0, to).endsWith(each))
            .map((each) => each.length)
            .sort((a, b) => b - a)
          return length > 0 ? [[to - length, to]] : []
        })
        expect(found).toEqual(expected)
        expect([...needlesOf(needles).within(text)].sort()).toEqual(needles.filter((each) => text.includes(each)).sort())
      }),
    )
  })

  it('needles in a text are searched with one look at each character, however many and long they are', () => {
    for (const needles of [['a'], ['a'.repeat(HEADER)], wordsOf(1_600).split(' ')]) {
      let looks = 0
      const text = { length: ANSWER, charCodeAt: () => ++looks && 'a'.charCodeAt(0) }
      needlesOf(needles).eachIn(text, () => undefined)
      expect(looks).toBe(ANSWER)
    }
  })
})

describe('redaction of an answer that repeats header values', () => {
  it.each([
    ['1,600 short words', wordsOf(1_600), 'q'.repeat(ANSWER)],
    ['one long word that the answer begins everywhere', 'a'.repeat(HEADER), 'a'.repeat(ANSWER)],
    ['2,700 words too short to be looked for', wordsOf(2_700).replaceAll('q', ''), '#'.repeat(ANSWER)],
  ])('the redaction of an answer reads each character only a few times, even for %s', (_, value, answer) => {
    const looks = charactersRead(() => redact(answer, { 'X-Key': value }, true))
    expect(looks).toBeLessThan(20 * (answer.length + value.length))
  })

  it('the redaction of an answer replaces adjacent values separately and overlapping values as one', () => {
    expect(redact('<abcdabcd>', { a: 'abcd' }, true)).toBe('<[removed][removed]>')
    expect(redact('<abcabcab>', { a: 'abcabc' }, true)).toBe('<[removed]ab>')
    expect(redact('<abcabcabc>', { a: 'abcabc' }, true)).toBe('<[removed]>')
    expect(redact('<abcdef>', { a: 'abcd', b: 'cdef' }, true)).toBe('<[removed]>')
  })

  it('the redaction of an answer removes all of it if it holds a header name and its short value', () => {
    const headers = { 'X-Other': 'z9', 'X-Pin': '42' }
    expect(redact('HTTP_X_PIN=42', headers, true)).toBe('[removed: the answer repeats the header X-Pin]')
    expect(redact('X-Other: 42', headers, true)).toBe('X-Other: 42')
    expect(redact('x-pin: z9', headers, true)).toBe('x-pin: z9')
  })
})
