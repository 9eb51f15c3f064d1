import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import * as keys from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'

/** A lead that is missing from the leads of its phone number, and cannot be found by its external id. */
let damaged: number

const { tool } = opsWorld({
  prepare: async () => {
    for (let index = 0; index < 20; index++) await created({ phone_number: `+12125550${index + 100}`, external_id: `crm-${index}` })
    const lead = (await getLead((await created({ external_id: 'crm-lost' })).id))!
    await deleteItem(keys.personKey(lead.owner, lead.phone_number))
    await deleteItem(keys.externalIdPointerKey(lead.owner, 'crm-lost', lead.id))
    damaged = lead.id
  },
})

let [folder, scratch] = ['', '']
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
  scratch = await mkdtemp(join(tmpdir(), 'scratch-'))
})
afterEach(async () => {
  for (const path of [folder, scratch]) await rm(path, { recursive: true })
})

const scan = (segment: string) => tool().ops(['check', '--segment', segment, '--into', folder, '--scratch', scratch])
const joined = () => tool().ops(['check', '--join', folder, '--json', '--again-after', '0'])
const locations = (out: string): string[] => JSON.parse(out).findings.map(({ kind, where }: Record<string, string>) => `${kind} ${where}`)

describe('a check in segments', () => {
  it('a check in segments finds what a check of the whole table finds', async () => {
    for (const segment of ['1/3', '2/3', '3/3']) expect(await scan(segment)).toMatchObject({ code: 0, err: '' })
    const whole = await tool().ops(['check', '--json', '--again-after', '0', '--scratch', scratch])
    const parts = await joined()
    expect(parts).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(parts.out)).toEqual(JSON.parse(whole.out))
    expect(locations(parts.out)).toEqual([`person-lacks-lead ${damaged}`, `pointer-missing ${damaged}`])
    expect((await readdir(folder)).toSorted()).toEqual(['segment-1-of-3', 'segment-2-of-3', 'segment-3-of-3'])
    expect(await readdir(scratch)).toEqual([])
  })

  it('a check replaces the file of a segment that it reads again', async () => {
    for (const segment of ['1/2', '2/2', '1/2']) expect(await scan(segment)).toMatchObject({ code: 0 })
    expect(await joined()).toMatchObject({ code: 1, err: '' })
  })
})

describe('files that are not those of each segment once', () => {
  const refusal = async (): Promise<string> => {
    const { code, out, err } = await joined()
    expect({ code, document: JSON.parse(out) }).toEqual({ code: 1, document: { error: err.trimEnd() } })
    return err.replaceAll(folder, 'DIR')
  }

  it('check --join refuses a missing segment, and names the command that reads it', async () => {
    expect(await refusal()).toBe('DIR has no segments. Write them with: npm run ops -- check --segment 1/4 --into DIR\n')
    await scan('2/3')
    expect(await refusal()).toBe(
      'DIR lacks segments. Scan them, or copy their files there:\n  npm run ops -- check --segment 1/3 --into DIR\n  npm run ops -- check --segment 3/3 --into DIR\n',
    )
  })

  it('check --join refuses a segment that is there twice', async () => {
    await scan('1/1')
    await copyFile(join(folder, 'segment-1-of-1'), join(folder, 'segment-1-of-1 (2)'))
    expect(await refusal()).toBe('DIR/segment-1-of-1 and DIR/segment-1-of-1 (2) are the same segment. Remove one of them.\n')
  })

  it('check --join refuses segments that divide the table differently', async () => {
    await scan('1/1')
    await scan('1/2')
    expect(await refusal()).toBe(
      'DIR/segment-1-of-1 is one of 1 segments, but DIR/segment-1-of-2 is one of 2. Keep the files of one division.\n',
    )
  })

  it('check --join refuses a segment that is incomplete, lacks records, or is of another table', async () => {
    await scan('1/1')
    const file = join(folder, 'segment-1-of-1')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.slice(0, text.length / 2))
    expect(await refusal()).toBe('DIR/segment-1-of-1 is not the complete file of a segment. Copy it again, or remove it from the folder.\n')
    await writeFile(file, text.replace(/"table":"[^"]*"/, '"table":"another"'))
    expect(await refusal()).toBe('DIR/segment-1-of-1 is a segment of another table. Remove it from the folder.\n')
    await writeFile(file, text.replace(/"format":\d+/, '"format":0'))
    expect(await refusal()).toBe('DIR/segment-1-of-1 was written by another version of this tool. Scan that segment again.\n')
    await writeFile(file, text.slice(text.indexOf('\n') + 1))
    expect(await refusal()).toBe('The files in DIR do not have as many records as they say. Copy or scan them again.\n')
    await rename(file, join(folder, '.segment-1-of-1'))
    expect(await refusal()).toMatch(/^DIR has no segments/)
  })
})

describe('the options of a check in segments', () => {
  it.each([
    [['--segment', '1/2'], /^Use --segment and --into together: .*such as 2\/4/m],
    [['--into', 'x'], /^Use --segment and --into together/m],
    [['--segment', '1/2', '--into', '/', '--join', '/'], /^Use either --segment or --join/m],
    [['--segment', '3/2', '--into', '/'], /There is no segment 3 of 2: the last one is 2\/2\./],
    [['--segment', '1/101', '--into', '/'], /Use at most 100 segments: --join opens all files at once\./],
    [['--segment', '0/2', '--into', '/'], /such as 2\/4\./],
    [['--segment', '1/2', '--into', '/nowhere'], /^--into: there is no folder \/nowhere\. Create it, or name another one\.$/m],
    [['--into', 'package.json', '--segment', '1/2'], /^--into: .*package\.json is not a folder\. Name another one\.$/m],
    [['--join', '/nowhere'], /^--join: there is no folder \/nowhere\./m],
    [['--scratch', '/nowhere'], /^--scratch: there is no folder \/nowhere\./m],
  ])('check refuses the options %j', async (options, sentence) => {
    expect(await tool().ops(['check', ...options])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) })
  })
})

describe('very much damage of one kind', () => {
  it('check lists 1,000 findings of one kind and counts the rest, and one command repairs all', async () => {
    const stray = Array.from({ length: 1004 }, (_, index) => keys.externalIdPointerKey(1, `stray ${index}`, damaged))
    await batchPut(stray.map((key) => ({ ...key })))
    const { code, out, err } = await tool().ops(['check', '--json', '--again-after', '0'])
    const { findings, more } = JSON.parse(out)
    expect({ code, err, more }).toEqual({ code: 1, err: '', more: { 'pointer-stray': 4 } })
    expect(findings.filter(({ kind }: { kind: string }) => kind === 'pointer-stray')).toHaveLength(1000)
    const text = await tool().ops(['check', '--again-after', '0'])
    expect(text.out).toContain('pointer-stray: 4 more findings, not listed here.\n\n1,006 findings of 3 kinds.')
    expect(await tool().ops(['repair', '--all', '--again-after', '0'])).toMatchObject({ code: 0 })
    expect(await tool().ops(['check', '--again-after', '0'])).toMatchObject({ code: 0 })
  })
})
