import { describe, expect, it } from '@jest/globals'
import { suiteTable } from '#test/support/suite-world.ts'

suiteTable()

describe('a scan of the table', () => {
  it('a scan returns each item of the table once across several segments and pages', async () => {
    const [{ scanTable }, { batchPut }] = await Promise.all([
      import('#shared/platform/table/scan.ts'),
      import('#shared/platform/table/batches.ts'),
    ])
    const keys = Array.from({ length: 40 }, (_, index) => `LEAD#${index}`)
    await batchPut(keys.map((pk) => ({ pk, sk: 'LEAD', text: 'x'.repeat(100_000) })))
    const pages: number[] = []
    const found: unknown[] = []
    for await (const item of scanTable({ segments: 3, onPage: (items) => void pages.push(items) })) found.push(item['pk'])
    expect(found.toSorted()).toEqual(keys.toSorted())
    expect(pages.length).toBeGreaterThan(3)
    expect(pages.reduce((sum, items) => sum + items, 0)).toBe(40)
  })

  it('a scan of the table stops when the caller stops reading, and throws when a page fails', async () => {
    const { scanTable } = await import('#shared/platform/table/scan.ts')
    for await (const item of scanTable({ segments: 2 })) {
      expect(item['sk']).toBe('LEAD')
      break
    }
    const table = process.env['TABLE_NAME']
    process.env['TABLE_NAME'] = 'none'
    await expect(scanTable({ segments: 2 }).next()).rejects.toThrow(/not found/i)
    process.env['TABLE_NAME'] = table
  })
})
