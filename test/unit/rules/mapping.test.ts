import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { FieldMapping } from '#shared/ingestion/field-mapping.ts'
import { compileMapping } from '#shared/ingestion/rules/compile.ts'
import { leadFrom, toProvider } from '#shared/ingestion/rules/lead-from.ts'
import { pathReader } from '#shared/ingestion/rules/path.ts'
import { CreateLead, UpsertLead } from '#shared/leads/api/lead-request.ts'
import type { ServiceError } from '#shared/platform/values/errors.ts'
import { helped } from '#test/support/helped.ts'

const parsed = (entries: readonly unknown[]) => entries.map((entry) => v.parse(FieldMapping, entry))

const map = (entries: readonly unknown[], payload: unknown) => compileMapping(parsed(entries))(pathReader(payload))

/** The result of one entry that maps `a` to `metadata.x`. */
const made = (entry: object, a: unknown) => {
  const { values, errors } = map([{ to: 'metadata.x', from: 'a', ...entry }], { a })
  return Object.keys(errors).length > 0 ? errors['a'] : (values['metadata'] as { x?: unknown } | undefined)?.x
}

describe('the source paths of a mapping', () => {
  it.each([
    [{ a: 'x', b: 'y' }, 'x'],
    [{ a: ' ', b: 'y' }, 'y'],
    [{ a: null, b: 0 }, 0],
    [{ b: false }, false],
    [{}, undefined],
  ])('the source paths of a mapping give the first value present in %j', (payload, value) => {
    expect(map([{ to: 'metadata.x', from: ['a', 'b'] }], payload).values).toEqual(value === undefined ? {} : { metadata: { x: value } })
  })

  it.each([
    [{ a: 'x', b: ' y ' }, 'x y'],
    [{ a: '', b: 'y' }, 'y'],
    [{ a: ['p', null, 'q'], b: 1 }, 'p q 1'],
  ])('the source paths of a mapping can be joined into one value: %j', (payload, value) => {
    expect(map([{ to: 'metadata.x', from: ['a', 'b'], join: ' ' }], payload).values).toEqual({ metadata: { x: value } })
  })

  it('an error names the source path of a mapping that held the value, or else the first', () => {
    const entries = [
      { to: 'phone_number', from: ['mobile', 'home'] },
      { to: 'email', from: 'mail' },
      { to: 'status', constant: 'OPEN' },
    ]
    const { origins } = map(entries, { home: 'x' })
    expect([...origins]).toEqual([
      ['phone_number', 'home'],
      ['email', 'mail'],
    ])
    const errors = { phone_number: ['a'], email: ['b'], status: ['c'], non_field_errors: ['d'] }
    expect(toProvider(errors, origins)).toEqual({ home: ['a'], mail: ['b'], status: ['c'], non_field_errors: ['d'] })
  })

  it('an error on the metadata names the source path only if a single path fills the metadata', () => {
    const [one, two] = [
      { to: 'metadata.a', from: 'x' },
      { to: 'metadata.b', from: 'y' },
    ]
    expect(toProvider({ metadata: ['a'] }, map([one], {}).origins)).toEqual({ x: ['a'] })
    expect(toProvider({ metadata: ['a'] }, map([one, two], {}).origins)).toEqual({ non_field_errors: ['a'] })
  })
})

describe('transforms', () => {
  it.each<[unknown, unknown, unknown]>([
    ['trim', ' a ', 'a'],
    ['upper', 'ny', 'NY'],
    ['lower', 'NY', 'ny'],
    ['capitalize', "o'NEIL-smith de la ÉCOLE", "O'Neil-Smith De La École"],
    ['digits', '(212) 555-0123 x', '2125550123'],
    ['digits', 'none', undefined],
    ['digits', 2125550123, '2125550123'],
    ['boolean', ' Yes ', true],
    ['boolean', 0, false],
    ['boolean', 'perhaps', [helped('Must be a valid boolean. …')]],
    ['number', ' $1,250.50', 1250.5],
    ['number', '-3', -3],
    ['number', '.5', 0.5],
    ['number', '12345678901234567890', '12345678901234567890'],
    ['number', '12345678901234567.50', '12345678901234567.50'],
    ['number', '$0.12345678901234567891', '0.12345678901234567891'],
    ['number', '1,234.5000000000000000000', 1234.5],
    ['number', '1.234,56', ['A valid number is required.']],
    ['number', '$', ['A valid number is required.']],
    ['number', `${'0'.repeat(993)}1234.50`, 1234.5],
    ['number', `1.${'0'.repeat(998)}`, 1],
    ['number', `1.${'0'.repeat(999)}`, ['String value too large.']],
    ['number', '0'.repeat(1_000_000), ['String value too large.']],
    ['number', `0.${'0'.repeat(1_000_000)}1`, ['String value too large.']],
    ['first_name', '  Ann  de la Cruz ', 'Ann'],
    ['last_name', '  Ann  de la Cruz ', 'de la Cruz'],
    ['first_name', 'de la Cruz, Ann Maria', 'Ann'],
    ['last_name', 'de la Cruz, Ann Maria', 'de la Cruz'],
    ['last_name', 'John Doe, Jr.', 'Doe'],
    ['last_name', 'John Doe III', 'Doe'],
    ['first_name', 'Ann', 'Ann'],
    ['last_name', 'Ann', undefined],
    ['upper', { a: 1 }, ['Not a valid string.']],
    ['first_name', ['Ann'], ['Not a valid string.']],
  ])('a transform applies %j to %j', (transform, sent, value) => {
    expect(made({ transforms: [transform] }, sent)).toEqual(value)
  })

  it.each<[unknown, unknown, unknown]>([
    ['MM/DD/YYYY', '1/5/2026', '2026-01-05'],
    ['MM/DD/YYYY', '02/30/2026', undefined],
    ['YYYYMMDD', '20260105', '2026-01-05'],
    ['YYYYMMDD', '2026105', undefined],
    ['D.M.YY', '5.1.69', '1969-01-05'],
    ['D.M.YY', '5.1.26', '2026-01-05'],
    ['MM/DD/YYYY hh:mm A', '11/20/2026 12:05 am', '2026-11-20T00:05:00Z'],
    ['MM/DD/YYYY hh:mm A', '11/20/2026 01:05 PM', '2026-11-20T13:05:00Z'],
    ['MM/DD/YYYY hh:mm A', '11/20/2026 13:05 PM', undefined],
    ['YYYY-MM-DD HH:mm:ss', '2026-11-20 24:00:00', undefined],
    ['ISO', '2026-11-20T16:00:00+02:00', '2026-11-20T16:00:00+02:00'],
    ['epoch', 1_795_190_400, '2026-11-20T16:00:00.000Z'],
    ['epoch', '1795190400123', '2026-11-20T16:00:00.123Z'],
    [['MM/DD/YYYY', 'ISO'], '2026-11-20', '2026-11-20'],
    ['ISO', '2026-1-5', '2026-01-05'],
    ['ISO', '2026-1-5 9:00', '2026-01-05T09:00:00.000Z'],
    ['ISO', '2026-11-20 16:00:00 +02', '2026-11-20T14:00:00.000Z'],
    ['ISO', '2026-11-20T16:00:00', '2026-11-20T16:00:00.000Z'],
    ['ISO', '0099-1-5', '0099-01-05'],
    ['ISO', 'soon', undefined],
    ['epoch', '99999999999999', undefined],
  ])('a transform reads a date as %j from %j', (date, sent, value) => {
    const refused = [`Datetime has wrong format. Use one of these formats instead: ${[date].flat().join(', ')}.`]
    expect(made({ transforms: [{ date }] }, sent)).toEqual(value ?? refused)
  })

  it('transforms run one after the other', () => {
    expect(made({ transforms: ['last_name', 'upper'] }, 'Ann Lee')).toBe('LEE')
    expect(made({ transforms: ['number', 'upper'] }, 'x')).toEqual(['A valid number is required.'])
  })
})

describe('a table of values', () => {
  const values = { Calif: 'CA', 'n/a': '', 1: 'NY' }
  it.each<[string, unknown, unknown]>([
    ['keep', ' CALIF ', 'CA'],
    ['keep', 1, 'NY'],
    ['keep', 'N/A', undefined],
    ['keep', 'TX', 'TX'],
    ['drop', 'TX', undefined],
    ['reject', 'TX', [helped('"TX" is not a valid choice. …')]],
    ['reject', ['TX'], [helped(`"['TX']" is not a valid choice. …`)]],
    ['reject', '', undefined],
  ])('a table of values with the fallback %s translates %j', (otherwise, sent, value) => {
    const entries = parsed([{ to: 'us_state', from: 'a', values, otherwise }])
    const { values: got, errors } = compileMapping(entries)(pathReader({ a: sent }))
    expect(errors['a'] ?? got['us_state']).toEqual(value)
  })
})

describe('a mapping', () => {
  it('a mapping merges objects and keys into the metadata in the order of its entries', () => {
    const entries = [
      { to: 'metadata', from: 'extra' },
      { to: 'metadata.a', from: 'b' },
      { to: 'metadata', from: 'more' },
    ]
    expect(map(entries, { extra: { a: 1, c: [2] }, b: 3, more: null }).values).toEqual({ metadata: { a: 3, c: [2] } })
    const hostile = JSON.parse('{"__proto__": {"d": 5}, "constructor": 1}')
    expect(Object.keys(map([{ to: 'metadata', from: '$' }], hostile).values['metadata'] as object)).toEqual(['__proto__', 'constructor'])
    expect(map(entries, { extra: ['x'] }).errors).toEqual({ extra: ['Expected a dictionary of items but got type "list".'] })
  })

  it('a mapping reports all missing and invalid fields at once', () => {
    const entries = [
      { to: 'phone_number', from: ['phone', 'mobile'], required: true },
      { to: 'metadata.age', from: 'age', transforms: ['number'] },
      { to: 'metadata.years', from: 'age', transforms: ['number'] },
      { to: 'lead_source', constant: 'partner' },
    ]
    expect(map(entries, { age: 'x' })).toMatchObject({
      values: { lead_source: 'partner' },
      errors: { phone: ['This field is required.'], age: ['A valid number is required.'] },
    })
  })
})

describe('the lead from a mapped payload', () => {
  const mapping = parsed([
    { to: 'phone_number', from: ['contact.phone', 'contact.mobile'] },
    { to: 'email', from: 'contact.email' },
    { to: 'status', from: 'state', transforms: ['upper'] },
    { to: 'metadata.age', from: 'age', transforms: ['number'] },
  ])
  const leadOf = (schema: v.GenericSchema, payload: unknown) => {
    try {
      return leadFrom(schema, compileMapping(mapping)(pathReader(payload)), 4)
    } catch (error) {
      return (error as ServiceError).fields
    }
  }

  it('the lead from a mapped payload is validated like any other lead', () => {
    const payload = { contact: { mobile: '(212) 555-0123', email: 'ann@example.com' }, state: 'open', age: '7' }
    const made = { phone_number: '+12125550123', email: 'ann@example.com', status: 'OPEN', metadata: { age: 7 }, lead_type: 4 }
    expect(leadOf(CreateLead, payload)).toEqual(made)
    expect(leadOf(UpsertLead, { age: 7 })).toEqual({ metadata: { age: 7 }, lead_type: 4 })
  })

  it.each([
    [{}, { 'contact.phone': ['This field is required.'] }],
    [{ contact: { phone: ' ' } }, { 'contact.phone': ['This field is required.'] }],
    [
      { contact: { mobile: '123', email: 'x' }, state: 'gone', age: 'x' },
      {
        'contact.mobile': [helped('The phone number entered is not valid. …')],
        'contact.email': [helped('Enter a valid email address. …')],
        state: [helped('"GONE" is not a valid choice. …')],
        age: ['A valid number is required.'],
      },
    ],
    [
      { contact: { phone: ['1'], email: { a: 1 } } },
      { 'contact.phone': ['Not a valid string.'], 'contact.email': [helped('Enter a valid email address. …')] },
    ],
  ])('the lead from a mapped payload is refused with the field names of its provider: %j', (payload, errors) => {
    expect(leadOf(CreateLead, payload)).toEqual(errors)
  })
})
