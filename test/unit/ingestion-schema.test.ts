import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { FieldMapping } from '#shared/ingestion/field-mapping.ts'
import { IngestionUrl, lookupOf, Source } from '#shared/ingestion/ingestion.ts'
import { helped } from '#test/support/helped.ts'

const messages = (schema: v.GenericSchema, input: unknown): string[] | undefined =>
  v.safeParse(schema, input).issues?.map(({ message }) => message)

const phone = { to: 'phone_number', from: 'Phone' }
const to = (field: string, ...from: readonly string[]) => ({ to: field, from })
const source = { owner: 1, name: 'demo', mode: 'upsert', lookup_column: 'Phone', mapping: [phone] }
const url = { id: '0B0E7F9A-5C0C-4C57-9B0E-6B1A5F1D2C3E', owner: 1, mapping: [{ to: 'phone_number', from: 'phone' }] }

describe('an entry of a mapping', () => {
  it('an entry of a mapping gets defaults, and a single place becomes a list', () => {
    expect(v.parse(FieldMapping, phone)).toEqual({ ...phone, from: ['Phone'], transforms: [], otherwise: 'keep', required: false })
  })

  it.each([
    ['no place', { to: 'email' }, 'Either `from` or `constant` is required.'],
    ['a place and a constant', { to: 'email', from: 'a', constant: 'a@b.co' }, 'Give `from` or `constant`, not both.'],
    ['an unknown field', { to: 'lead_type', from: 'a' }, 'Expected a lead field, `consent.<field>`, `metadata.<key>` or `metadata`.'],
    ['a key with a dot', { to: 'metadata.a.b', from: 'a' }, 'Expected a lead field, `consent.<field>`, `metadata.<key>` or `metadata`.'],
    [
      'a key that is an echo',
      { to: 'metadata.email', from: 'a' },
      'metadata.email repeats another field in responses, and cannot be stored.',
    ],
    ['a constant that is refused', { to: 'status', constant: 'FOO' }, helped('status: "FOO" is not a valid choice. …')],
    [
      'a value that is refused',
      { to: 'us_state', from: 's', values: { Calif: 'California' } },
      helped('us_state: "California" is not a valid choice. …'),
    ],
  ])('an entry of a mapping is refused with %s', (_, input, message) => {
    expect(messages(FieldMapping, input)).toEqual([message])
  })

  it.each([['DD.MM.YYYY'], ['MM/DD/YYYY hh:mm A'], ['ISO'], ['epoch'], [['ISO', 'M/D/YY']]])(
    'an entry of a mapping accepts the date format %s',
    (date) => {
      expect(v.is(FieldMapping, { to: 'metadata.born', from: 'b', transforms: ['trim', { date }] })).toBe(true)
    },
  )

  it.each([['MM/DD'], ['whenever'], [''], ['MM/DD/YYYY HH:m'], ['MM/DD/YYYY HH:mm:s'], ['MMM D YYYY'], ['D/M/YYY']])(
    'an entry of a mapping refuses the date format %j',
    (date) => {
      expect(v.is(FieldMapping, { to: 'metadata.born', from: 'b', transforms: [{ date }] })).toBe(false)
    },
  )
})

describe('an ingestion source', () => {
  it('an ingestion source may look up leads by any of the names of a column', () => {
    const mapping = [to('phone_number', 'Phone', 'Mobile'), to('external_id', 'Id', 'Ref')]
    for (const [lookup_column, field] of [
      ['Mobile', 'phone_number'],
      ['Id', 'external_id'],
    ] as const) {
      expect(messages(Source, { ...source, lookup_column, mapping })).toBeUndefined()
      expect(lookupOf(v.parse(Source, { ...source, lookup_column, mapping }).mapping, lookup_column)).toBe(field)
    }
    const shared = [to('external_id', 'Phone', 'Id'), phone]
    expect(lookupOf(v.parse(Source, { ...source, mapping: shared }).mapping, 'Phone')).toBe('phone_number')
  })

  it('an ingestion source may look up leads by a column that gives one field, or by none in mode create', () => {
    expect(messages(Source, source)).toBeUndefined()
    expect(messages(Source, { ...source, mode: 'create', lookup_column: null })).toBeUndefined()
  })

  const lookup =
    'The lookup column must be mapped to one of external_id, phone_number and email, without `join`. Only mode create works without one.'
  it.each([
    ['no lookup column', { lookup_column: null }, lookup],
    ['a lookup column that is not mapped', { lookup_column: 'Id' }, lookup],
    ['a lookup column that gives another field', { lookup_column: 'S', mapping: [phone, { to: 'us_state', from: 'S' }] }, lookup],
    ['a lookup column that is joined with another', { mapping: [{ to: 'phone_number', from: ['Phone', 'Mobile'], join: '' }] }, lookup],
    [
      'a lookup column that several fields share',
      { mapping: [to('phone_number', 'Phone', 'Mobile'), to('email', 'Phone', 'Mail')] },
      lookup,
    ],
    [
      'no column for the phone number',
      { lookup_column: 'Id', mapping: [{ to: 'external_id', from: 'Id' }] },
      'A mapping that creates leads must map phone_number.',
    ],
    [
      'a field that is mapped twice',
      { mapping: [phone, { to: 'phone_number', from: 'Mobile' }] },
      'A lead field is mapped twice. Name several sources in one `from`.',
    ],
  ])('an ingestion source is refused with %s', (_, change, message) => {
    expect(messages(Source, { ...source, ...change })).toEqual([message])
  })

  it('an ingestion source needs no phone number when it only updates leads', () => {
    expect(
      messages(Source, { ...source, mode: 'update', lookup_column: 'Id', mapping: [{ to: 'external_id', from: 'Id' }] }),
    ).toBeUndefined()
  })
})

describe('an ingestion URL', () => {
  it('an ingestion URL requires a token by default, and has a default rate limit', () => {
    expect(v.parse(IngestionUrl, url)).toMatchObject({
      id: url.id.toLowerCase(),
      lead_type: null,
      token_required: true,
      throttle: { sustained_per_day: 10_000, burst_per_minute: 120 },
    })
    expect(messages(IngestionUrl, { ...url, id: 'demo' })).toHaveLength(1)
  })
})
