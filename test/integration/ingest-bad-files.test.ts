import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, ingested, reportLines } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

uploadWorld()

const firstNameOf = async (externalId: string) => {
  const [id] = await leadsByExternalId(OWNER, externalId)
  const lead = id === undefined ? undefined : await getLead(id)
  return lead?.metadata['first_name']
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const NO_CSV = 'and not CSV in UTF-8 or Windows-1252. '
const GOOD = csv(['x-1,A,+12125550000,,,'])

describe('an unreadable file', () => {
  it.each<[string, string | Buffer, string, string?]>([
    ['text in UTF-16', utf16(GOOD), `The file is text in UTF-16, ${NO_CSV}`],
    ['text in UTF-16 of the other byte order', utf16(GOOD).swap16(), `The file is text in UTF-16, ${NO_CSV}`],
    ['text in UTF-16 without a mark', utf16(GOOD).subarray(2), `The file is text in UTF-16, ${NO_CSV}`],
    ['a workbook named .csv', 'PK\x03\x04\x14\0\x06\0', `The file is a ZIP archive, as Excel workbooks (.xlsx) are, ${NO_CSV}`],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), `The file is an Excel workbook (.xls), ${NO_CSV}`],
    ['a compressed file', Buffer.from('1f8b0800', 'hex'), `The file is compressed (gzip), ${NO_CSV}`],
    ['a name with another ending', GOOD, 'Files ending in .json are not read. The name of a CSV file ends in .csv', 'leads.json'],
    ['a header with a column twice', csv([], 'Lead ID,Phone,Phone,x,x'), 'The header names "Phone" more than once'],
    ['a header without the lookup column', csv([], 'lead,Phone'), 'The header has no column "Lead ID", which the source "demo"'],
    ['a header that does not end', 'Lead ID,"Phone', 'The header cannot be read'],
    ['bytes that are no text', Buffer.from([1, 0, 2, 0, 0, 3]), 'The file is not text'],
  ])('an unreadable file of leads fails with a clear message: %s', async (_name, body, error, filename = 'leads.csv') => {
    const upload = await ingested(body, { filename })
    expect(upload).toMatchObject({ status: 'failed', error: expect.stringContaining(error), rows: 0, rejected: 0, rejected_key: null })
  })
})

describe('a CSV file', () => {
  it('a CSV file has its bad rows rejected with line numbers, and the rest imported', async () => {
    const upload = await ingested(
      csv([
        `b-1,"Ann\n""A""",${newPhone()},,,`,
        'b-2,too,few',
        'b-3,too,many,,,,,',
        `b-4,nu\0ll,${newPhone()},,,`,
        `b-5,${'x'.repeat(1_000_000)},${newPhone()},,,`,
        `b-6,"a"b,${newPhone()},,,`,
        '',
        `b-7,5" pipe,${newPhone()},,,`,
        `b-8,"never closed,${newPhone()},,,`,
        `b-9,Last,${newPhone()},,,`,
      ]),
    )
    expect(upload).toMatchObject({ status: 'done', rows: 9, created: 3, rejected: 6 })
    expect(await reportLines(upload)).toEqual([
      'line,column,value,message',
      '4,,"b-2,too,few","Expected 6 cells, as in the header, but got 3."',
      '5,,"b-3,too,many,,,,,","Expected 6 cells, as in the header, but got 8."',
      '6,First Name,nu\ufffdll,Null characters are not allowed.',
      `7,First Name,${'x'.repeat(100)},This cell holds 1 MB or more.`,
      expect.stringMatching(/^8,,"b-6,""a""b,.*",Text follows the end of a quoted cell. Quotes inside a quoted cell must be doubled\.$/),
      expect.stringMatching(/^11,,"b-8,""never closed,.*",A quote is opened in this row and never closed\.$/),
    ])
    expect(await Promise.all(['b-1', 'b-7', 'b-9'].map(firstNameOf))).toEqual(['Ann\n"A"', '5" pipe', 'Last'])
  })

  it('a CSV file may use Windows-1252, semicolons and old Mac line ends', async () => {
    const rows = ['Lead ID;Phone;First Name', `w-1;${newPhone()};Zo\xeb \x96 "x"`, `w-2;${newPhone()};"a;b"`]
    const upload = await ingested(Buffer.from(rows.join('\r'), 'latin1'), { filename: 'leads' })
    expect(upload).toMatchObject({ status: 'done', rows: 2, created: 2 })
    expect(await Promise.all(['w-1', 'w-2'].map(firstNameOf))).toEqual(['Zoë – "x"', 'a;b'])
  })
})

describe('an arbitrary file', () => {
  const cell = fc.constantFrom('f-1', 'f-2', 'Ann', '+12125550301', '(212) 555-0302', 'x', 'ann@example.com', 'NY', 'true', '=1+1', '')
  const pieces = fc.oneof({ weight: 6, arbitrary: cell }, fc.constantFrom('"', '"', '\n', '\r\n', '\0', '\x80', ';', ' ', ',,'))
  const line = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(','))

  it('an arbitrary CSV file has each row counted once and each rejected row reported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const upload = await ingested(Buffer.from(csv(lines), 'latin1'))
        const { rows, created, updated, unchanged, rejected } = upload
        expect(upload).toMatchObject({ status: 'done', error: null })
        expect(created + updated + unchanged + rejected).toBe(rows)
        const [, ...told] = (await reportLines(upload)).filter((text) => /^(line|\d+),/.test(text))
        expect(new Set(told.map((text) => text.split(',')[0])).size).toBe(rejected)
      }),
      { numRuns: 40 },
    )
  })
})
