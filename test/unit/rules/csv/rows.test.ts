import { describe, expect, it } from '@jest/globals'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { dialectOf, inChunks, readAll } from '#test/support/csv.ts'

/** Each row of a file with the columns `a` and `b`: its line, and its cells or its error. */
const rowsOf = async (body: string | Buffer, sizes?: readonly number[]) => {
  const bytes = Buffer.concat([Buffer.from('a,b\n'), Buffer.from(body)])
  const rows = await readAll(bytes, dialectOf(bytes, ['a', 'b']), sizes && { sizes })
  return rows.map((row) => [row.at.line, 'values' in row ? row.values : row.problem] as const)
}

const wrong = (message: string, value: string, column = '') => ({ column, value, message })
const UNCLOSED = 'A quote is opened in this row and never closed.'
const TEXT_AFTER = 'Text follows the end of a quoted cell. Quotes inside a quoted cell must be doubled.'
const TOO_LONG = 'This row does not end within 4 MB. A quote in it may not be closed.'

describe('rows', () => {
  it('rows come with line numbers, treat blank cells as absent, and continue after a faulty row', async () => {
    const body = [
      '1,2',
      '3',
      '',
      '4,5,6',
      '"7\n\n7",8',
      '9,"',
      '"x"y,10',
      '  ," ""quoted"" "',
      '5" pipe,11',
      ',',
      '"12" , "13"\r',
      'fin,"al',
    ].join('\n')
    expect(await rowsOf(body)).toEqual([
      [2, ['1', '2']],
      [3, wrong('Expected 2 cells, as in the header, but got 1.', '3')],
      [5, wrong('Expected 2 cells, as in the header, but got 3.', '4,5,6')],
      [6, ['7\n\n7', '8']],
      [9, wrong(TEXT_AFTER, '9,"')],
      [10, wrong(TEXT_AFTER, '"x"y,10')],
      [11, [undefined, ' "quoted" ']],
      [12, ['5" pipe', '11']],
      [13, [undefined, undefined]],
      [14, ['12', '13']],
      [15, wrong(UNCLOSED, 'fin,"al')],
    ])
  })

  it('rows with null characters or a cell of 1 MB give an error that names the column', async () => {
    const long = 'é'.repeat(500_000)
    expect(await rowsOf(`1,x\0y\n2,${long}\n3,${long.slice(1)}\n"${long}",4\n5,6`)).toEqual([
      [2, wrong('Null characters are not allowed.', 'x\0y', 'b')],
      [3, wrong('This cell holds 1 MB or more.', 'é'.repeat(50), 'b')],
      [4, ['3', long.slice(1)]],
      [5, wrong('This cell holds 1 MB or more.', 'é'.repeat(50), 'a')],
      [6, ['5', '6']],
    ])
  })

  it('rows may mix UTF-8 and Windows-1252 in one file', async () => {
    const body = Buffer.concat([Buffer.from('Zoë,ok\nfe,'), Buffer.from('\x80 5 \x96 caf\xe9', 'latin1'), Buffer.from('\nok,\ufffd\n')])
    expect(await rowsOf(body)).toEqual([
      [2, ['Zoë', 'ok']],
      [3, ['fe', '€ 5 – café']],
      [4, ['ok', '\ufffd']],
    ])
  })

  const MB = 1024 * 1024

  it.each([[[65_536]], [[1_000_003, 7]], [[64 * MB]]])('rows over 4 MB are skipped with an error, in chunks of %j', async (sizes) => {
    const line = `${'x,'.padEnd(1023, 'y')}\n`
    const rows = await rowsOf(`1,"${'z'.repeat(10)}\n${line.repeat(6 * 1024)}${'w'.repeat(9 * MB)}\nlast,one\n`, sizes)
    expect(rows).toHaveLength(6 * 1024 + 3)
    expect(rows[0]).toEqual([2, wrong(TOO_LONG, '1,"zzzzzzzzzz')])
    expect(rows[1]).toEqual([3, ['x', 'y'.repeat(1021)]])
    expect(rows.slice(-2)).toEqual([
      [6 * 1024 + 3, wrong(TOO_LONG, 'w'.repeat(100))],
      [6 * 1024 + 4, ['last', 'one']],
    ])
  })

  it('the stream of rows ends when the reader stops early', async () => {
    let ended = false
    const stream = async function* () {
      try {
        yield* inChunks(Buffer.from('a,b\n1,2\n3,4\n5,6\n'), [5])
      } finally {
        ended = true
      }
    }
    const dialect = { delimiter: ',' as const, newline: '\n' as const, header: ['a', 'b'], start: { offset: 0, row: 1, line: 1 } }
    for await (const _ of rowsFrom(stream(), dialect)) break
    expect(ended).toBe(true)
  })

  it('rows may have any column name, and use the first of two equal ones', async () => {
    const bytes = Buffer.from('__proto__,constructor,x,x\n1,2,3,4\n')
    const [row] = await readAll(bytes, dialectOf(bytes, ['__proto__']))
    expect(row).toMatchObject({ values: ['1', '2', '3', '3'] })
  })
})
