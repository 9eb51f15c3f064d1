import { reportHotKeys, type SeenLoads } from '../limits/hot-key-findings.ts'
import { runApart } from '../run-apart.ts'
import type { Delay, Measured, Measurement } from './measure.ts'

export interface Plan extends Omit<Measurement, 'withBad'> {
  /** Number of measurements. */
  readonly rounds: number
}

/** From an event to its request at a good destination. Milliseconds. */
interface Latencies {
  readonly median: number
  readonly p99: number
  readonly worst: number
  readonly count: number
  /** Requests that were overtaken by more than half of the events that are sent during one slow request. */
  readonly held: number
}

/** Answer time of the slow destination. Milliseconds. */
const SLOW_MS = 10_000

const MEASURE = new URL('measure.ts', import.meta.url)

const latenciesOf = (all: readonly Delay[], rate: number): Latencies => {
  const sorted = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.POSITIVE_INFINITY
  const held = all.filter(({ overtaken }) => overtaken > ((SLOW_MS / 1000) * rate) / 2).length
  return { median: at(0.5), p99: at(0.99), worst: sorted.at(-1) ?? Number.POSITIVE_INFINITY, count: sorted.length, held }
}

const measureApart = async (measurement: Measurement, signal: AbortSignal): Promise<Measured> =>
  JSON.parse(await runApart(MEASURE, measurement, { isShown: true, signal }))

const told = ({ median, p99, worst, held }: Latencies): string => `median ${median} ms, p99 ${p99} ms, worst ${worst} ms, ${held} held`

/** Runs both measurements, with bad destinations and without, at the same time. Other load on the machine then affects both. */
export const measureIsolation = async ({ rounds, ...measurement }: Plan, print: (line: string) => void, signal: AbortSignal) => {
  const [alone, beside]: [Delay[], Delay[]] = [[], []]
  const loads: SeenLoads[] = []
  const { rate } = measurement
  for (let round = 1; round <= rounds; round++) {
    const measured = await Promise.all([false, true].map((withBad) => measureApart({ ...measurement, withBad }, signal)))
    const [well, bad] = measured.map(({ delays }) => delays)
    alone.push(...well!)
    beside.push(...bad!)
    loads.push(...measured.map((one) => one.loads))
    print(`round ${round}, all well: ${told(latenciesOf(well!, rate))}`)
    print(`round ${round}, one dead, one slow: ${told(latenciesOf(bad!, rate))}`)
  }
  return { alone: latenciesOf(alone, rate), beside: latenciesOf(beside, rate), faults: reportHotKeys(loads, print) }
}
