import { crc32 } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { newApiKey } from '#shared/accounts/api-key-store.ts'
import { apiKeyFrom, isWellFormedKey } from '#shared/accounts/rules/api-key.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Implemented again, independent of the service's code. */
const checksum = (text: string): string => {
  let [value, digits] = [crc32(text), '']
  for (let place = 0; place < 6; place++) {
    digits = DIGITS.charAt(value % 62) + digits
    value = Math.floor(value / 62)
  }
  return digits
}

const digit = fc.integer({ min: 0, max: 61 })
const drawn = fc.array(digit, { minLength: 32, maxLength: 32 })
const keyOf = (draws: readonly number[]) => {
  const left = draws.values()
  return apiKeyFrom(() => left.next().value!)
}

describe('API keys', () => {
  it('an API key consists of the prefix, 32 random characters and a checksum', () => {
    fc.assert(
      fc.property(drawn, (draws) => {
        const random = draws.map((draw) => DIGITS[draw]).join('')
        expect(keyOf(draws)).toBe(`lok_${random}${checksum(random)}`)
        expect(isWellFormedKey(keyOf(draws))).toBe(true)
      }),
    )
  })

  it('API keys use the same checksum as tokens that secret scanners know', () => {
    expect(checksum('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17')
    expect(keyOf(Array(32).fill(0))).toBe(`lok_${'0'.repeat(32)}${checksum('0'.repeat(32))}`)
  })

  it('API keys use all 62 characters and do not repeat', () => {
    const keys = Array.from({ length: 500 }, newApiKey)
    expect(new Set(keys).size).toBe(500)
    expect(keys.every((key) => /^lok_[0-9A-Za-z]{38}$/.test(key) && isWellFormedKey(key))).toBe(true)
    expect(new Set(keys.flatMap((key) => [...key.slice(4, 36)])).size).toBe(62)
  })

  it('an API key is refused when any one character differs', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 4, max: 41 }), digit, (draws, place, other) => {
        const key = keyOf(draws)
        fc.pre(key[place] !== DIGITS[other])
        expect(isWellFormedKey(key.slice(0, place) + DIGITS[other] + key.slice(place + 1))).toBe(false)
      }),
    )
  })

  it('an API key is refused when two neighbouring characters are swapped', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 4, max: 40 }), (draws, place) => {
        const key = keyOf(draws)
        fc.pre(key[place] !== key[place + 1])
        expect(isWellFormedKey(key.slice(0, place) + key[place + 1] + key[place] + key.slice(place + 2))).toBe(false)
      }),
    )
  })

  const KEY = newApiKey()
  it.each(['lok_', KEY.slice(0, -1), `${KEY}0`, `lok_${KEY}`, `${KEY}\n`, KEY.replace('lok_', 'lok_-')])(
    'a malformed API key is refused: %j',
    (text) => {
      expect(isWellFormedKey(text)).toBe(false)
    },
  )

  it.each(['', 'a-key', '0123456789abcdef0123456789abcdef01234567', 'LOK_x', 'lok'])(
    'an API key may lack the prefix, as older keys do: %j',
    (text) => {
      expect(isWellFormedKey(text)).toBe(true)
    },
  )
})
