import { describe, expect, it } from '@jest/globals'
import { otherVersions } from '#shared/registries/registry-store.ts'
import { isOnRegistry, registryNamed, registryWorld, TODAY } from '#test/support/registries.ts'

const { importing } = registryWorld()

const lines = (areaCode: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${areaCode},${5_550_000 + at}\n`).join('')

const ADVICE =
  'Probably, a file is missing or cut off, or the files are a list of changes. Name all files of one download in one command. If the list has really become that small, add --smaller. Nothing was imported.\n'

describe('the import of a full list that lost numbers', () => {
  it.each([
    ['national', []],
    ['state:NY', ['--complete']],
  ])('registry import refuses a full list of %s with one of 3,001 numbers and with %j, and keeps the former list', async (list, args) => {
    await importing(list, lines('212', 3001), [], '2026-11-18')
    const before = await registryNamed(list)
    expect(await importing(list, lines('212', 1), args)).toEqual({
      code: 1,
      out: '',
      err: `The files hold 1 number, but the list ${list} has 3,001 numbers as of 2026-11-18. ${ADVICE}`,
    })
    expect(await registryNamed(list)).toEqual(before)
    expect(await otherVersions(list)).toEqual([])
    expect(await isOnRegistry(list, '+12125553000')).toBe(true)
  })

  it('registry import --smaller takes a full list with few of the former numbers', async () => {
    await importing('state:TX', lines('212', 100))
    expect(await importing('state:TX', lines('212', 1), ['--smaller'])).toMatchObject({
      code: 0,
      out: `The list state:TX has 1 number as of ${TODAY}. It replaces 100 numbers as of ${TODAY}.\n`,
    })
    expect(await isOnRegistry('state:TX', '+12125550050')).toBe(false)
  })

  it('registry import takes a full list with 90 % of the former numbers, and refuses one with less', async () => {
    await importing('state:OH', lines('212', 100))
    expect(await importing('state:OH', lines('212', 89))).toMatchObject({ code: 1 })
    expect(await importing('state:OH', lines('212', 90))).toMatchObject({ code: 0 })
  })

  it('registry import does not count the numbers that changes have deleted since', async () => {
    await importing('state:GA', lines('212', 10), [], '2026-11-18')
    await importing('state:GA', '212,5550000,2026-11-19,D\n212,5550001,2026-11-19,D\n', ['--changes', '--smaller'], '2026-11-19')
    expect(await importing('state:GA', lines('212', 8))).toMatchObject({ code: 0 })
  })

  it('registry import counts a number that the files hold twice as one, and removes what it stored', async () => {
    await importing('state:IL', lines('212', 100), [], '2026-11-18')
    const before = await registryNamed('state:IL')
    const refused = await importing('state:IL', lines('212', 50).repeat(2))
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('The files hold 50 numbers, but the list state:IL has 100') })
    expect(await registryNamed('state:IL')).toEqual(before)
    expect(await otherVersions('state:IL')).toEqual([])
    expect(await isOnRegistry('state:IL', '+12125550099')).toBe(true)
  })

  it('registry import refuses a full list in which one area code of many numbers lost more than a tenth, also after changes', async () => {
    const others = lines('508', 20_000)
    await importing('state:MA', `${lines('617', 1000)}${others}`, [], '2026-11-18')
    await importing('state:MA', '617,5559999,2026-11-19,A\n508,5559999,2026-11-19,A\n', ['--changes'], '2026-11-19')
    expect(await importing('state:MA', `${lines('617', 899)}${others}`)).toEqual({
      code: 1,
      out: '',
      err: `The files hold fewer numbers of an area code than the last full list state:MA: 617 (899 instead of 1,000). ${ADVICE}`,
    })
    expect(await isOnRegistry('state:MA', '+16175550999')).toBe(true)
    expect(await importing('state:MA', `${lines('617', 900)}${others}`)).toMatchObject({ code: 0 })
  })

  it('registry import takes a full list in which an area code of few numbers lost most of them', async () => {
    await importing('state:CT', `${lines('203', 999)}${lines('860', 20_000)}`)
    expect(await importing('state:CT', `${lines('203', 1)}${lines('860', 20_000)}`)).toMatchObject({ code: 0 })
  })

  it('registry import refuses a full list without an area code of many numbers if --complete permits calls to it, and else warns', async () => {
    await importing('state:NJ', `${lines('201', 1000)}${lines('609', 20_000)}`)
    expect(await importing('state:NJ', lines('609', 20_000), ['--complete'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('201 (0 instead of 1,000)'),
    })
    expect(await importing('state:NJ', lines('609', 20_000))).toMatchObject({
      code: 0,
      err: expect.stringContaining('Warning: the full list state:NJ has no number with the area code 201, but the former list had.'),
    })
  })
})

const changed = (change: 'A' | 'D', from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `212,${from + at},2026-11-19,${change}\n`).join('')

describe('the import of changes that delete many numbers', () => {
  it('registry import --changes refuses changes that delete more than a tenth of the numbers, whatever they add', async () => {
    await importing('state:IN', lines('212', 100), [], '2026-11-18')
    const before = await registryNamed('state:IN')
    expect(
      await importing('state:IN', `${changed('D', 5_550_000, 11)}${changed('A', 5_560_000, 50)}`, ['--changes', '--complete']),
    ).toEqual({
      code: 1,
      out: '',
      err: 'The changes delete 11 numbers, but the list state:IN has 100 numbers as of 2026-11-18. Probably, the files are of another list, or they mark too many numbers as deleted. If the list has really lost that many, add --smaller. Nothing was imported.\n',
    })
    expect(await registryNamed('state:IN')).toEqual(before)
    expect(await isOnRegistry('state:IN', '+12125550000')).toBe(true)
    expect(await isOnRegistry('state:IN', '+12125560000')).toBe(false)
  })

  it('registry import --changes takes changes that delete a tenth of the numbers, each counted once by its last change', async () => {
    await importing('state:KS', lines('212', 100), [], '2026-11-18')
    const again = `${changed('D', 5_550_010, 50)}${changed('A', 5_550_010, 50)}`
    const changes = `${changed('D', 5_550_000, 10).repeat(3)}${again}`
    expect(await importing('state:KS', changes, ['--changes'])).toMatchObject({
      code: 0,
      out: `Added 0 numbers and removed 10 numbers. The list state:KS has 90 numbers as of ${TODAY}.\n`,
    })
  })

  it('registry import --changes --smaller takes changes that delete most numbers', async () => {
    await importing('state:LA', lines('212', 100), [], '2026-11-18')
    expect(await importing('state:LA', changed('D', 5_550_000, 99), ['--changes', '--smaller'])).toMatchObject({
      code: 0,
      out: `Added 0 numbers and removed 99 numbers. The list state:LA has 1 number as of ${TODAY}.\n`,
    })
  })
})
