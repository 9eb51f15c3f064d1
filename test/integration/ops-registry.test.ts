import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { scanTable } from '#shared/platform/table/scan.ts'
import { otherVersions } from '#shared/registries/registry-store.ts'
import { isOnRegistry as isOn, registryNamed, registryWorld, TODAY } from '#test/support/registries.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const { tool, file, importing } = registryWorld()

/** The versions of a list that have blocks in the table. */
const versionsStored = async (list: string): Promise<string[]> => {
  const found = new Set<string>()
  for await (const { items } of scanTable({ segments: 1 })) {
    for (const { pk } of items) {
      const [, version] = new RegExp(`^REGISTRY#${list}#([^#]+)#`).exec(`${pk}`) ?? []
      if (version !== undefined) found.add(version)
    }
  }
  return [...found]
}

const lines = (from: number, count: number): string => Array.from({ length: count }, (_, at) => `212,${from + at}\n`).join('')

/** Fails the given request to the table, counted from 1, of one kind. */
const failing = <T>(kind: string, number: number, run: () => Promise<T>): Promise<T> => {
  let count = 0
  return beforeEachSend((command) => {
    if ((command as object).constructor.name === kind && ++count === number) throw new Error('The connection broke.')
  }, run)
}

describe('the import of a full list', () => {
  it('registry import stores the numbers of all files, and a look-up finds exactly these', async () => {
    const other = file(gzipSync('2125550102\r\n\r\n(212) 555-0103\r\n'), 'other.txt.gz')
    const done = await tool().ops(['registry', 'import', file('212,5550100\n212,5550101\n'), other, '--list', 'state:TX', '--as-of', TODAY])
    expect(done).toEqual({ code: 0, out: 'The list state:TX has 4 numbers as of 2026-11-20.\n', err: expect.stringContaining('100 %') })
    for (const last of ['0', '1', '2', '3']) expect(await isOn('state:TX', `+1212555010${last}`)).toBe(true)
    expect(await isOn('state:TX', '+12125550104')).toBe(false)
    expect(await isOn('state:OK', '+12125550100')).toBeUndefined()
  })

  it('registry import replaces the former list, and removes its blocks', async () => {
    await importing('state:FL', '212,5550100\n212,5550101\n', [], '2026-11-18')
    expect(await isOn('state:FL', '+12125550100')).toBe(true)
    const done = await importing('state:FL', '212,5550101\n212,5550102\n212,5550102\n')
    expect(done).toMatchObject({
      code: 0,
      out: 'The list state:FL has 2 numbers as of 2026-11-20. It replaces 2 numbers as of 2026-11-18.\n',
    })
    // This process remembers the former version, as a function does for ten seconds.
    expect(await isOn('state:FL', '+12125550100')).toBe(false)
    expect(await isOn('state:FL', '+12125550102')).toBe(true)
    expect(await versionsStored('state:FL')).toEqual([(await registryNamed('state:FL'))?.version])
  })

  it('registry import keeps which area codes a full list has, and warns when one is missing that the former list had', async () => {
    const both = await importing('state:MA', '617,5550100\n508,5550100\n617,5550101\n')
    expect(both.err).not.toContain('Warning')
    expect(await registryNamed('state:MA')).toMatchObject({ area_codes: ['508', '617'] })
    const one = await importing('state:MA', '617,5550100\n', ['--smaller'])
    const warning = 'Warning: the full list state:MA has no number with the area code 508, but the former list had.'
    expect(one).toMatchObject({ code: 0, err: expect.stringContaining(warning) })
    expect(await registryNamed('state:MA')).toMatchObject({ area_codes: ['617'], is_complete: false })
    await importing('state:MA', '617,5550100\n', ['--complete'])
    expect(await registryNamed('state:MA')).toMatchObject({ area_codes: ['617'], is_complete: true })
  })

  it('registry import of the same file again changes nothing', async () => {
    const first = await importing('state:GA', lines(5_550_100, 3000), ['--json'])
    const again = await importing('state:GA', lines(5_550_100, 3000), ['--json'])
    expect(JSON.parse(again.out)).toEqual({ list: 'state:GA', as_of: TODAY, numbers: 3000 })
    expect(again.out).toBe(first.out)
    expect(await isOn('state:GA', '+12125553099')).toBe(true)
    expect(await isOn('state:GA', '+12125553100')).toBe(false)
  })

  it.each([
    ['BatchWriteCommand', 2],
    ['BatchWriteCommand', 10],
    ['TransactWriteCommand', 1],
  ])('the former list stays in force when an import breaks off, and the next import cleans up: %s %d', async (kind, number) => {
    const list = `state:${{ 2: 'ME', 10: 'VT', 1: 'NH' }[number]}`
    await importing(list, '212,5550100\n', [], '2026-11-18')
    const before = await registryNamed(list)
    const broken = await failing(kind, number, () => importing(list, lines(5_550_200, 3000)))
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('The connection broke.') })
    expect(await registryNamed(list)).toEqual(before)
    expect(await isOn(list, '+12125550100')).toBe(true)
    expect(await isOn(list, '+12125550200')).toBe(false)
    expect(await otherVersions(list)).toHaveLength(1)
    expect(await importing(list, lines(5_550_200, 3000))).toMatchObject({ code: 0 })
    expect(await isOn(list, '+12125550100')).toBe(false)
    expect(await isOn(list, '+12125550200')).toBe(true)
    expect(await otherVersions(list)).toEqual([])
    expect(await versionsStored(list)).toEqual([(await registryNamed(list))?.version])
  })

  it('an import that another import overtakes puts nothing in force', async () => {
    let isOvertaken = false
    const overtake = async (command: unknown) => {
      if (isOvertaken || (command as object).constructor.name !== 'BatchWriteCommand') return
      isOvertaken = true
      const path = file('212,5550101\n', 'faster.txt')
      expect(await tool().ops(['registry', 'import', path, '--list', 'state:OR', '--as-of', TODAY])).toMatchObject({ code: 0 })
    }
    const slow = await beforeEachSend(overtake, () => importing('state:OR', '212,5550100\n'))
    expect(slow).toMatchObject({ code: 1, err: expect.stringContaining('Another import has changed the list state:OR meanwhile.') })
    expect(await isOn('state:OR', '+12125550100')).toBe(false)
    expect(await isOn('state:OR', '+12125550101')).toBe(true)
  })

  it('a full list that changes of the list in force overtake leaves no blocks', async () => {
    await importing('state:WI', '212,5550100\n', [], '2026-11-19')
    let isOvertaken = false
    const overtake = async (command: unknown) => {
      if (isOvertaken || (command as object).constructor.name !== 'TransactWriteCommand') return
      isOvertaken = true
      const path = file(`212,5550101,${TODAY},A\n`, 'changes.txt')
      const changes = ['registry', 'import', path, '--list', 'state:WI', '--as-of', TODAY, '--changes']
      expect(await tool().ops(changes)).toMatchObject({ code: 0 })
    }
    const slow = await beforeEachSend(overtake, () => importing('state:WI', '212,5550102\n'))
    expect(slow).toMatchObject({ code: 1, err: expect.stringContaining('Another import has changed the list state:WI meanwhile.') })
    expect(await otherVersions('state:WI')).toEqual([])
    expect(await versionsStored('state:WI')).toEqual([(await registryNamed('state:WI'))?.version])
  })

  it('a number that is on both lists is found at every moment of an import', async () => {
    const seen = new Set<boolean | undefined>()
    await importing('state:WA', lines(5_550_100, 2000))
    let isLooking = false
    const look = async () => {
      if (isLooking) return
      isLooking = true
      seen.add(await isOn('state:WA', '+12125550200'))
      isLooking = false
    }
    expect(await beforeEachSend(look, () => importing('state:WA', lines(5_550_200, 2000)))).toMatchObject({ code: 0 })
    expect([...seen]).toEqual([true])
  })
})

describe('the import of changes', () => {
  it('registry import --changes adds and deletes numbers, and moves the day of the list', async () => {
    await importing('state:CO', '212,5550100\n212,5550101\n', [], '2026-11-11')
    const changes = '212,5550101,2026-11-12,D\n212,5550102,2026-11-13,A\n212,5550103,2026-11-14,D\n'
    expect(await importing('state:CO', changes, ['--changes', '--smaller'], '2026-11-15')).toMatchObject({
      code: 0,
      out: 'Added 1 number and removed 1 number. The list state:CO has 2 numbers as of 2026-11-15.\n',
    })
    const now = await Promise.all(['0', '1', '2', '3'].map((last) => isOn('state:CO', `+1212555010${last}`)))
    expect(now).toEqual([true, false, true, false])
    expect(await importing('state:CO', changes, ['--changes', '--json', '--smaller'], '2026-11-15')).toMatchObject({
      code: 0,
      out: expect.stringContaining('"added": 0'),
    })
    expect(await registryNamed('state:CO')).toMatchObject({ numbers: 2, as_of: '2026-11-15' })
  })

  it('changes do not make a list have an area code whose file was never imported', async () => {
    await importing('state:MD', '301,5550100\n')
    const { code, err } = await importing('state:MD', `410,5550100,${TODAY},A\n301,5550101,${TODAY},A\n`, ['--changes'])
    const warning = 'Warning: the full list state:MD has no number with the area code 410, but these changes have.'
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(warning) })
    expect(await registryNamed('state:MD')).toMatchObject({ area_codes: ['301'], numbers: 3 })
  })

  it('the last change of a number counts, and on one day its addition', async () => {
    await importing('state:UT', '212,5550100\n', [], '2026-11-10')
    const changes = [
      ...['212,5550101,2026-11-12,D', '212,5550101,2026-11-11,A'],
      ...['212,5550102,2026-11-11,D', '212,5550102,2026-11-12,A'],
      ...['212,5550103,2026-11-12,A', '212,5550103,2026-11-12,D'],
    ]
    await importing('state:UT', changes.join('\n'), ['--changes', '--smaller'], '2026-11-13')
    const now = await Promise.all(['0', '1', '2', '3'].map((last) => isOn('state:UT', `+1212555010${last}`)))
    expect(now).toEqual([true, false, true, true])
  })

  it('registry import --changes can be repeated after an interruption', async () => {
    await importing('state:NV', lines(5_550_100, 50), [], '2026-11-11')
    const changes = Array.from({ length: 50 }, (_, at) => `212,${5_550_100 + at},2026-11-12,D\n212,${5_550_200 + at},2026-11-12,A\n`).join(
      '',
    )
    const broken = await failing('PutCommand', 30, () => importing('state:NV', changes, ['--changes', '--smaller'], '2026-11-13'))
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('The connection broke.') })
    expect(await registryNamed('state:NV')).toMatchObject({ as_of: '2026-11-11' })
    expect(await importing('state:NV', changes, ['--changes', '--smaller'], '2026-11-13')).toMatchObject({ code: 0 })
    expect(await registryNamed('state:NV')).toMatchObject({ as_of: '2026-11-13' })
    for (const at of [0, 25, 49]) {
      expect(await isOn('state:NV', `+1212${5_550_100 + at}`)).toBe(false)
      expect(await isOn('state:NV', `+1212${5_550_200 + at}`)).toBe(true)
    }
  })

  it.each([
    ['a later', 'AZ', '2026-11-14'],
    ['another', 'ND', '2026-11-13'],
  ])('changes remove no number that %s list of changes adds meanwhile', async (_, state, day) => {
    const list = `state:${state}`
    await importing(list, '212,5550100\n212,5550101\n', [], '2026-11-11')
    const removals = '212,5550100,2026-11-12,D\n212,5550101,2026-11-12,D\n'
    let isOvertaken = false
    const overtake = async (command: unknown) => {
      if (isOvertaken || (command as object).constructor.name !== 'PutCommand') return
      isOvertaken = true
      const path = file(`${removals}212,5550100,2026-11-13,A\n`, 'later.txt')
      const other = ['registry', 'import', path, '--list', list, '--as-of', day, '--changes', '--smaller']
      expect(await tool().ops(other)).toMatchObject({ code: 0 })
    }
    const slow = await beforeEachSend(overtake, () => importing(list, removals, ['--changes', '--smaller'], '2026-11-13'))
    expect(slow).toMatchObject({ code: 0 })
    expect(await isOn(list, '+12125550100')).toBe(true)
    expect(await isOn(list, '+12125550101')).toBe(false)
    expect(await registryNamed(list)).toMatchObject({ numbers: 1, as_of: day })
  })

  it('two lists of changes at once both count', async () => {
    await importing('state:NM', '212,5550100\n', [], '2026-11-11')
    const changes = [1, 2].map((hundred) => Array.from({ length: 99 }, (_, at) => `212,${5_550_000 + hundred * 100 + at},2026-11-12,A`))
    const done = await Promise.all(
      changes.map((each, at) => {
        const path = file(each.join('\n'), `changes-${at}.txt`)
        return tool().ops(['registry', 'import', path, '--list', 'state:NM', '--as-of', '2026-11-12', '--changes'])
      }),
    )
    expect(done.map(({ code }) => code)).toEqual([0, 0])
    expect(await registryNamed('state:NM')).toMatchObject({ numbers: 198, as_of: '2026-11-12' })
    for (const number of ['+12125550150', '+12125550250']) expect(await isOn('state:NM', number)).toBe(true)
  })
})
