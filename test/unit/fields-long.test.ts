import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { representativeField } from '#shared/calling/api/update-live-call.ts'
import { booleanField, choiceField, choicesField } from '#shared/http/fields/choice.ts'
import { dateTimeField } from '#shared/http/fields/date-time.ts'
import { emailField } from '#shared/http/fields/email.ts'
import { externalIdsField } from '#shared/http/fields/external-ids.ts'
import { blankAsNull, fieldErrors } from '#shared/http/fields/field.ts'
import { headersField } from '#shared/http/fields/headers.ts'
import { metadataField } from '#shared/http/fields/metadata.ts'
import { idField, integerField, integersField } from '#shared/http/fields/number.ts'
import { phoneField } from '#shared/http/fields/phone.ts'
import { charField } from '#shared/http/fields/text.ts'
import { destinationField } from '#shared/http/fields/url.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { CreateSubscription } from '#shared/webhooks/api/create-subscription.ts'
import { filterField } from '#shared/webhooks/api/filter.ts'

/** Largest body. Bytes. */
const MOST = 4 * 1024 * 1024

const FIELDS: Readonly<Record<string, v.GenericSchema>> = {
  boolean: booleanField(),
  choice: choiceField(['a', 'b']),
  choices: choicesField(['a', 'b']),
  'date and time': dateTimeField(),
  email: emailField(),
  'external ids': externalIdsField(),
  filter: filterField(),
  headers: headersField(),
  metadata: metadataField(),
  integer: integerField(),
  integers: integersField({ most: 1000 }),
  id: idField(),
  phone: phoneField(),
  representative: representativeField(),
  text: charField({ maxLength: 255 }),
  'text without a limit of its own': charField({ allowBlank: true }),
  'text, or blank': blankAsNull(charField({ maxLength: 255 })),
  destination: destinationField(),
}

/** Texts that begin, separate, continue or end what our patterns and parsers read. */
const PIECES = [
  ...['a', '1', '0', ' ', '\t', '\n', '.', ',', '-', '+', '_', '@', '%40', '"', "'", '\\', '\\"', '(', ')', '[', ']', '{{', '}}', '{', '}'],
  ...[
    '1_',
    '1.0',
    '+1',
    '(212) ',
    '2026-',
    'T00:',
    'a.',
    'a@',
    'xn--',
    'http://',
    'https://a/',
    '{{a.',
    "has('",
    'a == ',
    ' and ',
    '\\u0041',
  ],
  ...['\u0315', '\u0300', '\u0315\u0300', 'é', '１', '\u00a0', '\u3000', '𝒳', '\ud800', '\0', '\ufeff'],
]

/** A few pieces, repeated up to the size of a body. */
const longText = fc
  .record({
    start: fc.constantFrom('', ...PIECES),
    unit: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '!', ...PIECES),
    length: fc.constantFrom(300, 1_000, 9_999, 100_000, MOST),
  })
  .map(({ start, unit, end, length }) => `${start}${unit.join('').repeat(Math.floor(length / unit.join('').length))}${end}`)

/** Built without recursion, as JSON parsing does. */
const nested = (depth: number, inner: unknown, wrap: (value: unknown) => unknown): unknown => {
  let value = inner
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

const WRAPS: readonly ((value: unknown) => unknown)[] = [
  (value) => [value],
  (value) => ({ a: value }),
  (value) => ({ Accept: value, id: 1 }),
]

const deepValue = fc
  .record({
    depth: fc.constantFrom(19, 21, 5_000, 500_000),
    wrap: fc.constantFrom(...WRAPS),
    inner: fc.constantFrom<unknown>('a', 1, [], {}),
  })
  .map(({ depth, wrap, inner }) => nested(depth, inner, wrap))

const wideValue = fc.oneof(
  longText.map((text) => ({ [text]: 'x', id: text, name: text, email: text, phone_number: text })),
  longText.map((text) => [text, { text }]),
  fc.constantFrom<unknown>(
    Array.from({ length: 500_000 }, (_, index) => `${index}`),
    Array.from({ length: 500_000 }, (_, index) => index),
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x-${index}`, 'y'])),
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}-${'a'.repeat(80_000)}`, '\n'])),
  ),
)

/** Longer than any answer that quotes a wrong value. */
const LONGEST_ANSWER = 50_000

/**
 * Checks that a value is accepted or refused. Fails if reading throws, above all for a full stack, or if a message repeats a long value.
 */
const tell = (schema: v.GenericSchema, value: unknown): void => {
  const read = v.safeParse(schema, value)
  if (read.success) return
  expect(read.issues.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(LONGEST_ANSWER)
}

describe('a long value', () => {
  it.each(Object.entries(FIELDS))('a long value is accepted, or refused with a short message, as %s', (_, schema) => {
    fc.assert(
      fc.property(longText, (text) => tell(schema, text)),
      { numRuns: 15 },
    )
    fc.assert(
      fc.property(fc.oneof(deepValue, wideValue), (value) => tell(schema, value)),
      { numRuns: 8 },
    )
  })

  it('long values in every field of a request are refused with field errors', () => {
    const requests = [CreateLead, CreateSubscription]
    for (const schema of requests) {
      const names = [
        'phone_number',
        'email',
        'metadata',
        'status',
        'us_state',
        'external_id',
        'url',
        'trigger',
        'filter_condition',
        'headers',
      ]
      fc.assert(
        fc.property(fc.oneof(longText, deepValue, wideValue), (value) => {
          const { issues } = v.safeParse(schema, Object.fromEntries(names.map((name) => [name, value])))
          expect(Object.keys(fieldErrors(issues ?? [])).length).toBeGreaterThan(0)
        }),
        { numRuns: 5 },
      )
    }
  })
})
