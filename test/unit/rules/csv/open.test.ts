import { describe, expect, it } from '@jest/globals'
import type { CsvDialect } from '#shared/uploads/csv.ts'
import { HEAD_BYTES, openCsv } from '#shared/uploads/rules/csv/open.ts'
import { open } from '#test/support/csv.ts'

const COLUMNS = ['Lead ID', 'Phone']
const opened = (text: string | Buffer, more: Parameters<typeof open>[2] = {}) =>
  open(typeof text === 'string' ? Buffer.from(text, text.startsWith('\x1f') ? 'latin1' : 'utf8') : text, COLUMNS, more)
const UTF_16 =
  'The file is text in UTF-16, and not CSV in UTF-8 or Windows-1252. Save it as "CSV UTF-8", or convert it: iconv -f UTF-16 -t UTF-8 OLD.csv > NEW.csv'
const IMAGE = 'The file is an image, and not CSV in UTF-8 or Windows-1252. Ask for the data as CSV.'
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

describe('a file', () => {
  it.each([
    ['Lead ID,Phone\n1,2\n', { delimiter: ',', newline: '\n', start: { offset: 14, row: 1, line: 2 } }],
    ['Lead ID;Phone\r\n1;2\r\n', { delimiter: ';', start: { offset: 15, row: 1, line: 2 } }],
    ['Lead ID\tPhone\n', { delimiter: '\t' }],
    ['Lead ID,Phone\r1,2\r', { delimiter: ',', newline: '\r', start: { offset: 14, row: 1, line: 2 } }],
    ['\ufeffLead ID,Phone\n', { header: COLUMNS, start: { offset: 17, row: 1, line: 2 } }],
    [' "Lead ID" , Phone \n', { header: COLUMNS }],
    ['\r\n  \nLead ID,Phone\n', { start: { offset: 19, row: 1, line: 4 } }],
    ['"Lead ID","Phone","a\nb"\n', { header: [...COLUMNS, 'a\nb'], start: { offset: 24, row: 1, line: 3 } }],
    // Columns that the source reads count more than the number of cells.
    ['Lead ID;Phone;x,y,z,q\n', { delimiter: ';' }],
    ['Lead ID,Phone', { header: COLUMNS, start: { offset: 13, row: 1, line: 2 } }],
    // The separator hint of Excel's files.
    ['sep=;\nLead ID;Phone\n1;2\n', { delimiter: ';', header: COLUMNS, start: { offset: 20, row: 1, line: 3 } }],
    ['\ufeff"sep=\t"\r\n\r\nLead ID\tPhone\r\n', { delimiter: '\t', header: COLUMNS, start: { offset: 29, row: 1, line: 4 } }],
    ['SEP=,,,\rLead ID,Phone\r', { delimiter: ',', newline: '\r', header: COLUMNS, start: { offset: 22, row: 1, line: 3 } }],
    // The hint is ignored when the header uses another separator.
    ['sep=;\nLead ID,Phone\n', { delimiter: ',', header: COLUMNS }],
    ['sep=;\nPhone;a,b,c\n', { delimiter: ';', header: ['Phone', 'a,b,c'] }],
    ['sep=;\n"Phone";"a"\n', { delimiter: ';', header: ['Phone', 'a'] }],
    ['Phone,note,note\n', { header: ['Phone', 'note', 'note'] }],
  ])('a file takes its dialect from its first lines: %j', (text, dialect) => {
    expect(opened(text)).toMatchObject({ dialect })
  })

  it.each([
    ['Lead ID,Phone,Con-sented\n', '"Con-sented", which is similar to "Consented"'],
    ['Lead ID,Phone,Typ,Consented\n', undefined],
    ['Lead ID,Phone,consent.typ,Consented\n', '"consent.typ", which is similar to "consent.type"'],
    ['Lead ID,Phone,Consented,Consnted At\n', undefined],
    ['Lead ID,Phone,Consentd\n', '"Consentd", which is similar to "Consented"'],
    ['Lead ID,Phone,consent_time\n', '"consent_time", which is similar to "consent.time"'],
    ['Lead ID,Phone,City\n', undefined],
  ])('a file whose column looks like one of a consent is read, and its sender is told: %j', (text, said) => {
    const fields = [{ field: 'consent.time', names: ['Consented'] }]
    const dialect = opened(text, { fields })
    const sentence = `The source "demo" does not read ${said}: a consent in it is not recorded.`
    expect(dialect).toMatchObject({ dialect: expect.objectContaining({ header: expect.any(Array) }) })
    expect('dialect' in dialect && dialect.dialect.ignored).toEqual(said === undefined ? undefined : expect.stringContaining(sentence))
  })

  it('a file may have a header in Windows-1252', () => {
    expect(open(Buffer.from('Pr\xe9nom,Phone\n', 'latin1'), ['Prénom'])).toMatchObject({ dialect: { header: ['Prénom', 'Phone'] } })
  })

  it.each([
    ['', 'The file is empty.'],
    ['\ufeff', 'The file is empty.'],
    [' \r\n\n ', 'The file is empty.'],
    ['sep=;\r\n', 'The file is empty.'],
    ['sep=;', 'The file is empty.'],
    ['sep=|\nLead ID|Phone\n', 'The first line sets the separator "|". Only commas, semicolons and tabs are supported.'],
    [
      'a,b\n1,2\n',
      'The header, which is the first line, has none of the columns that the source "demo" reads. The file has "a", "b"; the source reads "Lead ID", "Phone". Rename columns in the file, or ask the operator to add their names to the source.',
    ],
    [
      'Lead,Phone number\n',
      'The header, which is the first line, has none of the columns that the source "demo" reads. The file has "Lead", "Phone number"; the source reads "Lead ID", "Phone". Is it "Lead" for "Lead ID", "Phone number" for "Phone"? Rename columns in the file, or ask the operator to add their names to the source.',
    ],
    [
      'Lead ID,PHONE,phone\n',
      'The header has "PHONE" and "phone", which are one name to the service: case and spaces do not count. Keep one of them, or name one of them exactly "Phone".',
    ],
    ['Lead ID,PHONE,PHONE\n', 'The header names "PHONE" more than once. Keep one of them.'],
    ['Lead ID,Phone,Phone,PHONE\n', 'The header names "Phone" more than once. Keep one of them.'],
    ['Lead ID,"Phone\n1,2\n', 'The header cannot be read: it is longer than 64 KB, or a quote in it is not closed.'],
    ['Lead ID,Ph\0one\n1,2\n', 'The file is not text: its first line holds null characters. Save it as CSV and upload that.'],
    [utf16('\ufeffLead ID,Phone\n'), UTF_16],
    [utf16('\ufeffLead ID,Phone\n').swap16(), UTF_16],
    [utf16('Lead ID,Phone\n1,2\n'), UTF_16],
    [utf16('Lead ID,Phone\n1,2\n').swap16(), UTF_16],
    [
      'PK\x03\x04\x14\0',
      'The file is a ZIP archive, as Excel workbooks (.xlsx) are, and not CSV in UTF-8 or Windows-1252. Open it in a spreadsheet program, save the sheet as "CSV UTF-8", and upload that file.',
    ],
    ['%PDF-1.7', 'The file is a PDF document, and not CSV in UTF-8 or Windows-1252. Ask for the data as CSV.'],
    [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), IMAGE],
    [Buffer.from('\xff\xd8\xff\xe0', 'latin1'), IMAGE],
    ['GIF87a', IMAGE],
    ['GIF89a', IMAGE],
    [
      '\x1f\x8b\x08',
      'The file is compressed (gzip), and not CSV in UTF-8 or Windows-1252. Decompress it with gunzip, and upload the CSV file.',
    ],
  ])('a file is refused with a reason: %j', (text, refusal) => {
    expect(opened(text)).toEqual({ refusal })
  })

  const needed = (names: string[]) => ({ needed: { names, purpose: 'to find leads' as const } })

  it('a file is refused when it lacks a column that its source needs, under all of its names', () => {
    expect(opened('Phone,Lead\n', needed(['Lead ID']))).toEqual({
      refusal:
        'The header has no column "Lead ID", which the source "demo" needs to find leads. The file has "Phone", "Lead"; the source reads "Lead ID", "Phone". Is it "Lead" for "Lead ID"? Rename columns in the file, or ask the operator to add their names to the source.',
    })
    expect(opened('PHONE,lead\n', needed(['Lead ID']))).toEqual({
      refusal: expect.stringContaining('The file has "PHONE", "lead"; the source reads "Lead ID", "Phone".'),
    })
    expect(opened('Phone,x\n', needed(['Lead ID', 'Ref']))).toEqual({
      refusal: expect.stringMatching(/^The header has no column "Lead ID" or "Ref", which the source "demo" needs to find leads\. /),
    })
    expect(opened('Lead ID,x\n', needed(['Ref', 'Lead ID']))).toHaveProperty('dialect')
  })

  it.each([
    ['Phone Number,Phone', 'Phone Nr\n', 'Is it "Phone Nr" for "Phone"?'],
    ['first name,last name', 'lastname\n', 'Is it "lastname" for "last name"?'],
    ['first name,last name', 'lastnam,firstnam\n', 'Is it "firstnam" for "first name", "lastnam" for "last name"?'],
    // Each of the two columns may be meant.
    ['Lead ID,first name,last name', 'Name,Lead\n', 'Is it "Lead" for "Lead ID"?'],
  ])('a refusal proposes each column of the file once at most: %j for %j', (columns, header, proposed) => {
    expect(open(Buffer.from(header), columns.split(','))).toEqual({ refusal: expect.stringContaining(`. ${proposed} Rename`) })
  })

  it('a file is refused with a short list of its columns when it has very many', () => {
    const header = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(100)}${index}`).join(',')
    expect(opened(`${header}\n`)).toEqual({ refusal: expect.stringMatching(/ and 470 more; the source reads "Lead ID", "Phone"\. Rename/) })
  })

  it.each([
    ['lead id,PHONE\n', COLUMNS],
    ['LEAD  ID, phone \n', COLUMNS],
    ['lead_id;Phone\n', COLUMNS],
    ['Lead\u00a0ID,Phone\n', COLUMNS],
    ['\ufeffLEAD ID,Phone\n', COLUMNS],
    // An exact name wins.
    ['Lead ID,Phone,PHONE\n', [...COLUMNS, 'PHONE']],
    ['lead ids,Phone,Other Name\n', ['lead ids', 'Phone', 'Other Name']],
  ])('a file has columns that match without regard to case, spaces and underscores: %j', (text, header) => {
    expect(opened(text)).toMatchObject({ dialect: { header } })
  })

  it.each([
    ['Name,Phone,Name\n', ['Name', 'Phone', 'Name'], 'The header names "Name" more than once. Only column 1, "Name", is read.'],
    [
      'NAME,Phone,name\n',
      ['Name', 'Phone', 'name'],
      'The header has "NAME" and "name", which are one name to the service: case and spaces do not count. Only column 1, "NAME", is read.',
    ],
    [
      'PHONE,Name,Phone\n',
      ['PHONE', 'Name', 'Phone'],
      'The header has "PHONE" and "Phone", which are one name to the service: case and spaces do not count. Only column 3, "Phone", is read.',
    ],
    ['Name,Phone,note,note\n', ['Name', 'Phone', 'note', 'note'], undefined],
  ])('a file with columns of one name says which of them are ignored: %j', (text, header, ignored) => {
    const { dialect } = open(Buffer.from(text), ['Phone', 'Name'], { decisive: ['Phone'] }) as { dialect: CsvDialect }
    expect({ header: dialect.header, ignored: dialect.ignored }).toEqual({ header, ignored })
  })

  it('a file names at most 30 of the columns that are ignored', () => {
    const { dialect } = open(Buffer.from(`Phone,${'Name,'.repeat(100)}NAME\n`), ['Phone', 'Name'], { decisive: ['Phone'] }) as {
      dialect: CsvDialect
    }
    expect(dialect.ignored).toMatch(
      /^The header has "Name", .* and 71 more, which are one name to the service: .* Only column 2, "Name", is read\.$/,
    )
  })

  it('a file gives a column to the first of the names that match it loosely', () => {
    expect(open(Buffer.from('PHONE\n'), ['phone', 'Phone'])).toMatchObject({ dialect: { header: ['phone'] } })
    expect(open(Buffer.from('Phone,PHONE\n'), ['phone', 'Phone'])).toMatchObject({ dialect: { header: ['Phone', 'phone'] } })
  })

  it.each(['a.csv', 'A.CSV', 'a.b.txt', 'a.tsv', 'a.TAB', 'a', 'leads 2026.11.20', 'leads v1.2'])('a file may be named %s', (filename) => {
    expect(opened('Lead ID\n', { filename })).toHaveProperty('dialect')
  })

  it.each(['a.xlsx', 'a.csv.gz', 'a.JSON', 'a.7z'])('a file may not be named %s', (filename) => {
    const ending = filename.split('.').at(-1)?.toLowerCase()
    expect(opened('Lead ID\n', { filename })).toEqual({
      refusal: `Files ending in .${ending} are not read. The name of a CSV file ends in .csv, .tsv, .tab or .txt, or has no ending.`,
    })
  })

  it('a file may exceed the bytes searched for the header if the header fits in them', () => {
    const expected = { filename: 'a.csv', source: 'demo', columns: COLUMNS, decisive: [], fields: [], needed: null }
    const head = Buffer.alloc(HEAD_BYTES, 'x')
    expect(openCsv(head, false, expected)).toHaveProperty('refusal')
    head.write('Lead ID,Phone\n"')
    expect(openCsv(head, false, expected)).toMatchObject({ dialect: { start: { offset: 14 } } })
  })
})
