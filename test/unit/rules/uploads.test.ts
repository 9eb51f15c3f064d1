import { describe, expect, it } from '@jest/globals'
import { getCountries, Metadata } from 'libphonenumber-js/min'
import * as v from 'valibot'
import { phoneField } from '#shared/http/fields/phone.ts'
import { Source } from '#shared/ingestion/ingestion.ts'
import { isOutdated, markOf, withMark } from '#shared/leads/rules/row-marks.ts'
import { lanesBy, rowReader } from '#shared/uploads/ingest/read-row.ts'
import { chainsOf } from '#shared/uploads/rules/chains.ts'
import { LANE_BYTES, laneOf, planLanes } from '#shared/uploads/rules/lanes.ts'
import { rejectedLine } from '#shared/uploads/rules/report-csv.ts'
import type { LanePlan } from '#shared/uploads/upload.ts'

describe('rows of an upload', () => {
  const chains = (...rows: string[]) => chainsOf(rows, (row) => [...row]).map((chain) => chain.join(' '))

  it('rows of an upload with common keys form one group in order, even when a later row joins two groups', () => {
    expect(chains('a', 'b', 'c', 'a', 'bc', 'ca')).toEqual(['a b c a bc ca'])
    expect(chains('ax', 'b', 'c', 'xb', 'd', 'c')).toEqual(['ax b xb', 'c c', 'd'])
    expect(chains('a', 'b', 'ab', 'a', 'b')).toEqual(['a b ab a b'])
  })

  it('rows of an upload without keys form groups of their own', () => {
    expect(chains('', '', 'a')).toEqual(['', '', 'a'])
  })
})

describe('the lane of a row', () => {
  const at = { offset: 0, row: 5, line: 6 }
  const lane = (cells: Readonly<Record<string, string>>, by: LanePlan['by'], row = at.row, signs = true) =>
    laneOf({ at: { ...at, row }, next: at, read: (column) => cells[column] }, { lanes: 8, columns: ['A', 'B'], by, signs })

  it('is decided by the value of the row, however it is spelled, and never changes between versions', () => {
    expect([lane({ A: 'A-101' }, 'first'), lane({ A: ' a101' }, 'first'), lane({ B: 'A101' }, 'first')]).toEqual([7, 7, 7])
    const spelled = [
      '(404) 555-0002',
      '+14045550002',
      '\uff14\uff10\uff14\uff15\uff15\uff15\uff10\uff10\uff10\uff12',
      '404 555 0002 ext. 7',
      'Tel. 4045550002 #7',
    ]
    expect(spelled.map((text) => lane({ A: text }, 'phone'))).toEqual([1, 1, 1, 1, 1])
    expect([lane({ A: '404', B: '555' }, 'all'), lane({ A: '404', B: '556' }, 'all')]).toEqual([1, 2])
    expect(lane({}, 'first')).toBe(6)
  })

  it.each([
    ['+33123456789', '+33 1 23 45 67 89', '+33 (0)1 23 45 67 89', '+330123456789'],
    ['+4930901820', '+49 30 901820', '+49 (0)30 901820', '+49 (0) 30 / 90 18 20'],
    ['+4315880415', '+43 1 5880415', '+43 (0)1 5880415', '+43 (0)1 5880415 ext. 12'],
    ['+5491112345678', '+54 9 11 1234 5678', '+54 011 15 1234-5678'],
    ['+12125550123', '2125550123', '1-212-555-0123', '\u00a0(212)\u00a0555-0123 ', '212.555.0123', '011 1 212 555 0123'],
    ['+12125550123', '212-555-0123 x45', '(212) 555-0123 45#', '212-555-0123 доб 4', '(212) 555-0123 EXT. 45'],
    ['+12125550123', '２１２５５５０１２３', '٢١٢٥٥٥٠١٢٣', '+۱۲۱۲۵۵۵۰۱۲۳'],
    ['+6834002', '+683 4002', '+683-40-02'],
  ])('is the same for all notations of the phone number %s', (number, ...notations) => {
    const Phone = v.object({ phone: phoneField() })
    expect(notations.map((phone) => v.parse(Phone, { phone }).phone)).toEqual(notations.map(() => number))
    expect(notations.map((text) => lane({ A: text }, 'number'))).toEqual(notations.map(() => lane({ A: number }, 'number')))
  })

  it('is decided by the last digits of a phone number in every country', () => {
    const shortest = getCountries().map((country) => {
      const metadata = new Metadata()
      metadata.selectNumberingPlan(country)
      return Math.min(...(metadata.numberingPlan?.possibleLengths() ?? []))
    })
    expect(Math.min(...shortest)).toBe(4)
  })

  it('never changes between versions for a phone number, and spreads numbers evenly', () => {
    expect(['+12125550123', '+33 1 23 45 67 89', '***'].map((text) => lane({ A: text }, 'number'))).toEqual([2, 5, 6])
    const rows = Array.from({ length: 8000 }, (_, index) => lane({ A: `+1212555${`${index}`.padStart(4, '0')}` }, 'number'))
    for (const count of Map.groupBy(rows, (one) => one).values()) expect(Math.abs(count.length - 1000)).toBeLessThan(100)
  })

  it('is decided by a value of signs only, too', () => {
    const rows = Array.from({ length: 8 }, (_, row) => row)
    expect(new Set(rows.map((row) => lane({ A: row % 2 === 0 ? '***' : ' *** ' }, 'first', row))).size).toBe(1)
    // Plans of an earlier version left such rows to their numbers.
    expect(new Set(rows.map((row) => lane({ A: '***' }, 'first', row, false))).size).toBe(8)
  })

  const upsert = { mode: 'upsert', lookup_column: 'Id' } as const
  const reader = (entry: object, of: object = upsert) => {
    const mapping = [
      { to: 'phone_number', from: 'Phone' },
      { to: 'external_id', from: 'Id', ...entry },
    ]
    return rowReader(v.parse(Source, { owner: 1, name: 'demo', lead_type: null, mapping, ...of }))
  }

  it('is decided by the columns of the lookup value, or of the phone number of new leads', () => {
    expect(lanesBy(reader({ transforms: ['trim', 'lower'] }))).toEqual({ columns: ['Id'], by: 'first' })
    expect(lanesBy(reader({}, { mode: 'create', lookup_column: null }))).toEqual({ columns: ['Phone'], by: 'number' })
  })

  it.each([
    { transforms: ['digits'] },
    { transforms: ['trim', 'number'] },
    // `ß` becomes `SS`.
    { transforms: ['upper'] },
    // An `ı` without a dot becomes `I` at the beginning of a word.
    { transforms: ['trim', 'capitalize'] },
    { values: { a: '1', b: '1' } },
  ])('is the only one where different cells may give one lookup value: %j', (entry) => {
    const by = lanesBy(reader(entry))
    expect(by).toBeNull()
    expect(planLanes(1000 * LANE_BYTES, by)).toBeNull()
  })

  it('is the only one where a phone number is joined', () => {
    const mapping = [{ to: 'phone_number', from: ['Area', 'Phone'], join: '' }]
    expect(lanesBy(reader({}, { mode: 'create', lookup_column: null, mapping }))).toBeNull()
  })

  it('divides only files beyond a size, into eight parts at most', () => {
    const by = { columns: ['A'], by: 'first' as const }
    expect([1, LANE_BYTES, LANE_BYTES + 1, 1000 * LANE_BYTES].map((bytes) => planLanes(bytes, by)?.lanes ?? 1)).toEqual([1, 1, 2, 8])
  })
})

describe('a line of the rejected-rows file', () => {
  const line = (value: string, column = 'c') => rejectedLine({ line: 7, column, value, message: 'Wrong.' })

  it.each([
    ['plain', '7,c,plain,Wrong.\r\n'],
    ['a "b", c\nd', '7,c,"a ""b"", c\nd",Wrong.\r\n'],
    ['=1+1', "7,c,'=1+1,Wrong.\r\n"],
    ['+1', "7,c,'+1,Wrong.\r\n"],
    ['-1', "7,c,'-1,Wrong.\r\n"],
    ['@a', "7,c,'@a,Wrong.\r\n"],
    ['\ta', "7,c,'\ta,Wrong.\r\n"],
    ['\ra', '7,c,"\'\ra",Wrong.\r\n'],
    // In lists separated by semicolons, or files pasted by tabs, these would begin a new cell.
    ['a;=1+1', "7,c,a;'=1+1,Wrong.\r\n"],
    ['a\t@b', "7,c,a\t'@b,Wrong.\r\n"],
    ['a;"=b"', '7,c,"a;\'""=b""",Wrong.\r\n'],
    ['a\n-b', '7,c,"a\n\'-b",Wrong.\r\n'],
    ['a; b=c-d', '7,c,a; b=c-d,Wrong.\r\n'],
    ['a; =b', "7,c,a;' =b,Wrong.\r\n"],
    // Full-width characters.
    ['＝1', "7,c,'＝1,Wrong.\r\n"],
    ['＋1', "7,c,'＋1,Wrong.\r\n"],
    ['－1', "7,c,'－1,Wrong.\r\n"],
    ['＠a', "7,c,'＠a,Wrong.\r\n"],
    ['a＝b', '7,c,a＝b,Wrong.\r\n'],
    // After white space, zero-width characters and quotes.
    [' =1', "7,c,' =1,Wrong.\r\n"],
    ['\u00a0\u3000@a', "7,c,'\u00a0\u3000@a,Wrong.\r\n"],
    ['\ufeff\u200b\v-1', "7,c,'\ufeff\u200b\v-1,Wrong.\r\n"],
    [' " =1', '7,c,"\' "" =1",Wrong.\r\n'],
    ['a\n  =1, 2', '7,c,"a\n\'  =1, 2",Wrong.\r\n'],
    ['  a = 1', '7,c,  a = 1,Wrong.\r\n'],
    // A null character is shown as U+FFFD.
    ['a\0b', '7,c,a\ufffdb,Wrong.\r\n'],
    ['\0=1', "7,c,'\ufffd=1,Wrong.\r\n"],
  ])('a line of the rejected-rows file shows %j so that no spreadsheet runs it as a formula', (value, expected) => {
    expect(line(value)).toBe(expected)
  })

  it('a line of the rejected-rows file escapes formulas in the column name too, and cuts long values', () => {
    expect(line('', '=c')).toBe("7,'=c,,Wrong.\r\n")
    expect(line('x'.repeat(5000)).length).toBeLessThan(1100)
  })
})

describe('marks of rows', () => {
  it('marks of rows show the outcome of a row and whether a later row has written', () => {
    const ingested = withMark([{ upload: 'b', row: 9, outcome: 'updated' }], { upload: 'a', row: 3, batchFrom: 1 }, 'created')
    const at = (upload: string, row: number) => ({ upload, row, batchFrom: 1 })
    expect(markOf({ ingested }, at('a', 3))).toBe('created')
    expect(markOf({ ingested }, at('a', 2))).toBeUndefined()
    expect([isOutdated({ ingested }, at('a', 2)), isOutdated({ ingested }, at('a', 3)), isOutdated({ ingested }, at('a', 4))]).toEqual([
      true,
      false,
      false,
    ])
    expect([isOutdated({ ingested }, at('b', 8)), isOutdated({ ingested }, at('c', 1))]).toEqual([true, false])
  })

  it('marks of rows of different lanes neither outdate nor remove each other', () => {
    const first = withMark([], { upload: 'a', row: 3, batchFrom: 1, lane: 1 }, 'created')
    const ingested = withMark(first, { upload: 'a', row: 900, batchFrom: 800, lane: 2 }, 'updated')
    expect(ingested.map(({ row }) => row)).toEqual([3, 900])
    expect(isOutdated({ ingested }, { upload: 'a', row: 3, batchFrom: 1, lane: 1 })).toBe(false)
    expect(isOutdated({ ingested }, { upload: 'a', row: 850, batchFrom: 800, lane: 2 })).toBe(true)
  })

  it('a lead keeps the row marks of the upload that writes it and of the five uploads before', () => {
    const marks = [1, 2, 3, 4, 5, 6].flatMap((other) => [1, 2, 3].map((row) => ({ upload: `o${other}`, row, outcome: 'updated' as const })))
    const ingested = withMark(marks, { upload: 'own', row: 1, batchFrom: 1 }, 'created')
    expect(ingested).toEqual([...marks.slice(3), { upload: 'own', row: 1, outcome: 'created' }])
  })
})
