import { expect, it } from '@jest/globals'
import { hotKeysPage } from '#lib/reference/hot-keys.ts'

it('the reference of hot keys shows that the rows of a file with one email or external id load one key', () => {
  const rows = hotKeysPage().split('\n')
  for (const key of ['EMAIL#{owner}#{email}', 'EXT#{owner}#{external id}']) {
    expect(rows.find((line) => line.startsWith(`| \`${key}\``))).toContain('row of a file that creates a lead')
  }
})
