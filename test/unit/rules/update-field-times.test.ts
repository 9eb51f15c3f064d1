import { describe, expect, it } from '@jest/globals'
import { isKeyInDoubt, isKeySetSince, isSetSince, mayKeyBeSetAfter, withTimes } from '#shared/leads/rules/field-times.ts'

const names = (count: number, prefix = 'k') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const bytes = (value: unknown) => JSON.stringify(value).length

describe('field times', () => {
  it('field times settle updates accepted at or before them', () => {
    const field_times = withTimes({}, ['email'], [], '2')
    for (const [accepted, settled] of [
      ['1', true],
      ['2', true],
      ['3', false],
    ] as const)
      expect(isSetSince({ field_times }, 'email', accepted)).toBe(settled)
    expect(isSetSince({ field_times }, 'status', '1')).toBe(false)
  })

  it('field times never move back', () => {
    expect(withTimes({ email: '5', 'metadata.a': '5' }, ['email'], ['a'], '3')).toEqual({ email: '5', 'metadata.a': '5' })
  })

  it('field times distinguish the keys of the metadata', () => {
    const lead = { field_times: withTimes({}, [], ['a'], '2'), metadata: { a: 1, b: 2 } }
    expect(isKeySetSince(lead, 'a', '1')).toBe(true)
    expect(isKeySetSince(lead, 'b', '1')).toBe(false)
  })

  it('field times of too many metadata keys are dropped, and the keys stay in doubt until a later update', () => {
    const keys = names(10_000)
    const field_times = withTimes({ 'metadata.before': '1' }, [], keys, '2')
    expect(bytes(field_times)).toBeLessThan(10_000)
    const lead = { field_times, metadata: { k0: 1, before: 1 } }
    for (const key of ['k0', 'before']) {
      expect([isKeySetSince(lead, key, '1'), isKeyInDoubt(lead, key, '1')]).toEqual([false, true])
      expect([isKeySetSince(lead, key, '3'), isKeyInDoubt(lead, key, '3')]).toEqual([false, false])
    }
    expect([isKeySetSince(lead, 'k0', '2'), isKeyInDoubt(lead, 'k0', '2')]).toEqual([true, false])
    expect(isKeyInDoubt(lead, 'new', '1')).toBe(false)
  })

  it.each([
    ['a key as long as the metadata may be', ['x'.repeat(100_000)]],
    ['a key that is half a character', ['\ud800']],
    ['an empty key', ['']],
    ['keys of prototypes', ['__proto__', 'constructor']],
  ])('field times stay small with %s, and still settle it', (_, keys) => {
    const field_times = withTimes({ 'metadata.before': '1' }, [], keys, '2')
    expect(bytes(field_times)).toBeLessThan(10_000)
    const metadata = Object.fromEntries(keys.map((key) => [key, 1]))
    for (const key of keys) {
      expect(isKeySetSince({ field_times, metadata }, key, '1')).toBe(true)
      expect(isKeySetSince({ field_times, metadata }, key, '3')).toBe(false)
    }
    expect(isKeySetSince({ field_times, metadata }, 'new', '1')).toBe(false)
    expect(isKeyInDoubt({ field_times, metadata: { ...metadata, new: 1 } }, 'new', '1')).toBe(false)
  })

  it('field times stay small however often they are written', () => {
    let times = {}
    for (const [index, key] of names(1500).entries()) times = withTimes(times, [], [key], String(index).padStart(5, '0'))
    expect(Object.keys(times)).toHaveLength(1001)
    expect(times).toMatchObject({ 'metadata.k1499': '01499', metadata: '00499' })
  })

  it('field times that are no longer known keep a late report from replacing a value of a client', () => {
    const sequence = (at: number) => `${`${at}`.padStart(15, '0')}-0001`
    const field_times = withTimes(withTimes({}, [], ['first'], sequence(2000)), [], names(1100), sequence(3000))
    const lead = { field_times, metadata: Object.fromEntries(['first', ...names(1100)].map((key) => [key, 1])) }
    expect(mayKeyBeSetAfter(lead, 'first', 1000)).toBe(true)
    expect(mayKeyBeSetAfter(lead, 'first', 4000)).toBe(false)
    expect(mayKeyBeSetAfter({ ...lead, field_times: {} }, 'first', 1000)).toBe(false)
  })
})
