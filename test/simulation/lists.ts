import { runCommand } from '#lib/command-line.ts'
import { startEngine } from '#test/support/engine.ts'
import { numberOr, readFlags } from './flags.ts'
import { type FilterCost, measureFilters, seedVaried } from './lists/measure.ts'
import { stopStream } from './page-cost.ts'

const FEW = 1000

/** Read units that a list of many leads may take besides those of few: a count up to 1,000 leads, or a search in the order of creation. */
const MOST_MORE = 50

export const USAGE = `Fills a table with leads of one user, and ends with 1 when a filter of their list costs more than for 1,000 leads, beyond what a count up to
1,000 or a search takes.

  npm run simulate -- lists [--leads 500000] [--page-size 50]

  --leads N      in the list
  --page-size N  leads of a page
  --help         print this
`

const FLAGS = { leads: numberOr(500_000, [2000, 5_000_000]), 'page-size': numberOr(50, [1, 100]) }

const measured = async (owner: number, leads: number, pageSize: number): Promise<ReadonlyMap<string, FilterCost>> => {
  const started = performance.now()
  await seedVaried({ owner, leads, progress: (done) => void process.stderr.write(`\r${done} leads`) })
  process.stderr.write(` in ${Math.round((performance.now() - started) / 1000)} s\n`)
  return measureFilters(owner, leads, pageSize)
}

const run = async ({ leads, 'page-size': pageSize }: Record<keyof typeof FLAGS, number>): Promise<number> => {
  const engine = await startEngine()
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  process.env['PUBLIC_BASE_URL'] = 'http://127.0.0.1:1'
  try {
    await stopStream()
    const few = await measured(1, FEW, pageSize)
    const many = await measured(2, leads, pageSize)
    console.table(
      [...many].map(([filter, cost]) => ({
        ...{ filter, leads: cost.leads, count: cost.count },
        [`units of ${FEW}`]: few.get(filter)?.first,
        [`units of ${leads}`]: cost.first,
        [`second page of ${FEW}`]: few.get(filter)?.second,
        [`second page of ${leads}`]: cost.second,
        ms: cost.milliseconds,
      })),
    )
    const faults = [...many].filter(([filter, { list }]) => list > (few.get(filter)?.list ?? 0) + MOST_MORE)
    for (const [filter] of faults) process.stdout.write(`FAULT: ${filter} costs more with more leads\n`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await engine.stop()
  }
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
