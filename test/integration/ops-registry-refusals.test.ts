import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { otherVersions } from '#shared/registries/registry-store.ts'
import { isOnRegistry, registryNamed, registryWorld, TODAY } from '#test/support/registries.ts'

const { tool, directory, importing } = registryWorld()

describe('a refused import', () => {
  it.each([
    [
      'a short number',
      '212,5550100\n212555\n',
      [],
      /list\.txt, line 2: "212555"\. Each line of a full list must be one phone number with ten digits/,
    ],
    ['a title', 'phone\n212,5550100\n', [], /line 1: "phone"\./],
    ['a change', '212,5550100,2026-11-12,A\n', [], /line 1: .* This is a line of a list of changes\. Import it with --changes\./],
    ['no byte', '', [], /^The files hold no phone number\./],
    ['blank lines', '\n\n', [], /^The files hold no phone number\./],
    ['a ZIP archive', 'PK\u0003\u0004…', [], /is a ZIP archive\. Unpack it/],
    ['XML', '<?xml version="1.0"?>', [], /is XML\. Download the list as a flat text file/],
    ['a long line', `212${'5'.repeat(100_000)}`, [], /line 1: "2125{57}…"\. Each line/],
    ['half a gzip file', gzipSync('212,5550100\n'.repeat(9)).subarray(0, 25), [], /cannot be read: unexpected end of file/],
    [
      'changes of no list',
      '212,5550100,2026-11-12,A\n',
      ['--changes'],
      /^There is no list state:AK to change\. Import its full list first\./,
    ],
  ])('registry import refuses a file with a fault, and imports nothing: %s', async (_, content, args, message) => {
    const { code, out, err } = await importing('state:AK', content, args)
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringMatching(message) })
    expect(err).toContain('Nothing was imported.')
    expect(await registryNamed('state:AK')).toBeUndefined()
    expect(await otherVersions('state:AK')).toEqual([])
  })

  it('registry import refuses a file that does not exist', async () => {
    const { code, err } = await tool().ops(['registry', 'import', 'missing.txt', '--list', 'state:AK', '--as-of', TODAY])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The file missing.txt cannot be read') })
  })

  it.each([
    [['state:TX', '2026-11-21'], 2, /^--as-of 2026-11-21 is in the future\. It is 2026-11-20 in UTC\./],
    [['state:TX', 'yesterday'], 2, /^--as-of: /],
    [['state:ZZ', TODAY], 2, /^--list must be national, or a state such as state:TX, not state:ZZ\./],
    [['texas', TODAY], 2, /^--list must be national/],
  ])('registry import refuses a wrong list or day: %j', async ([list = '', day], code, message) => {
    expect(await importing(list, '212,5550100\n', [], day)).toEqual({ code, out: '', err: expect.stringMatching(message) })
  })

  it('registry import warns of a list that is too old for calls', async () => {
    const warning = 'Warning: the list state:OH of 2026-10-19 is older than 31 days.'
    expect(await importing('state:OH', '212,5550100\n', [], '2026-10-19')).toMatchObject({ code: 0, err: expect.stringContaining(warning) })
    expect((await importing('state:OH', '212,5550100\n', [], '2026-10-21')).err).not.toContain('Warning')
  })

  it('registry import refuses files that are older than the list in force', async () => {
    await importing('state:IL', '212,5550100\n', [], '2026-11-10')
    for (const args of [[], ['--changes']]) {
      const { code, err } = await importing('state:IL', '212,5550100\n', args, '2026-11-09')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The list state:IL is already as of 2026-11-10.') })
    }
  })

  it('registry import --changes refuses wrong lines, and a change that is later than the day of the list', async () => {
    await importing('state:IN', '212,5550100\n', [], '2026-11-10')
    for (const [line, message] of [
      ['212,5550101\n', 'Each line of a list of changes must be a phone number, a date, and A (added) or D (deleted)'],
      ['212,5550101,2026-11-13,A\n', 'The change is later than the day of the list, 2026-11-12. See --as-of.'],
      [
        '212,5550101,2026-11-11,A\n212,5550102,01/01/1900,A\n',
        'line 2: "212,5550102,01/01/1900,A". The change is of a day before 1970-01-01',
      ],
    ] as const) {
      const { code, err } = await importing('state:IN', line, ['--changes'], '2026-11-12')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) })
    }
    expect(await registryNamed('state:IN')).toMatchObject({ as_of: '2026-11-10', numbers: 1 })
  })

  it.each([
    [
      'begins more than a day after the list',
      'state:KS',
      '212,5550101,2026-11-03,A\n',
      'The earliest change is of 2026-11-03, but the list',
    ],
    ['ends more than a day before its day', 'state:SD', '212,5550101,2026-11-01,A\n', 'The latest change is of 2026-11-01, but --as-of is'],
    ['is empty', 'state:NE', '', 'The files hold no change, but the list'],
  ])('registry import --changes refuses a list that %s, unless --complete is given', async (_, list, content, found) => {
    await importing(list, '212,5550100\n', [], '2026-11-01')
    const refused = await importing(list, content, ['--changes'], '2026-11-03')
    expect(refused).toEqual({ code: 1, out: '', err: expect.stringContaining(found) })
    expect(refused.err).toContain('If changes between are missing, import the full list. If no number changed between, add --complete.')
    expect(await registryNamed(list)).toMatchObject({ as_of: '2026-11-01', numbers: 1 })
    expect(await isOnRegistry(list, '+12125550101')).toBe(false)
    expect(await importing(list, content, ['--changes', '--complete'], '2026-11-03')).toMatchObject({ code: 0 })
    expect(await registryNamed(list)).toMatchObject({ as_of: '2026-11-03' })
  })

  it.each([[[]], [['--complete']]])(
    'registry import --changes refuses files that lack an area code of the full list, unless --complete is given: full list with %j',
    async (args) => {
      const list = `state:${args.length === 0 ? 'MA' : 'CT'}`
      const [one, other] = args.length === 0 ? ['617', '508'] : ['203', '860']
      await importing(list, `${one},5550100\n${other},5550100\n212,5550100\n`, args, '2026-11-10')
      const ofOne = Array.from({ length: 10 }, (_, at) => `${one},5550101,2026-11-${11 + at},A\n`).join('')
      const refused = await importing(list, ofOne, ['--changes'])
      expect(refused).toEqual({
        code: 1,
        out: '',
        err: `The files hold no change for the area code ${other} of the list ${list}. If a file is missing, name the files of all area codes in one command. If no number changed there, add --complete. Nothing was imported.\n`,
      })
      expect(await registryNamed(list)).toMatchObject({ as_of: '2026-11-10', numbers: 3 })
      const ofBoth = `${ofOne}${other},5550103,2026-11-15,A\n`
      expect(await importing(list, ofBoth, ['--changes'])).toMatchObject({ code: 0, err: '' })
      expect(await importing(list, ofOne, ['--changes', '--complete'])).toMatchObject({ code: 0, err: '' })
    },
  )

  it('registry import --changes takes changes that begin on the day after the list', async () => {
    await importing('state:MS', '212,5550100\n', [], '2026-11-03')
    expect(await importing('state:MS', '212,5550102,2026-11-04,A\n', ['--changes'], '2026-11-04')).toMatchObject({ code: 0 })
  })

  it('registry import removes its temporary files, also after a failure', async () => {
    const scratch = mkdtempSync(join(directory(), 'scratch-'))
    await importing('state:IA', '212,5550100\n', ['--scratch', scratch])
    await importing('state:IA', 'wrong', ['--scratch', scratch])
    expect(readdirSync(scratch)).toEqual([])
    expect(await importing('state:IA', '', ['--scratch', join(scratch, 'none')])).toMatchObject({ code: 2 })
  })
})

describe('the list of registries', () => {
  it('registry show prints the day, the numbers and the age of each list', async () => {
    await importing('national', '212,5550100\n', [], '2026-11-10')
    const { code, out } = await tool().ops(['registry', 'show'])
    expect(code).toBe(0)
    expect(out).toMatch(/^LIST +NUMBERS +AS OF +DAYS OLD +IMPORTED\n/)
    expect(out).toMatch(/^national +1 +2026-11-10 +10 +2026-11-20T/m)
    const shown = JSON.parse((await tool().ops(['registry', 'show', '--json'])).out)
    expect(shown).toContainEqual({ list: 'national', numbers: 1, as_of: '2026-11-10', days_old: 10, imported_time: expect.any(String) })
  })
})
