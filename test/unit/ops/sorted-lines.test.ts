import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { eachLine, SortedLines } from '#lib/ops/check/lines/sorted-lines.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'

const { directory } = cleanUpEach('lines')

let folders = 0
const newFolder = (): string => {
  const folder = join(directory(), `${folders++}`)
  mkdirSync(folder)
  return folder
}

const bytesIn = (folder: string): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const collected = async (lines: Iterable<string>): Promise<string[]> => {
  const all: string[] = []
  await eachLine(lines, (line) => void all.push(line))
  return all
}

const Line = fc.string({ unit: 'binary', maxLength: 30 }).filter((line) => line !== '' && !line.includes('\n'))

describe('lines that are sorted with little memory', () => {
  it('sorted lines come out in order and complete, whatever the lines and the limits are', async () => {
    const sortsAll = fc.asyncProperty(
      fc.array(Line, { maxLength: 200 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 2, max: 5 }),
      async (lines, held, fan) => {
        const sorter = new SortedLines({ folder: newFolder(), held, fan })
        for (const line of lines) sorter.add(line)
        expect(await collected(await sorter.sorted())).toEqual(lines.toSorted())
      },
    )
    await fc.assert(sortsAll, { numRuns: 100 })
  })

  it('a sort holds lines in memory up to its limit, and the rest in files', async () => {
    const folder = newFolder()
    const sorter = new SortedLines({ folder, held: 1000, fan: 10 })
    let added = 0
    const held: number[] = []
    for (let index = 0; index < 20_000; index++) {
      const line = `${(index * 7919) % 20_000}`.padStart(5, '0')
      sorter.add(line)
      added += line.length + 1
      if (index % 100 === 0) held.push(added - bytesIn(folder))
    }
    expect(Math.max(...held)).toBeLessThanOrEqual(1000)
    const lines = await sorter.sorted()
    expect(readdirSync(folder).length).toBeLessThanOrEqual(10)
    expect(await collected(lines)).toEqual(Array.from({ length: 20_000 }, (_, index) => `${index}`.padStart(5, '0')))
    expect((await collected(lines)).length).toBe(20_000)
  })

  it('lines that a full disk takes only in part are an error: a part of them would hide damage', () => {
    const module = JSON.stringify(new URL('../../../lib/ops/check/lines/sorted-lines.ts', import.meta.url))
    const path = JSON.stringify(join(newFolder(), 'lines'))
    const code = `const { LineWriter } = await import(${module})
      const writer = new LineWriter(${path})
      for (let line = 0; line < 1000; line++) writer.write('a line')
      writer.close()`
    // Files may have one block only.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', code]
    const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('EFBIG') })
  })
})
