import { describe, expect, it } from '@jest/globals'
import { parseJson } from '#shared/http/json.ts'

/** Error messages as in Python 3.11. */
const COMPLAINTS: [text: string, complaint: string][] = [
  ['   ', 'Expecting value: line 1 column 4 (char 3)'],
  ['nul', 'Expecting value: line 1 column 1 (char 0)'],
  ['-', 'Expecting value: line 1 column 1 (char 0)'],
  ['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
  ['{"a":\n,}', 'Expecting value: line 2 column 1 (char 6)'],
  ['{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
  ['{a: 1}', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
  ['{"a":1,}', 'Expecting property name enclosed in double quotes: line 1 column 8 (char 7)'],
  ['{"a"', "Expecting ':' delimiter: line 1 column 5 (char 4)"],
  ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
  ['{"a":1', "Expecting ',' delimiter: line 1 column 7 (char 6)"],
  ['[1 2', "Expecting ',' delimiter: line 1 column 4 (char 3)"],
  ['["😀" 2]', "Expecting ',' delimiter: line 1 column 6 (char 5)"],
  ['[[], {}, [1}]', "Expecting ',' delimiter: line 1 column 12 (char 11)"],
  ['{"a":1} x', 'Extra data: line 1 column 9 (char 8)'],
  ['01', 'Extra data: line 1 column 2 (char 1)'],
  ['1.', 'Extra data: line 1 column 2 (char 1)'],
  ['"abc', 'Unterminated string starting at: line 1 column 1 (char 0)'],
  ['"abc\\', 'Unterminated string starting at: line 1 column 1 (char 0)'],
  ['"a\nb"', 'Invalid control character at: line 1 column 3 (char 2)'],
  ['"\\x"', 'Invalid \\escape: line 1 column 2 (char 1)'],
  ['"\\u12"', 'Invalid \\uXXXX escape: line 1 column 3 (char 2)'],
  ['{"a": NaN}', "Out of range float values are not JSON compliant: 'NaN'"],
  ['-Infinity', "Out of range float values are not JSON compliant: '-Infinity'"],
  ['\ufeff{}', 'Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)'],
]

describe('parsing JSON', () => {
  it.each(COMPLAINTS)('parsing JSON refuses %j: %s', (text, complaint) => {
    expect(() => parseJson(text)).toThrow(`JSON parse error - ${complaint}`)
  })

  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['[-9007199254740993, 9007199254740991]', ['-9007199254740993', 9007199254740991]],
    ['{"a": {"b": 1e400}}', { a: { b: '1e400' } }],
    ['[1e20, 0.12345678901234567890, "12345678901234567890"]', [1e20, 0.12345678901234568, '12345678901234567890']],
  ])('parsing JSON keeps the digits of %s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it('parsing JSON keeps __proto__ as an ordinary key', () => {
    const value = parseJson('{"__proto__": {"admin": true}, "n": 12345678901234567}')
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', { admin: true }],
      ['n', '12345678901234567'],
    ])
    expect(value).not.toHaveProperty('admin')
  })
})
