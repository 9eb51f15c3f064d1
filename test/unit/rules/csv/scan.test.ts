import { describe, expect, it } from '@jest/globals'
import { scanRecord } from '#shared/uploads/rules/csv/scan.ts'

/** Counts the bytes that searches read. */
class CountedBytes extends Uint8Array {
  static passed = 0
  override indexOf(byte: number, from = 0): number {
    const found = super.indexOf(byte, from)
    CountedBytes.passed += (found === -1 ? this.length : found + 1) - Math.min(from, this.length)
    return found
  }
}

const format = { delimiter: ',', newline: '\n' } as const

const passedFor = (text: string): number => {
  CountedBytes.passed = 0
  const scanned = scanRecord(CountedBytes.from(Buffer.from(text)), 0, format, true)
  expect(scanned.kind).toBe('record')
  return CountedBytes.passed
}

describe('a record', () => {
  it('a record is scanned in time linear in its length, even with many quoted cells', () => {
    for (const cell of ['"",', '"a",', '"a\nb",', '"a""b",']) {
      const text = `${cell.repeat(2_000)}last\n`
      expect(passedFor(text)).toBeLessThan(4 * text.length)
    }
  })

  it('a record counts the lines inside its quoted cells', () => {
    const linesOf = (text: string) => {
      const scanned = scanRecord(Buffer.from(text), 0, format, true)
      return 'lines' in scanned ? scanned.lines : undefined
    }
    expect(linesOf('"a\nb","\n\n",c\n"d\n"')).toBe(4)
    expect(linesOf('"","",c\n\n')).toBe(1)
  })
})
