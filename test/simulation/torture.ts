import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '#lib/command-line/command-line.ts'
import { readCommandLine, type TorturePlan, USAGE } from './torture/command-line.ts'
import { type Plan, startTorture } from './torture/run.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns the exit code. Keeps the data when something is wrong. */
const runKills = async (plan: Plan): Promise<number> => {
  const data = await mkdtemp(join(tmpdir(), 'torture-'))
  const remove = () => rm(data, { recursive: true, force: true })
  const { report, stop } = startTorture(plan, data, print)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      await stop()
      await remove()
      process.exit(130)
    })
  }
  try {
    const { faults } = await report
    if (faults.length === 0) {
      await remove()
      print('Nothing was lost, nobody was called twice.')
      return 0
    }
    for (const fault of faults) print(`FAULT: ${fault}`)
    print(`${faults.length} faults; the data is in ${data}`)
  } catch (error) {
    await remove()
    print(`The run failed: ${error instanceof Error ? error.stack : error}`)
  }
  return 1
}

/** @returns the exit code */
const runPlatformRounds = async ({ rounds, each, seed, plant }: TorturePlan): Promise<number> => {
  // Functions read their log level when they are loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  const { runRounds, UNHURRIED } = await import('./torture/rounds/run-rounds.ts')
  print(`${rounds} rounds with ${each} leads of each platform; seed ${seed}`)
  const { faults, lines } = await runRounds({ rounds, each, seed, pace: UNHURRIED, defect: plant }, print)
  for (const line of lines) print(line)
  for (const fault of faults) print(`FAULT: ${fault}`)
  print(faults.length === 0 ? 'No phone rang twice for one attempt, and no lead or outcome was lost.' : `${faults.length} faults.`)
  return faults.length === 0 ? 0 : 1
}

/** @returns the exit code */
const run = async (plan: TorturePlan): Promise<number> => {
  const killed = plan.leads > 0 ? await runKills(plan) : 0
  const played = plan.rounds > 0 ? await runPlatformRounds(plan) : 0
  return Math.max(killed, played)
}

export { USAGE }

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args, Date.now() % 1_000_000), USAGE, run)
