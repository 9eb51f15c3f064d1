import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { rulesDiff } from '#lib/calling-rules/diff.ts'
import { parseRules, presentRules } from '#lib/calling-rules/read-rules.ts'
import { CallingRules, SourcedRules } from '#shared/calling/rules/calling-rules.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { npmRun } from '#test/support/npm.ts'

const { directory } = cleanUpEach('calling-rules')

const TEXT = readFileSync('shared/data/calling-rules.json', 'utf8')

/** The file of the rules, changed. */
const changed = (change: (rules: ReturnType<typeof JSON.parse>) => void): string => {
  const rules = JSON.parse(TEXT)
  change(rules)
  return JSON.stringify(rules)
}

const diffOf = (text: string): string[] => {
  const read = parseRules(text)
  if ('mistake' in read) throw new Error(read.mistake)
  return rulesDiff(read.rules, presentRules())
}

const PRESENT = presentRules()

const COMPARED = ['jurisdictions', 'federal', 'duties', 'holidayDefinitions', 'federalHolidays', 'observance']

/** One value of the file. `kind`: the last name on the way to it. */
interface Leaf {
  readonly path: readonly string[]
  readonly kind: string
  readonly value: unknown
}

const leavesOf = (value: unknown, path: readonly string[] = []): Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
    : [{ path, kind: path.findLast((key) => !/^\d+$/.test(key)) ?? '', value }]

describe('the difference between two versions of the calling rules', () => {
  it('the difference between equal versions is empty', () => expect(diffOf(TEXT)).toEqual([]))

  it('the difference names for each place and time what changed for calls', () => {
    const text = changed(({ jurisdictions: { TX, UT, FL, MI }, duties }) => {
      for (const row of TX) row.windows.sun = null
      UT[2].holidays = UT[1].holidays
      FL[2].maxAttemptsPer24h = 4
      FL[2].areaCodePresumption = false
      MI.pop()
      duties.shift()
    })
    expect(diffOf(text)).toEqual([
      'Florida (FL), since 2023-05-25:',
      '  calls to a person: 4 calls in 24 hours -> 3 calls in 24 hours',
      '  rule added: a number with an area code of the place is presumed to be there',
      'Texas (TX), at any time:',
      '  hours: Mon-Sat 09:00-21:00, Sun no calls -> Mon-Sat 09:00-21:00, Sun 12:00-21:00',
      'Utah (UT), since 2027-01-01:',
      '  holidays added: Election Day (every November)',
      expect.stringMatching(/^New: United States, duty since 2025-04-11: /),
      expect.stringMatching(/^New: Michigan \(MI\), not yet law: Senate Bill 351/),
    ])
  })

  it('the difference finds a change of the date of a law', () => {
    const text = changed(({ jurisdictions: { PA } }) => {
      PA[1].until = '2026-11-01'
      PA[2].from = '2026-11-01'
    })
    expect(diffOf(text)).toEqual([
      'Pennsylvania (PA), 2026-10-18 to 2026-10-31:',
      '  hours: Mon-Fri 08:00-21:00, Sat 08:00-12:00, Sun 08:00-21:00 -> Mon-Fri 09:00-19:00, Sat 09:00-12:00, Sun no calls',
      'Dates, bases, citations, sources, notes or confidence changed in: PA',
    ])
  })

  it('the difference names places whose texts alone changed, and places that are new or gone', () => {
    const text = changed(({ jurisdictions }) => {
      jurisdictions.AK[0].note = 'Another note.'
      jurisdictions.ZZ = jurisdictions.AL
      delete jurisdictions.AL
    })
    expect(diffOf(text)).toEqual([
      'Alabama (AL) is new.',
      'ZZ (ZZ) is gone.',
      'Dates, bases, citations, sources, notes or confidence changed in: AK',
    ])
  })

  it('the difference names holidays, duties and bills that changed', () => {
    const text = changed(({ holidayDefinitions, federalHolidays, observance, duties, jurisdictions: { MI } }) => {
      holidayDefinitions['thanksgiving-day'].rule.n = 3
      holidayDefinitions['mardi-gras'].name = 'Shrove Tuesday'
      federalHolidays.pop()
      observance.RI.pop()
      observance.default.pop()
      duties[0].confidence = 'low'
      MI[1].note = 'Another note.'
    })
    expect(diffOf(text)).toEqual([
      'Shrove Tuesday is now called Mardi Gras.',
      'Thanksgiving Day is computed differently.',
      'The list of federal holidays changed.',
      'Holidays that fall on a weekend close other days: all places without a rule of their own.',
      'Holidays that fall on a weekend close other days: Rhode Island (RI).',
      expect.stringMatching(/^Changed \(confidence\): United States, duty since 2025-04-11: /),
      expect.stringMatching(/^Changed \(note\): Michigan \(MI\), not yet law: Senate Bill 351/),
    ])
  })

  it('the difference has at least one line for any one value that changed', () => {
    const leaves = leavesOf(JSON.parse(TEXT)).filter(({ path: [part] }) => COMPARED.includes(`${part}`))
    const likeIt = ({ kind, value }: Leaf): unknown[] => [
      ...new Set(leaves.flatMap((other) => (other.kind === kind && other.value !== value ? [other.value] : []))),
      `${value}.`,
      !value,
    ]
    const changes = fc.constantFrom(...leaves).chain((leaf) => fc.constantFrom(...likeIt(leaf)).map((other) => ({ leaf, other })))
    fc.assert(
      fc.property(changes, ({ leaf: { path }, other }) => {
        const rules = JSON.parse(TEXT)
        const [last, holder] = [path.at(-1)!, path.slice(0, -1).reduce((value, key) => value[key], rules)]
        holder[last] = other
        const { success, output } = v.safeParse(CallingRules, rules)
        fc.pre(success)
        if (success) expect(rulesDiff(output, PRESENT)).not.toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('the difference reads rules of the form that had no dates', () => {
    const text = changed((rules) => {
      for (const [code, rows] of Object.entries<{ enactment: string }[]>(rules.jurisdictions)) {
        const {
          from: _,
          until: __,
          enactment: ___,
          sources: ____,
          ...row
        } = rows.findLast(({ enactment }) => enactment === 'enacted') as Record<string, unknown>
        rules.jurisdictions[code] = row
      }
      const [{ from: _, until: __, enactment: ___, sources: ____, ...federal }] = rules.federal
      rules.federal = { ...federal, citation: 'as one text' }
      rules.asOf = '2026-10'
      rules.recentChanges = []
      delete rules.duties
    })
    const lines = diffOf(text)
    expect(lines).toContain('Utah (UT), until 2026-05-05:')
    expect(lines.filter((line) => line.startsWith('Texas'))).toEqual([])
  })
})

describe('the rows of a jurisdiction', () => {
  const isRead = (change: (rows: { from: string | null; until: string | null; enactment: string }[]) => void): boolean =>
    v.safeParse(CallingRules, JSON.parse(changed(({ jurisdictions }) => change(jurisdictions.FL)))).success

  it.each<[string, Parameters<typeof isRead>[0]]>([
    ['a gap', (rows) => (rows[1]!.from = '2021-07-02')],
    ['an overlap', (rows) => (rows[0]!.until = '2021-07-02')],
    ['the wrong order', (rows) => rows.reverse()],
    ['an end before the beginning', (rows) => (rows[1]!.from = rows[0]!.until = '2024-01-01')],
    ['a beginning', (rows) => (rows[0]!.from = '2020-01-01')],
    ['an end', (rows) => (rows[2]!.until = '2030-01-01')],
    ['two rows for all time', (rows) => rows.splice(0, 3, { ...rows[0]!, until: null }, { ...rows[0]!, until: null })],
    ['no row that is law', (rows) => rows.splice(0, 3)],
  ])('the rows of a jurisdiction may not have %s', (_, change) => {
    expect(isRead(() => undefined)).toBe(true)
    expect(isRead(change)).toBe(false)
  })
})

describe('a rule of high confidence', () => {
  it.each([
    ['row', 'two', ['one', 'other'], true],
    ['row', 'one', ['one'], false],
    ['row', 'no', [], false],
    ['duty', 'two', ['one', 'other'], true],
    ['duty', 'one', ['one'], false],
  ])('a %s of high confidence with %s sources can be published if there are two, and compared in any case', (kind, _, sources, isRead) => {
    const text = changed(({ jurisdictions: { AL }, duties }) => {
      Object.assign(kind === 'row' ? AL[0] : duties[0], { confidence: 'high', sources })
    })
    expect(v.safeParse(SourcedRules, JSON.parse(text)).success).toBe(isRead)
    expect(diffOf(text).length).toBeGreaterThan(0)
  })
})

describe('npm run calling-rules', () => {
  const run = (...args: string[]) => npmRun(directory(), ['-s', 'run', 'calling-rules', '--', ...args])

  it('npm run calling-rules prints what changed since an older file', async () => {
    const file = join(directory(), 'old.json')
    writeFileSync(
      file,
      changed((rules) => {
        rules.asOf = '2026-08-01'
        rules.jurisdictions.KY[0].windows.mon = null
      }),
    )
    const { code, out, err } = await run('diff', file)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`The calling rules of 2026-08-01, and now those of ${presentRules().asOf}:

Kentucky (KY), at any time:
  hours: Mon no calls, Tue-Sun 10:00-21:00 -> 10:00-21:00 on all days

The rules are not legal advice.
`)
  })

  it.each([
    [[], 0, /npm run calling-rules -- diff OLD/],
    [['diff'], 2, /^diff needs the file of the older rules\. See --help\.\n$/],
    [['difff', 'a'], 2, /^There is no command difff\./],
    [['diff', 'nothing.json'], 1, /^nothing\.json cannot be read\.\n$/],
    [['diff', join(process.cwd(), 'LICENSE')], 1, /^The file is not JSON\.\n$/],
    [['diff', join(process.cwd(), 'package.json')], 1, /^The file has no calling rules\.\n$/],
  ])('npm run calling-rules explains itself and its mistakes: %j', async (args, exit, text) => {
    const { code, out, err } = await run(...args)
    expect(code).toBe(exit)
    expect(`${out}${err}`).toMatch(text)
  })
})
