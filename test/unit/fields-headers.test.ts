import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { headersField } from '#shared/http/fields/headers.ts'

const read = (value: unknown) => v.safeParse(headersField(), value)
const messages = (value: unknown) => read(value).issues?.map(({ message }) => message)

const many = (count: number, value = 'x') => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index + 10}`, value]))

describe('headers of a subscription', () => {
  it.each([
    [{}, {}],
    [{ Authorization: 'Bearer a.b=' }, { Authorization: 'Bearer a.b=' }],
    [{ 'X-Blank': ' a b ' }, { 'X-Blank': 'a b' }],
    [{ 'X-Number': 5 }, { 'X-Number': '5' }],
    [
      { 'Content-Type': 'application/cloudevents+json', 'User-Agent': 'us' },
      { 'Content-Type': 'application/cloudevents+json', 'User-Agent': 'us' },
    ],
    [{ "!#$%&'*+-.^_`|~09azAZ": 'é' }, { "!#$%&'*+-.^_`|~09azAZ": 'é' }],
    [JSON.parse('{"__proto__": "x", "constructor": "y"}'), JSON.parse('{"__proto__": "x", "constructor": "y"}')],
  ])('the headers of a subscription may be %j', (sent, taken) => {
    const { output } = read(sent)
    expect(JSON.stringify(output)).toBe(JSON.stringify(taken))
  })

  it('the headers of a subscription may be 50 in number or 8 KiB in size', () => {
    expect(read(many(50)).success).toBe(true)
    expect(read({ X: 'x'.repeat(8191) }).success).toBe(true)
  })

  it.each<[string, unknown, string[]]>([
    ['null', null, ['This field may not be null.']],
    ['text', 'X: y', ['Expected a dictionary of items but got type "str".']],
    ['a list', [['X', 'y']], ['Expected a dictionary of items but got type "list".']],
    ['51 of them', many(51), ['Ensure this field has no more than 50 headers.']],
    ['more than 8 KiB', { X: 'x'.repeat(8192) }, ['Ensure this field has no more than 8192 bytes of names and values.']],
    [
      'names far beyond 8 KiB, which are not repeated',
      Object.fromEntries(Object.entries(many(50, '\n')).map(([name, value]) => [name + 'x'.repeat(80_000), value])),
      ['Ensure this field has no more than 8192 bytes of names and values.'],
    ],
    ['a null value', { X: null }, ['X: This field may not be null.']],
    ['a boolean', { X: true }, ['X: Not a valid string.']],
    ['a list as value', { X: ['y'] }, ['X: Not a valid string.']],
    ['a dictionary as value', { X: {} }, ['X: Not a valid string.']],
    ['a blank value', { X: ' ' }, ['X: This field may not be blank.']],
    ['a name in two cases', { 'X-A': '1', 'x-a': '2' }, ['x-a: This header is given twice.']],
  ])('the headers of a subscription are refused: %s', (_, sent, expected) => {
    expect(messages(sent)).toEqual(expected)
  })

  it.each(['', ' ', 'X Y', 'X:', 'X\r\nY', 'X\n', ' X', 'X ', 'Ü', 'X(1)', 'X,Y', '"X"', 'X/Y', 'X\0', '😀'])(
    'the headers of a subscription may not have the name %j',
    (name) => {
      expect(messages({ [name]: 'secret' })).toEqual([`"${name}" is not a valid header name.`])
    },
  )

  it.each([
    ...['Host', 'host', 'Content-Length', 'Content-Encoding', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Upgrade', 'TE', 'Trailer'],
    ...['Expect', 'Proxy-Authorization', 'Proxy-Connection', 'HTTP2-Settings', 'webhook-id', 'Webhook-Timestamp', 'WEBHOOK-SIGNATURE'],
  ])('the headers of a subscription may not include %s', (name) => {
    expect(messages({ [name]: 'x' })).toEqual([`${name}: This header may not be set.`])
  })

  it.each(['a\r\nHost: evil', 'a\nb', 'a\rb', 'a\0b', 'a\tb', 'a\x7fb', 'a\x85b', 'a\u2028b', 'ключ', '😀', 'a\ud800'])(
    'the headers of a subscription may not have the value %j, which the message does not repeat',
    (value) => {
      expect(messages({ X: value })).toEqual(['X: Only printable characters of Latin-1 are allowed.'])
    },
  )

  it('the headers of a subscription get all their problems reported at once', () => {
    expect(messages({ Host: 'x', 'a b': 'y', X: true, Y: 'good' })).toEqual([
      'Host: This header may not be set.',
      '"a b" is not a valid header name.',
      'X: Not a valid string.',
    ])
  })
})
