import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inLanes } from '#shared/platform/lanes.ts'
import { readDeployment } from './deployment.ts'
import type { Finding } from './finding.ts'
import type { Order } from './process.ts'
import type { ScenarioName, Size } from './scenarios.ts'

export interface Request {
  readonly scenarios: readonly ScenarioName[]
  readonly size: Size
  /** Simulations to run at once. */
  readonly jobs: number
  readonly quiet: boolean
}

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url))

const runOne = async (order: Order, quiet: boolean): Promise<Finding[]> => {
  const child = spawn(process.execPath, ['--no-warnings', PROCESS, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
  })
  const code = new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject))
  const output = await text(child.stdout)
  if ((await code) !== 0) throw new Error(`The simulation ${order.scenario} ended without a result.`)
  return JSON.parse(output) as Finding[]
}

/** Runs each simulation in its own process. */
export const runSimulations = async ({ scenarios, size, jobs, quiet }: Request): Promise<ReadonlyMap<ScenarioName, readonly Finding[]>> => {
  const deployment = readDeployment()
  const results = await inLanes(
    jobs,
    scenarios,
    async (scenario) => [scenario, await runOne({ scenario, size, deployment }, quiet)] as const,
  )
  return new Map(results)
}
