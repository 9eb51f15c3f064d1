import { runCommand } from '#lib/command-line/command-line.ts'
import { startWorld } from '#test/support/world.ts'
import { numberOr, readFlags } from './flags.ts'
import { seedHistory } from './lists/history.ts'
import { type FilterCost, measureFilters, seedVaried } from './lists/measure.ts'
import { measureScreens, mostMoreOf } from './lists/screens.ts'
import { stopStream } from './page-cost.ts'

const FEW = 1000

/** Read units that a list of many leads may take besides those of few: a count up to 1,000 leads, or a search in the order of creation. */
const MOST_MORE = 50

export const USAGE = `Fills a table with leads of one user, their calls, statistics and deliveries, and ends with 1 when a filter of their list, or a view of the console, costs more than for 1,000 leads,
beyond what a count up to 1,000 or a search takes.

  npm run simulate -- lists [--leads 500000] [--page-size 50]

  --leads N      in the list
  --page-size N  leads of a page
  --help         print this
`

const FLAGS = { leads: numberOr(500_000, [2000, 5_000_000]), 'page-size': numberOr(50, [1, 100]) }

interface Measured {
  readonly filters: ReadonlyMap<string, FilterCost>
  readonly screens: ReadonlyMap<string, number>
}

const measured = async (owner: number, leads: number, pageSize: number): Promise<Measured> => {
  const started = performance.now()
  const lead = await seedVaried({ owner, leads, progress: (done) => void process.stderr.write(`\r${done} leads`) })
  const webhook = await seedHistory({ owner, leads, lead })
  process.stderr.write(` in ${Math.round((performance.now() - started) / 1000)} s\n`)
  return { filters: await measureFilters(owner, leads, pageSize), screens: await measureScreens(owner, lead, webhook) }
}

/** What costs more with many leads than with few, beyond a difference that is allowed. */
const dearer = (few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>, allowed: (name: string) => number): string[] =>
  [...many].filter(([name, units]) => units > (few.get(name) ?? 0) + allowed(name)).map(([name]) => name)

const listUnits = (filters: Measured['filters']): ReadonlyMap<string, number> =>
  new Map([...filters].map(([name, { list }]) => [name, list]))

const run = async ({ leads, 'page-size': pageSize }: Record<keyof typeof FLAGS, number>): Promise<number> => {
  const world = await startWorld()
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  process.env['PUBLIC_BASE_URL'] = 'http://127.0.0.1:1'
  process.env['UPLOADS_BUCKET'] = 'uploads'
  try {
    await stopStream()
    const few = await measured(1, FEW, pageSize)
    const many = await measured(2, leads, pageSize)
    console.table(
      [...many.filters].map(([filter, cost]) => ({
        ...{ filter, leads: cost.leads, count: cost.count },
        [`units of ${FEW}`]: few.filters.get(filter)?.first,
        [`units of ${leads}`]: cost.first,
        [`second page of ${FEW}`]: few.filters.get(filter)?.second,
        [`second page of ${leads}`]: cost.second,
        ms: cost.milliseconds,
      })),
    )
    console.table(
      [...many.screens].map(([screen, units]) => ({ screen, [`units of ${FEW}`]: few.screens.get(screen), [`units of ${leads}`]: units })),
    )
    const faults = [
      ...dearer(listUnits(few.filters), listUnits(many.filters), () => MOST_MORE),
      ...dearer(few.screens, many.screens, mostMoreOf),
    ]
    for (const name of faults) process.stdout.write(`FAULT: ${name} costs more with more leads\n`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await world.stop()
  }
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
