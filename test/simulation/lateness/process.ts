import type { Deployment } from './deployment.ts'
import { SCENARIOS, type ScenarioName, type Size } from './scenarios.ts'
import { simulate } from './simulate.ts'

/** The task of this process, given as its argument. */
export interface Order {
  readonly scenario: ScenarioName
  readonly size: Size
  readonly deployment: Deployment
}

const { scenario, size, deployment } = JSON.parse(process.argv[2] ?? '') as Order
const findings = await simulate(SCENARIOS[scenario](size), deployment, size.seed, (line) => void process.stderr.write(`${line}\n`))
// Runs of functions that the end of the simulation cut short would keep this process alive for an hour, by their real timers.
process.stdout.write(JSON.stringify(findings), () => process.exit())
