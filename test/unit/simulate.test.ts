import { describe, expect, it } from '@jest/globals'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { npmRun } from '#test/support/npm.ts'

const { directory } = cleanUpEach('npm')
const simulate = (...args: string[]) => npmRun(directory(), ['-s', 'run', 'simulate', '--', ...args])

const NAMES = [
  'torture',
  'platforms',
  'lateness',
  'morning',
  'lines',
  'pressure',
  'races',
  'isolation',
  'deliveries',
  'ingestion',
  'lists',
  'page-cost',
  'hot-keys',
  'rules',
  'registry',
  'check',
]

describe('npm run simulate', () => {
  it.each([[[]], [['--help']]])('npm run simulate lists every simulation with a sentence about it: %j', async (args) => {
    const { code, out, err } = await simulate(...args)
    const listed = [...out.matchAll(/^ {2}([a-z-]+) +[A-Z].*[^.]\.$/gm)].map(([, name]) => name)
    expect({ code, err, listed }).toEqual({ code: 0, err: '', listed: NAMES })
  })

  it('npm run simulate refuses an unknown name, and suggests the nearest', async () => {
    expect(await simulate('racs')).toEqual({
      code: 2,
      out: '',
      err: 'There is no simulation racs. Did you mean races? See --help.\n',
    })
  })

  it.each(NAMES)('npm run simulate shows the options and the command of one simulation: %s', async (name) => {
    const { code, out, err } = await simulate(name, '--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`\n  npm run simulate -- ${name} [--`)
  })

  it('npm run simulate refuses an option that the simulation does not have', async () => {
    const { code, err } = await simulate('races', '--colour')
    expect({ code, err }).toEqual({ code: 2, err: "Unknown option '--colour'. See --help.\n" })
  })

  it.each([
    [['ingestion', '--rows', '0', '--kills', '0', '--lanes', '0'], 'Nothing is left to simulate: --rows, --kills and --lanes are 0.'],
    [['torture', '--leads', '0', '--rounds', '0'], 'Nothing is left to simulate: --leads and --rounds are 0.'],
    [['morning', '--leads', '5'], '200 users need --leads 4000 at least.'],
    [['lines', '--seconds', '5'], '--seconds takes a whole number from 20 to 3600, not "5".'],
  ])('npm run simulate refuses options that would show nothing: %j', async (args, message) => {
    expect(await simulate(...args)).toEqual({ code: 2, out: '', err: `${message} See --help.\n` })
  })
})
