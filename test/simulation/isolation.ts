import { measureIsolation } from './isolation/run.ts'

/** What the p99 of good destinations may grow by while one is dead and one takes ten seconds. */
const MOST = 1.2

const print = (line: string) => void process.stdout.write(`${line}\n`)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping.abort()
    process.exit(130)
  })
}

const rounds = Number(process.argv[2] ?? 5)
// As many runs as the rate leaves half idle: with the bad destinations in one lane with the others, all of them would be taken.
const plan = { rounds, seconds: 40, rate: 20, concurrency: { match: 4, deliver: 10, slow: 4 } }
print(
  `50 destinations, ${plan.rate} events a second, ${rounds} rounds of ${plan.seconds} s with a dead and a slow one, and beside them without`,
)
const { alone, beside } = await measureIsolation(plan, print, stopping.signal)
print(`all well: median ${alone.median} ms, p99 ${alone.p99} ms of ${alone.count}`)
print(`one dead, one slow: median ${beside.median} ms, p99 ${beside.p99} ms of ${beside.count}`)
print(`the p99 grows by ${Math.round((beside.p99 / alone.p99 - 1) * 100)} %, at most ${Math.round((MOST - 1) * 100)} % are allowed`)
process.exitCode = beside.p99 <= alone.p99 * MOST ? 0 : 1
