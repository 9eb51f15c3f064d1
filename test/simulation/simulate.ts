import { mistake, runCommand } from '#lib/command-line/command-line.ts'
import { npmCallOf } from '#lib/command-line/npm-call.ts'
import { optionsIn, swallowedBy } from '#lib/command-line/swallowed-options.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'

interface Simulation {
  readonly about: string
  /** Loads only the chosen simulation, because functions read their log level when they are loaded. */
  readonly load: () => Promise<{ readonly USAGE: string; readonly main: (args: readonly string[]) => Promise<void> }>
}

const SIMULATIONS: ReadonlyMap<string, Simulation> = new Map([
  ['torture', { about: 'Kills the service while it makes calls: nothing may be lost.', load: () => import('./torture.ts') }],
  ['platforms', { about: 'Plays every end of a call on every voice platform: each has an outcome.', load: () => import('./platforms.ts') }],
  ['lateness', { about: 'Makes 20,000 calls due in an hour, on a virtual clock: none may be late.', load: () => import('./lateness.ts') }],
  ['morning', { about: 'Makes all leads of 200 users due at one instant: no user waits for another.', load: () => import('./morning.ts') }],
  ['lines', { about: 'Keeps 10,000 lines of one user in calls: 500 start each second.', load: () => import('./lines.ts') }],
  [
    'pressure',
    {
      about: 'Gives the table less and less to write: files, bulk requests and webhooks slow down in this order, and calls hardly.',
      load: () => import('./pressure.ts'),
    },
  ],
  ['races', { about: 'Starts 1,000 stops and dials together: no stopped lead may be called.', load: () => import('./races.ts') }],
  ['isolation', { about: 'Adds a dead and a slow destination: they may not delay the others.', load: () => import('./isolation.ts') }],
  ['deliveries', { about: 'Sends 10,000 events to a receiver that fails, hangs and restarts.', load: () => import('./deliveries.ts') }],
  ['ingestion', { about: 'Reads a file of 200,000 rows while the functions are killed.', load: () => import('./ingestion.ts') }],
  [
    'lists',
    {
      about: 'Filters 1,000 and 500,000 leads, and opens the views of the console: the many may cost no more than the few.',
      load: () => import('./lists.ts'),
    },
  ],
  ['page-cost', { about: 'Reads pages of 500,000 leads: the last may cost no more than the first.', load: () => import('./page-cost.ts') }],
  ['hot-keys', { about: 'Counts the units of each partition key, for the reference of hot keys.', load: () => import('./hot-keys.ts') }],
  [
    'rules',
    { about: 'Compares 1,000,000 decisions on calling hours with a slow reading: they may not differ.', load: () => import('./rules.ts') },
  ],
  [
    'registry',
    { about: 'Imports a do-not-call list of 50,000,000 numbers: the memory may not grow.', load: () => import('./registry.ts') },
  ],
  ['check', { about: 'Checks up to 1,000,000 leads with damage: the memory may not grow.', load: () => import('./check.ts') }],
])

const USAGE = `Runs a long simulation, and ends with 1 when it finds a fault.

  npm run simulate -- NAME [options]

${[...SIMULATIONS].map(([name, { about }]) => `  ${name.padEnd(12)}${about}`).join('\n')}

npm run simulate -- NAME --help lists the options of one.
`

/** Options that npm took for itself. Without a name, they may belong to any simulation. */
const swallowed = async (): Promise<string | undefined> => {
  const npm = npmCallOf(process)
  const loaded = await Promise.all([...SIMULATIONS.values()].map(({ load }) => load()))
  const options = new Map(loaded.flatMap((one) => optionsIn(one.USAGE)).map((option) => [option.name, option]))
  return swallowedBy(npm && { ...npm, args: ['NAME', ...npm.args] }, [...options.values()])
}

const [name = '--help', ...args] = process.argv.slice(2)
const simulation = SIMULATIONS.get(name)
if (simulation) await (await simulation.load()).main(args)
else {
  const near = didYouMean(name, SIMULATIONS.keys())
  const refusal = near === '' ? await swallowed() : undefined
  if (refusal === undefined) {
    await runCommand(name === '--help' ? { kind: 'help' } : mistake(`There is no simulation ${name}.${near}`), USAGE, async () => 0)
  } else {
    process.stderr.write(refusal)
    process.exitCode = 2
  }
}
