import fc from 'fast-check'
import { type OpenApi, resolved, type Schema } from './documented.ts'

/** Generators by property or parameter name, and for a whole `body`, so that requests hit existing things. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>

const deep = (levels: number): unknown => (levels === 0 ? 'bottom' : { a: [deep(levels - 1)] })

/** Keys that careless code confuses with its own. */
const hostileKey = fc.constantFrom('__proto__', 'constructor', 'toString', 'prototype', '', '\0', 'id', '😀', 'ключ', 'zip', 'timezone')

/** Built from JSON text, where `__proto__` is an ordinary key. */
const withKeys = (entries: readonly (readonly [string, unknown])[]): unknown =>
  JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`)

/** Any JSON value, and values that often break parsers. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '😀'.repeat(256),
    'x'.repeat(20_000),
    '1'.repeat(2000),
    'null',
    '-1',
    '1e3',
  ),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, [], {}, [[]], [null], deep(25), deep(400)),
  fc.array(fc.tuple(hostileKey, fc.jsonValue()), { maxLength: 4 }).map(withKeys),
  fc.constant('x'.repeat(101 * 1024)).map((text) => ({ text })),
)

const drawString = ({ format, pattern, minLength = 0, maxLength = 300, examples }: Schema): fc.Arbitrary<string> => {
  if (examples) return fc.constantFrom(...examples.map(String))
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid()
  if (format === 'date') return fc.constantFrom('2026-11-01', '2026-11-20', '1990-01-01')
  if (format === 'date-time')
    return fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 300) })
}

const drawObject = (document: OpenApi, schema: Schema, known: Known): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const value = fc.tuple(fc.constant(name), known[name] ?? drawValue(document, property, known))
    return schema.required?.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 })
  })
  const extra = schema.additionalProperties === false ? fc.constant([]) : fc.array(fc.tuple(hostileKey, fc.jsonValue()), { maxLength: 2 })
  return fc
    .tuple(fc.tuple(...properties), extra)
    .map(([own, others]) =>
      withKeys([...others.filter(([key]) => !Object.hasOwn(schema.properties ?? {}, key)), ...own.filter((one) => one !== undefined)]),
    )
}

/** Values that the document's schema allows. */
export const drawValue = (document: OpenApi, given: Schema, known: Known = {}): fc.Arbitrary<unknown> => {
  const schema: Schema = resolved(document, given)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((one) => drawValue(document, one, known)))
  switch (schema.type) {
    case 'object':
      return drawObject(document, schema, known)
    case 'array':
      return fc.array(drawValue(document, schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 5 })
    case 'string':
      return drawString(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue()
  }
}

const changed = (value: unknown, key: string, change: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => (`${index}` === key ? change : item))
  const entries = Object.entries(value as object).filter(([name]) => name !== key)
  return withKeys(change === undefined ? entries : [...entries, [key, change]])
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** A value with one part removed, replaced or added, at any depth. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  if (!isContainer(value)) return junk
  const key = fc.constantFrom(...Object.keys(value))
  const inside = key.chain((name) => mutated((value as Record<string, unknown>)[name]).map((change) => changed(value, name, change)))
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(key, junk).map(([name, change]) => changed(value, name, change)) },
    { weight: 2, arbitrary: key.map((name) => changed(value, name, undefined)) },
    { weight: 2, arbitrary: fc.tuple(hostileKey, junk).map(([name, change]) => changed(value, name, change)) },
    { weight: 4, arbitrary: inside },
    { weight: 1, arbitrary: junk },
  )
}
