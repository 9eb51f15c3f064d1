import type { Order } from './order.ts'
import { resultOf } from './result.ts'
import { simulatePressure } from './simulate.ts'

/** The task of this process, given as its argument. */
const order = JSON.parse(process.argv[2] ?? '') as Order
const result = resultOf(order, await simulatePressure(order, (line) => void process.stderr.write(`${line}\n`)))
// Requests that the end of the simulation cut short would keep this process alive by their real timers.
process.stdout.write(JSON.stringify(result), () => process.exit())
