import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { booleanField, choiceField, choicesField } from '#shared/http/fields/choice.ts'
import { dateTimeField } from '#shared/http/fields/date-time.ts'
import { Dictionary, fieldErrors, fields } from '#shared/http/fields/field.ts'
import { metadataField } from '#shared/http/fields/metadata.ts'
import { idField, integerField } from '#shared/http/fields/number.ts'
import { charField } from '#shared/http/fields/text.ts'
import { testFields } from '#test/support/field-cases.ts'

const NULL = 'This field may not be null.'
const NO_INTEGER = 'A valid integer is required. …'
const NO_BOOLEAN = 'Must be a valid boolean. …'
const NO_DATE = 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]. …'
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

testFields([
  [
    'integerField',
    integerField({ min: 0, max: 30 }),
    [
      [0, 0],
      [12, 12],
      ['12', 12],
      [' +12 ', 12],
      [12.0, 12],
      ['12.0', 12],
      ['1_2', 12],
      ['3.', 3],
    ],
    [
      [null, NULL],
      ['', NO_INTEGER],
      ['a', NO_INTEGER],
      [1.5, NO_INTEGER],
      ['1.5', NO_INTEGER],
      ['0x1', NO_INTEGER],
      ['1e1', NO_INTEGER],
      [true, NO_INTEGER],
      [[1], NO_INTEGER],
      [{}, NO_INTEGER],
      ['1'.repeat(1001), 'String value too large.'],
      [-1, 'Ensure this value is greater than or equal to 0.'],
      ['31', 'Ensure this value is less than or equal to 30.'],
      ['1'.repeat(1000), 'Ensure this value is less than or equal to 30.'],
    ],
  ],
  [
    'idField',
    idField(),
    [
      [1, 1],
      ['2147483647', 2147483647],
    ],
    [
      [null, NULL],
      [9e9, 'Invalid pk "9000000000" - object does not exist.'],
      ['-1', 'Invalid pk "-1" - object does not exist.'],
      ['x', 'Incorrect type. Expected pk value, received str. You sent "x".'],
      [1.5, 'Incorrect type. Expected pk value, received float. You sent 1.5.'],
      [true, 'Incorrect type. Expected pk value, received bool. You sent true.'],
      [[1], 'Incorrect type. Expected pk value, received list.'],
      [{}, 'Incorrect type. Expected pk value, received dict.'],
    ],
  ],
  [
    'booleanField',
    booleanField(),
    [
      ...[true, 1, '1', 't', 'T', 'true', 'True', 'TRUE', 'tRuE', 'y', 'yes', 'on', 'ON'].map((value): [unknown, unknown] => [value, true]),
      ...[false, 0, '0', 'f', 'false', 'False', 'n', 'no', 'off', 'Off'].map((value): [unknown, unknown] => [value, false]),
    ],
    [
      [null, NULL],
      ['', NO_BOOLEAN],
      ['maybe', NO_BOOLEAN],
      [2, NO_BOOLEAN],
      [[], NO_BOOLEAN],
      [{}, NO_BOOLEAN],
      [['true'], NO_BOOLEAN],
    ],
  ],
  [
    'choiceField',
    choiceField(['A', 'B']),
    [
      ['A', 'A'],
      ['B', 'B'],
    ],
    [
      [null, NULL],
      ['', '"" is not a valid choice. …'],
      ['a', '"a" is not a valid choice. …'],
      ['A ', '"A " is not a valid choice. …'],
      [1, '"1" is not a valid choice. …'],
      [true, '"True" is not a valid choice. …'],
      [['A', null, "it's", 'x"\n'], `"['A', None, "it's", 'x"\\n']" is not a valid choice. …`],
      [{ a: { b: [1.5] } }, `"{'a': {'b': [1.5]}}" is not a valid choice. …`],
      ['x'.repeat(1001), `"${'x'.repeat(1000)}…" is not a valid choice. …`],
    ],
  ],
  [
    'choicesField',
    choicesField(['A', 'B']),
    [
      [
        ['A', 'B'],
        ['A', 'B'],
      ],
      ['A', ['A']],
      [
        ['B', 'A', 'B'],
        ['B', 'A'],
      ],
    ],
    [
      [null, NULL],
      [1, 'Expected a list of items but got type "int".'],
      [{ A: 1 }, 'Expected a list of items but got type "dict".'],
      [[], 'This list may not be empty.'],
      ['', '"" is not a valid choice. …'],
      [['A', 'X', 'Y', 'X'], '"X" is not a valid choice. …', '"Y" is not a valid choice. …'],
      [[null], '"None" is not a valid choice. …'],
    ],
  ],
  [
    'dateTimeField',
    dateTimeField(),
    [
      ...[
        '2026-11-20T16:00:00Z',
        '2026-11-20T16:00',
        '2026-11-20 16:00:00',
        '2026-11-20T11:00:00-05:00',
        '2026-11-20T11:00-0500',
        '2026-11-20T21:30:00.000+05:30',
      ].map((text): [unknown, unknown] => [text, Date.parse('2026-11-20T16:00:00Z')]),
      ['2026-11-20T16:00:00.123999Z', Date.parse('2026-11-20T16:00:00.123Z')],
      ['2026-11-20', Date.parse('2026-11-20T00:00:00Z')],
      ['2026-11-20T16', Date.parse('2026-11-20T16:00:00Z')],
      ['2026-11-20T16+01:00', Date.parse('2026-11-20T15:00:00Z')],
      ['2024-02-29T00:00', Date.parse('2024-02-29T00:00:00Z')],
      ['0001-01-01T00:00Z', Date.parse('0001-01-01T00:00:00Z')],
    ],
    [
      [null, NULL],
      ...['', 'now', '2026-11', '2026-02-29T00:00', '2026-13-01T00:00', '2026-11-20T24:00', '2026-11-20T16:60', '2026-11-20T16:00:60'].map(
        (text): [unknown, string] => [text, NO_DATE],
      ),
      ...['2026-11-20T16:00+24:00', '0000-01-01T00:00', '2026-11-20T16:00z', '20261120T1600', 0, 1795190400, true, [], {}].map(
        (value): [unknown, string] => [value, NO_DATE],
      ),
      ['0001-01-01T00:00+01:00', 'Datetime value out of range. You sent "0001-01-01T00:00+01:00".'],
      ['9999-12-31T23:59-01:00', 'Datetime value out of range. You sent "9999-12-31T23:59-01:00".'],
    ],
  ],
  [
    'metadataField',
    metadataField(),
    [
      [{}, {}],
      [{ a: [1, { b: null }], phone_number: 1, email: 2, lead_source: 3, external_id: 4, created_at: 5 }, { a: [1, { b: null }] }],
      [nested(20), nested(20)],
      [{ a: 'x'.repeat(100 * 1024 - 8) }, { a: 'x'.repeat(100 * 1024 - 8) }],
      [
        { a: '\0', '\ud800': '\udc00' },
        { a: '\0', '\ud800': '\udc00' },
      ],
    ],
    [
      [null, NULL],
      ['a', 'Expected a dictionary of items but got type "str".'],
      [[], 'Expected a dictionary of items but got type "list".'],
      [1, 'Expected a dictionary of items but got type "int".'],
      [nested(21), 'Ensure this field has no more than 20 levels of nesting.'],
      [{ a: 'x'.repeat(100 * 1024 - 7) }, 'Ensure this field has no more than 102400 bytes of JSON.'],
      [{ a: 'é'.repeat(60_000) }, 'Ensure this field has no more than 102400 bytes of JSON.'],
    ],
  ],
])

describe('the fields of a dictionary', () => {
  const schema = v.pipe(Dictionary, fields({ a: charField(), b: v.optional(integerField()), c: v.nullable(booleanField()) }))
  const errors = (value: unknown) => {
    const result = v.safeParse(schema, value)
    return result.success ? result.output : fieldErrors(result.issues)
  }

  it('the fields of a dictionary may be optional, nullable, or neither', () => {
    expect(errors({ a: 'x', c: null, d: 1 })).toEqual({ a: 'x', c: null })
    expect(errors({ b: null })).toEqual({ a: ['This field is required.'], b: [NULL], c: ['This field is required.'] })
  })
})

describe('a missing field', () => {
  const schema = v.pipe(
    Dictionary,
    fields({ call_time: charField(), call_type: v.optional(charField()) }, (name) => ({ when: 'call_time' })[name]),
  )
  const errors = (value: unknown) => fieldErrors(v.safeParse(schema, value).issues ?? [])
  const renamed = (name: string) => ({ call_time: [`This field is required. You sent \`${name}\`. Rename it to \`call_time\`.`] })

  it.each(['time', 'callTime', 'CALL_TIME', 'call-tiem', 'when'])(
    'the error of a missing field names the unknown key that probably means it: %s',
    (name) => {
      expect(errors({ other: 1, [name]: 'x' })).toEqual(renamed(name))
    },
  )

  it.each(['call_typ', 'color', '', '__proto__', 'constructor', 'x'.repeat(100_000)])(
    'the error of a missing field does not name other unknown keys: %s',
    (name) => {
      expect(errors(JSON.parse(`{"call_type": "x", "${name}": "x"}`))).toEqual({ call_time: ['This field is required.'] })
    },
  )

  it('a missing field is compared with the first fifty unknown keys only', () => {
    const others = Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`other_${at}`, at]))
    expect(errors({ ...others, time: 'x' })).toEqual(renamed('time'))
    expect(errors({ ...others, another: 1, time: 'x' })).toEqual({ call_time: ['This field is required.'] })
  })
})
