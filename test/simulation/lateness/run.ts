import { inLanes } from '#shared/platform/lanes.ts'
import { runApart } from '../run-apart.ts'
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

const PROCESS = new URL('process.ts', import.meta.url)

const runOne = async (order: Order, quiet: boolean): Promise<Finding[]> =>
  JSON.parse(await runApart(PROCESS, order, { isShown: !quiet })) as Finding[]

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
