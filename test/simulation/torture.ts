import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '#lib/command-line.ts'
import { readCommandLine, USAGE } from './torture/command-line.ts'
import { type Plan, startTorture } from './torture/run.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns the exit code. Keeps the data when something is wrong. */
const run = async (plan: Plan): Promise<number> => {
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

export { USAGE }

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args, Date.now() % 1_000_000), USAGE, run)
