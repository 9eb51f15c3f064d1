import { describe, expect, it } from '@jest/globals'
import { isOnRegistry, registryNamed, registryWorld, TODAY } from '#test/support/registries.ts'

const { importing } = registryWorld()

/** A list of twenty numbers, so that one deletion is less than a tenth. */
const TWENTY = Array.from({ length: 20 }, (_, at) => `512,${5_550_100 + at}\n`).join('')

/** Additions of one number on each of these days of November. */
const onDays = (days: readonly number[]): string => days.map((day) => `512,5550200,2026-11-${`${day}`.padStart(2, '0')},A\n`).join('')

describe('changes that are older than the list', () => {
  it('a deletion of a day before the day of the list removes no number: the person may have come back since', async () => {
    await importing('state:OK', TWENTY, [], '2026-11-19')
    const changes = '512,5550100,2026-11-18,D\n512,5550101,2026-11-19,D\n512,5550120,2026-11-20,A\n'
    expect(await importing('state:OK', changes, ['--changes'])).toMatchObject({
      code: 0,
      out: 'Added 1 number and removed 1 number. Kept 1 number that the changes delete: its deletion is of a day before 2026-11-19, the former day of the list, or other changes of 2026-11-20 or later were imported meanwhile. The list state:OK has 20 numbers as of 2026-11-20.\n',
    })
    expect(await isOnRegistry('state:OK', '+15125550100')).toBe(true)
    expect(await isOnRegistry('state:OK', '+15125550101')).toBe(false)
  })

  it('an addition that a deletion before the day of the list follows does not count either', async () => {
    await importing('state:TX', TWENTY, [], '2026-11-19')
    const changes = '512,5550200,2026-11-17,A\n512,5550200,2026-11-18,D\n512,5550201,2026-11-20,A\n'
    expect(await importing('state:TX', changes, ['--changes'])).toMatchObject({ code: 0, out: expect.stringMatching(/^Added 1 number/) })
    expect(await isOnRegistry('state:TX', '+15125550200')).toBe(false)
  })

  it('changes that are imported again after later ones of the same day remove no number that the later ones added', async () => {
    await importing('state:CO', TWENTY, [], '2026-11-18')
    const morning = '512,5550100,2026-11-19,D\n512,5550101,2026-11-20,D\n'
    expect(await importing('state:CO', morning, ['--changes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('removed 2 numbers. The list'),
    })
    await importing('state:CO', '512,5550100,2026-11-20,A\n512,5550101,2026-11-20,A\n', ['--changes'])
    expect(await importing('state:CO', morning, ['--changes'])).toMatchObject({
      code: 0,
      out: 'Added 0 numbers and removed 0 numbers. Kept 2 numbers that the changes delete: the list was as of 2026-11-20 already, so later changes may have added them again. The list state:CO has 20 numbers as of 2026-11-20.\n',
    })
    for (const number of ['+15125550100', '+15125550101']) expect(await isOnRegistry('state:CO', number)).toBe(true)
  })
})

describe('changes with days missing', () => {
  it.each([
    ['a week in the middle', 'FL', [2, 6, 14, 20], '2026-11-03 to 2026-11-05, 2026-11-07 to 2026-11-13, 2026-11-15 to 2026-11-19'],
    ['one day', 'GA', [...Array.from({ length: 19 }, (_, day) => day + 1).filter((day) => day !== 8), 19], '2026-11-08'],
  ])('registry import --changes refuses files that lack %s, and names the days', async (_, state, days, missing) => {
    const list = `state:${state}`
    await importing(list, TWENTY, [], '2026-11-01')
    expect(await importing(list, onDays(days), ['--changes'])).toEqual({
      code: 1,
      out: '',
      err: `The files hold no change of ${missing}. If a file of these days is missing, name the files of all days in one command, or import the full list. If no number changed on these days, add --complete. Nothing was imported.\n`,
    })
    expect(await registryNamed(list)).toMatchObject({ as_of: '2026-11-01' })
    expect(await importing(list, onDays(days), ['--changes', '--complete'])).toMatchObject({ code: 0 })
  })

  it('a change before the day of the list does not hide that the days after it are missing', async () => {
    await importing('state:PA', TWENTY, [], '2026-11-01')
    const changes = `512,5550200,2024-01-01,A\n${onDays([20])}`
    const refused = await importing('state:PA', changes, ['--changes'])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('no change of 2026-11-02 to 2026-11-19.') })
  })

  it('registry import --changes names the first ten gaps of many', async () => {
    await importing('state:OH', TWENTY, [], '2026-10-20')
    const odd = Array.from(
      { length: 16 },
      (_, at) => `512,5550200,2026-${at < 6 ? '10' : '11'}-${`${at < 6 ? 21 + at * 2 : at * 2 - 11}`.padStart(2, '0')},A\n`,
    )
    const { err } = await importing('state:OH', odd.join(''), ['--changes'])
    expect(err).toContain('2026-10-22, 2026-10-24')
    expect(err).toContain(', and further days. If a file')
  })

  it('changes of each day are taken in any order, also if they begin before the day of the list', async () => {
    await importing('state:VA', TWENTY, [], '2026-11-17')
    expect(await importing('state:VA', onDays([19, 16, 18, 2]), ['--changes'], TODAY)).toMatchObject({ code: 0, err: '' })
  })
})
