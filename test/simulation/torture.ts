import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { torture } from './torture/run.ts'

const USAGE = `Kills the service while leads are created and called, and checks that nothing is lost and nobody is called twice.

  npm run torture -- [--kills 100] [--restarts 10] [--leads 300] [--seed N]

  --kills     kill -9 of the functions' process
  --restarts  kill -9 of the whole service
  --leads     leads to be created meanwhile
  --seed      of the random moments; printed, so that a run can be repeated
`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '10' },
    leads: { type: 'string', default: '300' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(USAGE)
} else {
  const data = await mkdtemp(join(tmpdir(), 'torture-'))
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const plan = { kills: Number(values.kills), restarts: Number(values.restarts), leads: Number(values.leads), seed: Number(values.seed) }
  try {
    const { faults } = await torture(plan, data, print)
    for (const fault of faults) print(`FAULT: ${fault}`)
    print(faults.length === 0 ? 'Nothing was lost, nobody was called twice.' : `${faults.length} faults; the data is in ${data}`)
    process.exitCode = faults.length === 0 ? 0 : 1
    if (faults.length === 0) await rm(data, { recursive: true, force: true })
  } catch (error) {
    print(`The run failed: ${error instanceof Error ? error.stack : error}`)
    process.exitCode = 1
  }
}
