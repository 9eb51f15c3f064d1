import { describe, expect, it } from '@jest/globals'
import { formPayload } from '#shared/ingestion/rules/form-payload.ts'
import { pathReader } from '#shared/ingestion/rules/path.ts'

describe('a path', () => {
  const payload = {
    a: { b: [{ c: 1 }, { c: 2 }], 'x.y': 3, length: 4 },
    'a.b': 'as it is called',
    list: ['p', 'q'],
    text: 'abc',
    none: null,
    ...JSON.parse('{"__proto__": {"d": 5}}'),
  }
  const hostile = JSON.parse('{"__proto__": {"d": 5}, "constructor": {"name": "c"}}')

  it.each([
    ['a.b[1].c', undefined],
    ['a.b', 'as it is called'],
    ['a[b][0][c]', 1],
    ['a[b].1.c', 2],
    ['a.length', 4],
    ['list[1]', 'q'],
    ['list.0', 'p'],
    ['list[-1]', undefined],
    ['list[01]', undefined],
    ['list.length', undefined],
    ['text.length', undefined],
    ['text[0]', undefined],
    ['none.a', undefined],
    ['toString', undefined],
    ['a.constructor', undefined],
    ['a..b', undefined],
    ['a[', undefined],
    ['', undefined],
  ])('a path of a mapping reads its value from the payload, or undefined: %s', (path, value) => {
    const { 'a.b': literal, ...rest } = payload
    expect(pathReader(path === 'a.b' ? payload : rest)(path)).toEqual(path === 'a.b[1].c' ? 2 : value)
    expect(literal).toBeDefined()
  })

  it('a path of a mapping reads hostile keys as data', () => {
    expect(pathReader(hostile)('__proto__.d')).toBe(5)
    expect(pathReader(hostile)('constructor.name')).toBe('c')
    expect(pathReader({})('__proto__.d')).toBeUndefined()
    expect(pathReader(hostile)('$')).toBe(hostile)
  })

  it.each([[[1]], ['x'], [null], [3]])('a path of a mapping reads undefined from a payload that is not an object: %j', (payload) => {
    expect(pathReader(payload)('a.b')).toBeUndefined()
  })
})

describe('a form', () => {
  it.each([
    [{ 'contact[phone]': '1', 'contact[name][first]': 'Ann' }, { contact: { phone: '1', name: { first: 'Ann' } } }],
    [{ 'contact.phone': '1' }, { contact: { phone: '1' } }],
    [{ 'items[0][id]': 'a', 'items[1][id]': 'b' }, { items: [{ id: 'a' }, { id: 'b' }] }],
    [{ 'tags[]': 'a' }, { tags: ['a'] }],
    [
      { a: '1', 'a[b]': '2' },
      { a: '1', 'a[b]': '2' },
    ],
    [
      { 'a[b]': '1', 'a[b][c]': '2', 'a.b': '3' },
      { a: { b: '1' }, 'a[b][c]': '2', 'a.b': '3' },
    ],
    [
      { 'Phone number?': '1', 'a[': '2', '': '3' },
      { 'Phone number?': '1', 'a[': '2', '': '3' },
    ],
  ])('a form is read into a payload: %j', (fields, payload) => {
    expect(formPayload(fields as Record<string, string>)).toEqual(payload)
  })

  it('a form is read safely whatever the depth and names of its fields', () => {
    const deep = `a${'[b]'.repeat(100_000)}`
    expect(formPayload({ [deep]: '1' })).toEqual({ [deep]: '1' })
    const hostile = formPayload(JSON.parse('{"__proto__[a]": "1"}'))
    expect(Object.keys(hostile)).toEqual(['__proto__'])
    expect(pathReader(hostile)('__proto__[a]')).toBe('1')
  })
})
