import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { compileFilter } from '#shared/webhooks/rules/filter/filter.ts'
import { FilterError } from '#shared/webhooks/rules/filter/filter-error.ts'
import { CASES } from '#test/support/filters/cases.ts'
import { drawMeant, drawPayload, writer } from '#test/support/filters/draw.ts'
import { FAULTS } from '#test/support/filters/faults.ts'
import { interpret } from '#test/support/filters/interpret.ts'
import { PAYLOAD } from '#test/support/filters/payload.ts'

/** Set the variable for more runs. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 3000)
/** Most milliseconds for one condition: hundreds of times what it needs. */
const SLOW = 250

/** Milliseconds of processor time, which excludes other load on the machine. */
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Any text must be a condition that is true or false for the payload, or a fault at a position. */
const judged = (text: string, payload: unknown): 'fits' | 'does not' | 'faulty' => {
  try {
    return compileFilter(text).matches(payload) ? 'fits' : 'does not'
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    expect(error.position).toBeGreaterThanOrEqual(1)
    expect(error.position).toBeLessThanOrEqual([...text].length + 1)
    expect(error.message).not.toBe('')
    return 'faulty'
  }
}

/** A text is slow only if it is slow this many times. A single slow run may be garbage collection. */
const TRIES = 3

const tried = (text: string, payload: unknown = PAYLOAD): ReturnType<typeof judged> => {
  for (let tries = 1; ; tries++) {
    const started = spent()
    const judgement = judged(text, payload)
    const took = spent() - started
    if (took < SLOW) return judgement
    if (tries === TRIES) expect(took).toBeLessThan(SLOW)
  }
}

const nestingOf = (text: string): number => {
  let [depth, most] = [0, 0]
  for (const [part] of text.matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()]/gs)) {
    depth += part === '(' ? 1 : part === ')' ? -1 : 0
    most = Math.max(most, depth)
  }
  return most
}

const drawText = fc
  .tuple(drawMeant, fc.infiniteStream(fc.nat(1000)))
  .map(([meant, numbers]) => ({ meant, text: writer((ways) => numbers.next().value % ways)(meant) }))

describe('a condition', () => {
  it('a condition gives the same result as a plain interpreter', () => {
    const seen = new Set<boolean>()
    fc.assert(
      fc.property(drawText, fc.array(drawPayload, { minLength: 3, maxLength: 3 }), ({ meant, text }, payloads) => {
        fc.pre(text.length <= 2000 && nestingOf(text) <= 32)
        for (const payload of payloads) {
          const expected = interpret(meant, payload)
          expect({ text, payload, fits: compileFilter(text).matches(payload) }).toEqual({ text, payload, fits: expected })
          seen.add(expected)
        }
      }),
      { numRuns: RUNS },
    )
    expect([...seen].sort()).toEqual([false, true])
  })
})

describe('the filter compiler', () => {
  it('the filter compiler accepts or refuses random bytes quickly', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2500 }), (bytes) => {
        tried(Buffer.from(bytes).toString('latin1'))
        tried(Buffer.from(bytes).toString('utf8'))
      }),
      { numRuns: RUNS },
    )
  })

  it('the filter compiler accepts or refuses random signs and words quickly', () => {
    const words = [
      '(',
      ')',
      '[',
      ']',
      '.',
      ',',
      '==',
      '!=',
      ' and ',
      ' or ',
      ' not ',
      'has',
      'get',
      "'a.b'",
      '"',
      "'",
      '\\',
      'a',
      '1',
      '-',
      '0',
      ' ',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 700 }), (parts) => {
        tried(parts.join(''))
      }),
      { numRuns: RUNS },
    )
  })

  it('the filter compiler accepts or refuses randomly changed conditions quickly', () => {
    const known = [...Object.values(CASES).flat(), ...FAULTS].map(([condition]) => condition)
    const condition = fc.oneof(
      fc.constantFrom(...known),
      drawText.map(({ text }) => text),
    )
    const change = fc.tuple(
      fc.nat(2000),
      fc.nat(4),
      fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom('(', ')', "'", '\\', ' or ')),
    )
    const seen = new Set<string>()
    fc.assert(
      fc.property(condition, fc.array(change, { minLength: 1, maxLength: 4 }), drawPayload, (text, changes, payload) => {
        const changed = changes.reduce((now, [at, removed, added]) => {
          const place = at % (now.length + 1)
          return `${now.slice(0, place)}${added}${now.slice(place + removed)}`
        }, text)
        seen.add(tried(changed, payload))
      }),
      { numRuns: RUNS },
    )
    expect([...seen].sort()).toEqual(['does not', 'faulty', 'fits'])
  })

  it.each([
    ['parentheses never closed', '('.repeat(2000)],
    ['calls never closed', "get('a',".repeat(250)],
    ['brackets', 'a'.padEnd(2000, '[')],
    ['dots', 'a'.padEnd(2000, '.')],
    ['indexes', `a${'[0]'.repeat(666)}`],
    ['names', `a${'.a'.repeat(999)}`],
    ['one name', 'a'.repeat(2000)],
    ['a text never closed', `'${'\\'.repeat(1999)}`],
    ['escapes', `'${'\\\\'.repeat(999)}'`],
    ['digits', '1'.repeat(2000)],
    ['an exponent', `1e${'9'.repeat(1998)}`],
    ['blanks', `${' '.repeat(1999)}a`],
    ['joined', `${'a or '.repeat(399)}a`],
    ['joined by both', `${'a or b and '.repeat(181)}a`],
    ['levels as deep as may be, again and again', `${`${'('.repeat(32)}a${')'.repeat(32)} or `.repeat(28)}a`],
    ['a path of dots', `has('${'.'.repeat(1990)}')`],
    ['4 MB', '('.repeat(4_000_000)],
    ['4 MB of characters outside the BMP', '😀'.repeat(1_000_000)],
    ['4 MB of blanks', ' '.repeat(4_000_000)],
  ])('the filter compiler accepts or refuses quickly: %s', (_name, text) => {
    tried(text)
  })

  it('a filter compares the largest lists of a payload as often as a condition allows, quickly', () => {
    const half = Array.from({ length: 20_000 }, () => 1)
    const payload = { a: half, b: [...half] }
    const started = spent()
    expect(compileFilter(Array.from({ length: 181 }, () => 'a!=b').join(' or  ')).matches(payload)).toBe(false)
    expect(spent() - started).toBeLessThan(20 * SLOW)
  })
})
