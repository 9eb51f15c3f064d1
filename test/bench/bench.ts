import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runCommand } from '#lib/command-line/command-line.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { readFlags } from '#test/simulation/flags.ts'
import { type Service, startService } from '#test/support/service.ts'
import { callingCosts } from './calling.ts'
import { filterCosts } from './filters.ts'
import { growthOfReaders, LEAST_TOLD } from './growth.ts'
import type { IngestionRates } from './ingestion.ts'

/**
 * Costs of calling decisions and filter conditions next to well-known libraries; of creates, in leads per second over HTTP and in table
 * units; and of reading lead files next to their transactions alone.
 */

const LEADS = 1000
/** Single creates in progress at once. */
const CLIENTS = 64
/** Most that a lead in a bulk request may cost, as a multiple of a single create. */
const DEAREST = 1.1
/** Least rate at which rows of a file become leads, as a share of the rate of their transactions alone. */
const LEAST_OF_TRANSACTIONS = 0.6
/** Most time for a text of twice the length, as a multiple. Quadratic time would give four. */
const MOST_GROWTH = 3.4

/** These leads are not called during the run: it is early morning there. */
const leadNumber = (number: number, areaCode: number) => ({
  phone_number: `+1${areaCode}556${`${number}`.padStart(4, '0')}`,
  email: `lead${number}@example.com`,
  external_id: `${areaCode}-${number}`,
  first_name: 'Ada',
  timezone: 'Pacific/Honolulu',
})

const leads = (areaCode: number) => Array.from({ length: LEADS }, (_, number) => leadNumber(number, areaCode))

const secondsFor = async (run: () => Promise<void>): Promise<number> => {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1000
}

const createOneByOne = async (service: Service): Promise<void> => {
  await inLanes(CLIENTS, leads(212), async (lead) => {
    const { status } = await service.call('POST', '/api/leads/', lead)
    if (status !== 201) throw new Error(`A create was answered with ${status}.`)
  })
}

const createInBulk = async (service: Service): Promise<void> => {
  const { status, body } = await service.call('POST', '/api/leads/bulk-create/', { leads: leads(312) })
  const results = body['results'] as { action: string }[]
  const made = results.filter(({ action }) => action === 'created').length
  if (status !== 200 || made !== LEADS) throw new Error(`Of ${LEADS} leads ${made} were created; the answer was ${status}.`)
}

const rates = async (): Promise<{ single: number; bulk: number }> => {
  const service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
  try {
    const single = LEADS / (await secondsFor(() => createOneByOne(service)))
    // Let the events of these leads finish, so that they do not slow the bulk create down.
    await sleep(2000)
    return { single, bulk: LEADS / (await secondsFor(() => createInBulk(service))) }
  } finally {
    await service.end()
  }
}

const rounded = (number: number): number => Math.round(number * 100) / 100

const USAGE = `Measures, as ratios within the run: calling decisions and filter conditions beside well-known libraries, single creates beside bulk
ones, rows of a file beside the transactions that they come to, and texts from outside beside texts of twice the length. Ends with 1 when one of them is out of its bounds.

  npm run bench

  --help  print this
`

/** Broken bounds, in sentences. */
type Faults = readonly string[]

const benchDecisions = (): Faults => {
  const decisions = callingCosts()
  console.table(decisions)
  return Object.entries(decisions).flatMap(([name, { ratio, most }]) =>
    ratio > most ? `The calling decision "${name}" takes ${ratio} times as long as a conversion; ${most} are allowed.` : [],
  )
}

const benchFilters = (): Faults => {
  const filters = filterCosts()
  console.table(filters)
  return Object.entries(filters).flatMap(([name, { ratio, least }]) =>
    ratio < least ? `A filter condition – ${name} – is ${ratio} times as fast as the faster of two libraries; ${least} are asked for.` : [],
  )
}

const benchGrowth = async (): Promise<Faults> => {
  const growth = await growthOfReaders()
  console.table(growth)
  return Object.entries(growth).flatMap(([name, { ratio, milliseconds }]) =>
    milliseconds >= LEAST_TOLD && ratio > MOST_GROWTH
      ? `To read ${name} takes ${ratio} times as long when there is twice as much of it; ${MOST_GROWTH} are allowed.`
      : [],
  )
}

const benchCreates = async (): Promise<Faults> => {
  const { single, bulk } = await rates()
  // Must come before the functions are loaded: keeps their log out of this output.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { perItemUnits } = await import('./units.ts')
  const units = await perItemUnits(leads(415))
  const beside = (one: number, other: number) => ({ single: rounded(one), bulk: rounded(other), ratio: rounded(other / one) })
  console.table({
    'leads a second': { ...beside(single, bulk), single: Math.round(single), bulk: Math.round(bulk) },
    'write units a lead': beside(units.single.write, units.bulk.write),
    'read units a lead': beside(units.single.read, units.bulk.read),
  })
  return (['write', 'read'] as const).flatMap((kind) =>
    units.bulk[kind] > DEAREST * units.single[kind]
      ? `A lead of a bulk request costs more than ${DEAREST} times the ${kind} units of a single create.`
      : [],
  )
}

const benchIngestion = async (): Promise<Faults> => {
  const ingestionProcess = fileURLToPath(new URL('ingestion-process.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', ingestionProcess])
  const { shares, ...ingestion }: IngestionRates = JSON.parse(stdout)
  console.table({ 'a second': ingestion })
  console.table({ 'the time of a row': shares })
  return ingestion.ratio < LEAST_OF_TRANSACTIONS
    ? [`Rows are read at ${ingestion.ratio} of the rate of their transactions; ${LEAST_OF_TRANSACTIONS} is asked for.`]
    : []
}

/** @returns the exit code */
const run = async (): Promise<number> => {
  let exitCode = 0
  // Decisions and filters come first, while nothing else runs on this machine.
  for (const bench of [benchDecisions, benchFilters, benchGrowth, benchCreates, benchIngestion]) {
    for (const fault of await bench()) {
      process.stderr.write(`${fault}\n`)
      exitCode = 1
    }
  }
  return exitCode
}

await runCommand(readFlags(process.argv.slice(2), {}), USAGE, run)
