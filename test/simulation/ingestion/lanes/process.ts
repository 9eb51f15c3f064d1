import { type Order, simulateWorkers } from './simulate.ts'

/** The task of this process, given as its argument. */
const order = JSON.parse(process.argv[2] ?? '') as Order
process.stdout.write(JSON.stringify(await simulateWorkers(order)))
