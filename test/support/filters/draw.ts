import fc from 'fast-check'
import type { Meant } from './interpret.ts'

const KEYS = [
  'metadata',
  'us_state',
  'a',
  'b',
  'c_1',
  '__proto__',
  'constructor',
  'length',
  '0',
  '1',
  'and',
  'not',
  'x y',
  "it's",
  'say "so"',
  'back\\slash',
  'ü',
  '',
]
const NAMES = ['metadata', 'us_state', 'a', 'b', 'c_1', '__proto__', 'constructor', 'length', 'ü', 'has', 'get', 'android']

/** Few values, so that conditions and payloads often share one. */
const SCALARS: readonly (readonly [json: string, ...sources: string[]])[] = [
  ['null', 'null', 'None'],
  ['true', 'true', 'True'],
  ['false', 'false', 'False'],
  ['0', '0', '-0', '0.0', '0e9'],
  ['1', '1', '1.0', '10e-1', '1E0'],
  ['-1', '-1', '-1.0'],
  ['2.5', '2.5', '25e-1'],
  ['"12345678901234567890"', '12345678901234567890', '"12345678901234567890"'],
  ['""', "''", '""'],
  ['"a"', "'a'", '"a"', "'\\u0061'", '"\\x61"'],
  ['"1"', "'1'", '"1"'],
  ['"true"', "'true'", '"true"'],
  ['"it\'s\\n"', "'it\\'s\\n'", '"it\'s\\n"', '"it\\\'s\\u000a"'],
  ['"😀 (and) \\\\"', "'😀 (and) \\\\'", '"\\ud83d\\ude00 (and) \\\\"'],
]

/** JSON text of a webhook, where `__proto__` is an ordinary key. */
const drawJson: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom(...SCALARS.map(([json]) => json)) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`) },
    {
      weight: 3,
      arbitrary: fc
        .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 5, selector: ([key]) => key })
        .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
    },
  ),
})).value

/** Lists of very few items, so that two lists are often equal, or one is a prefix of the other. */
const drawList = fc.array(fc.constantFrom('0', '1', 'true', '{"a":1}'), { maxLength: 3 }).map((items) => `[${items.join()}]`)

export const drawPayload: fc.Arbitrary<unknown> = fc
  .record({
    a: fc.oneof(drawJson, drawList),
    b: fc.oneof(drawJson, drawList),
    others: fc.uniqueArray(fc.constantFrom(...NAMES.slice(2))),
    other: drawJson,
  })
  .map(({ a, b, others, other }) =>
    JSON.parse(`{"a":${a},"b":${b}${others.map((name) => `,"${name}":${name === 'c_1' ? a : other}`).join('')}}`),
  )

const drawStep = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.integer({ min: -4, max: 4 }) })
const drawSteps = fc.array(drawStep, { maxLength: 3 })
const drawPath = fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }).map((keys) => keys.join('.'))

const literal = fc
  .constantFrom(...SCALARS)
  .chain(([json, ...sources]) => fc.constantFrom(...sources).map((source): Meant => ({ is: 'literal', source, json })))

const { meant } = fc.letrec<{ meant: Meant }>((tie) => ({
  meant: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    { weight: 2, arbitrary: literal },
    { weight: 4, arbitrary: fc.record({ is: fc.constant('path' as const), root: fc.constantFrom(...NAMES), steps: drawSteps }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('has' as const), path: drawPath }) },
    {
      weight: 2,
      arbitrary: fc.record({ is: fc.constant('get' as const), path: drawPath, otherwise: fc.option(tie('meant'), { nil: undefined }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        is: fc.constant('inside' as const),
        of: tie('meant'),
        steps: fc.array(drawStep, { minLength: 1, maxLength: 2 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        is: fc.constantFrom('==' as const, '!=' as const, 'and' as const, 'or' as const),
        left: tie('meant'),
        right: tie('meant'),
      }),
    },
  ),
}))

export const drawMeant: fc.Arbitrary<Meant> = meant

/** Precedence of each kind; a higher number binds tighter. */
const TIGHTNESS: Readonly<Record<Meant['is'], number>> = { or: 1, and: 2, '==': 3, '!=': 3, literal: 5, path: 5, inside: 5, has: 5, get: 5 }

/** Writes conditions. `choice(n)` picks one of n spellings, from 0 to n - 1. */
export const writer = (choice: (ways: number) => number) => {
  const blank = (): string => ['', '', ' ', '  ', '\n\t'][choice(5)]!
  const quoted = (text: string): string => {
    const quote = choice(2) === 0 ? "'" : '"'
    return `${quote}${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(quote, `\\${quote}`)}${quote}`
  }
  const step = (one: string | number): string => {
    if (typeof one === 'string' && /^[\p{L}_][\p{L}\w]*$/u.test(one) && choice(2) === 0) return `${blank()}.${blank()}${one}`
    return `${blank()}[${blank()}${typeof one === 'number' ? one : quoted(one)}${blank()}]`
  }
  const write = (one: Meant, tightness: number): string => {
    const bare = written(one)
    return TIGHTNESS[one.is] < tightness || choice(8) === 0 ? `(${blank()}${bare}${blank()})` : bare
  }
  const written = (one: Meant): string => {
    switch (one.is) {
      case 'literal':
        return one.source
      case 'path':
        return `${one.root}${one.steps.map(step).join('')}`
      case 'inside':
        // A literal takes a step only in parentheses. A path takes one with or without them.
        return `${one.of.is === 'literal' ? `(${written(one.of)})` : write(one.of, 5)}${one.steps.map(step).join('')}`
      case 'has':
        return `has${blank()}(${blank()}${quoted(one.path)}${blank()})`
      case 'get':
        return `get(${quoted(one.path)}${one.otherwise ? `${blank()},${blank()}${write(one.otherwise, 1)}` : ''}${blank()})`
      case 'and':
      case 'or':
        return `${write(one.left, TIGHTNESS[one.is])} ${blank()}${one.is}${blank()} ${write(one.right, TIGHTNESS[one.is] + (choice(2) as number))}`
      default:
        return `${write(one.left, 4)}${blank()}${one.is}${blank()}${write(one.right, 4)}`
    }
  }
  return (one: Meant): string => `${blank()}${write(one, 1)}${blank()}`
}
