import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { CsvDialect } from '#shared/uploads/csv.ts'
import { dialectOf, readAll } from '#test/support/csv.ts'

type Encoding = 'utf-8' | 'utf-8 with mark' | 'windows-1252'

interface Style {
  readonly delimiter: ',' | ';' | '\t'
  readonly newline: '\n' | '\r\n' | '\r'
  readonly encoding: Encoding
  readonly always: boolean
  readonly endsWithNewline: boolean
}

/** Characters that Windows-1252 has, but Latin-1 has not. */
const OWN = new Map([['€', 0x80]])

const encode = (text: string, encoding: Encoding): Buffer => {
  if (encoding === 'windows-1252') return Buffer.from([...text].map((character) => OWN.get(character) ?? character.codePointAt(0)!))
  return Buffer.from(encoding === 'utf-8' ? text : `\ufeff${text}`)
}

const write = (table: readonly (readonly string[])[], { delimiter, newline, encoding, always, endsWithNewline }: Style): Buffer => {
  const cell = (text: string) => (always || text.trim() === '' || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = table.map((row) => row.map(cell).join(delimiter))
  return encode(lines.join(newline) + (endsWithNewline ? newline : ''), encoding)
}

const style = (encoding: fc.Arbitrary<Encoding>): fc.Arbitrary<Style> =>
  fc.record({
    delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const),
    newline: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
    encoding,
    always: fc.boolean(),
    endsWithNewline: fc.boolean(),
  })

const SPECIAL = ['"', ',', ';', '\t', '\n', '\r', ' ', '""', '\r\n']
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 5 })
  .map((parts) => parts.join('').replaceAll('\0', ''))
/** An ASCII character follows each other character: such bytes are never valid UTF-8. */
const westernText = fc.array(fc.constantFrom(...SPECIAL, 'a', 'éa', 'ñb', 'ü ', '€1'), { maxLength: 6 }).map((parts) => parts.join(''))

const tables = (text: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(
      text.map((name) => `c${name}d`),
      { minLength: 2, maxLength: 5 },
    )
    .chain((header) =>
      fc.tuple(fc.constant(header), fc.array(fc.array(text, { minLength: header.length, maxLength: header.length }), { maxLength: 8 })),
    )

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const read = (text: string) => (text.trim() === '' ? undefined : text)

const written = fc.oneof(
  fc.tuple(tables(anyText), style(fc.constantFrom<Encoding>('utf-8', 'utf-8 with mark'))),
  fc.tuple(tables(westernText), style(fc.constant<Encoding>('windows-1252'))),
)

/** Any chunks, and a new start after any row, give the same rows. */
const expectSteady = async (bytes: Uint8Array, dialect: CsvDialect, chunks: readonly number[]) => {
  const rows = await readAll(bytes, dialect)
  expect(await readAll(bytes, dialect, { sizes: chunks })).toEqual(rows)
  for (const [index, { next }] of rows.entries())
    expect(await readAll(bytes, dialect, { from: next, sizes: chunks })).toEqual(rows.slice(index + 1))
  return rows
}

describe('any table', () => {
  it('any table reads back as written in any dialect, in any chunks, and resumed after any row', async () => {
    await fc.assert(
      fc.asyncProperty(written, sizes, async ([[header, table], how], chunks) => {
        const bytes = write([header, ...table], how)
        const dialect = dialectOf(bytes, header)
        expect(dialect).toMatchObject({ delimiter: how.delimiter, header })
        const rows = await expectSteady(bytes, dialect, chunks)
        expect(rows.map((row) => ('values' in row ? row.values : row.problem))).toEqual(table.map((row) => row.map(read)))
        expect(rows.map(({ at }) => at.row)).toEqual(table.map((_, index) => index + 1))
      }),
      { numRuns: 300 },
    )
  })
})

describe('any bytes', () => {
  const bytes = fc
    .array(fc.constantFrom('"', '"', ',', '\n', '\n', '\r', ' ', 'a', 'b', '\0', '\x80'), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join(''), 'latin1'))

  it('any bytes are split into consecutive rows, in any chunks, and resumed after any row', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, sizes, async (body, chunks) => {
        const whole = Buffer.concat([Buffer.from('x,y\n'), body])
        const rows = await expectSteady(whole, dialectOf(whole, ['x', 'y']), chunks)
        expect(rows.map(({ at }) => at.row)).toEqual(rows.map((_, index) => index + 1))
        for (const [index, { at, next }] of rows.entries()) {
          const following = rows[index + 1]?.at ?? next
          expect(whole.subarray(next.offset, following.offset).toString('latin1').trim()).toBe('')
          expect(next.offset).toBeGreaterThan(at.offset)
        }
        expect(
          whole
            .subarray(rows.at(-1)?.next.offset ?? 4)
            .toString('latin1')
            .trim(),
        ).toBe('')
        expect(rows.every(({ at }) => at.line === lineOf(whole, at.offset))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  const lineOf = (whole: Buffer, offset: number) => whole.subarray(0, offset).toString('latin1').split('\n').length
})
