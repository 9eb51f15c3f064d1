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
    const found: unknown[] = []
    let pages = 0
    for await (const { items } of scanTable({ segments: 3 })) {
      found.push(...items.map(({ pk }) => pk))
      pages++
    }
    expect(found.toSorted()).toEqual(keys.toSorted())
    expect(pages).toBeGreaterThan(3)
  })

  it('a scan of the table stops when the caller stops reading, and throws when a page fails', async () => {
    const { scanTable } = await import('#shared/platform/table/scan.ts')
    for await (const { items } of scanTable({ segments: 2 })) {
      expect(items[0]?.['sk']).toBe('LEAD')
      break
    }
    const table = process.env['TABLE_NAME']
    process.env['TABLE_NAME'] = 'none'
    await expect(scanTable({ segments: 2 }).next()).rejects.toThrow(/not found/i)
    process.env['TABLE_NAME'] = table
  })
})
