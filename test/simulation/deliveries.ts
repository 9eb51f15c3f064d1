import { simulateDeliveries } from './deliveries/run.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

const plan = { events: Number(process.argv[2] ?? 10_000), restarts: 5, seed: Number(process.argv[3] ?? 1) }
print(`${plan.events} events to a destination that fails 30 %, lets 5 % hang and is restarted ${plan.restarts} times; seed ${plan.seed}`)
const faults = await simulateDeliveries(plan, print)
for (const fault of faults.slice(0, 50)) print(`FAULT: ${fault}`)
print(
  faults.length === 0
    ? 'Every event was delivered, or failed as often as the schedule has it, and the log says so.'
    : `${faults.length} faults`,
)
process.exitCode = faults.length === 0 ? 0 : 1
