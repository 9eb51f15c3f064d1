import { SECOND } from '#shared/platform/values/durations.ts'
import { calledTwice, handOvers, spreadOf, timeInCalls } from '../lateness/measure.ts'
import type { Order } from './order.ts'
import type { Played } from './simulate.ts'
import type { Kind, Use } from './uses.ts'

export interface Result {
  readonly most: number | null
  readonly uses: Readonly<Record<Kind, Use>>
  /** Write units of a second, of all kinds and with refused conditions. */
  readonly units: number
  /** In a second. */
  readonly rows: number
  readonly bulk: number
  readonly deliveries: number
  readonly starts: number
  /** Percent of the lines' time that is spent in calls. Less noisy than the starts. */
  readonly use: number
  /** Milliseconds. */
  readonly deliveryDelay: number
  readonly idle: number
  /** Whether the file was read to its end. Then its rate means nothing. */
  readonly isFileRead: boolean
  readonly reportsRefused: number
  readonly reportsLost: number
  readonly calledTwice: number
  readonly unknownCalls: number
  readonly sentTwice: number
  readonly createdTwice: number
  /** Leads that were counted or answered as created, and were not written. */
  readonly lostLeads: number
  readonly faults: readonly string[]
}

/** Phones of the file begin so. */
const OF_FILE = '+18082'

export const resultOf = ({ most, size }: Order, played: Played): Result => {
  const { span, service, uses, created, webhooks, bulkClients, upload, units, unknownCalls } = played
  const { journal, agent } = service
  const isIn = (instant: number): boolean => instant >= span.from && instant < span.until
  const inSecond = (instants: readonly number[]): number => instants.filter(isIn).length / size.seconds
  const instants = (list: readonly { readonly instant: number }[]): number[] => list.map(({ instant }) => instant)
  const [dials, ends] = [instants(journal.asked), instants(journal.ended)]
  const received = [...webhooks.received.values()]
  const delays = [...webhooks.sent].flatMap(([event, at]) => (isIn(at) ? [(webhooks.received.get(event)?.[0] ?? span.until) - at] : []))
  const unwritten = bulkClients.flatMap((one) => one.created).filter((phone) => !created.has(phone)).length
  const rows = [...created.keys()].filter((phone) => phone.startsWith(OF_FILE)).length
  return {
    ...{ most, uses, units, unknownCalls },
    rows: uses.file.leads / size.seconds,
    bulk: uses.bulk.leads / size.seconds,
    deliveries: inSecond(received.map(([first = 0]) => first)),
    starts: inSecond(dials),
    use: (100 * timeInCalls(dials, ends, span)) / (size.lines * (span.until - span.from)),
    deliveryDelay: spreadOf(delays).p99,
    idle: handOvers(dials, ends, { lines: size.lines, from: span.from - SECOND, until: span.until }).gaps.p99,
    isFileRead: upload.status !== 'processing',
    reportsRefused: journal.faults.length,
    reportsLost: agent.counts.lostReports,
    calledTwice: calledTwice(journal) + agent.counts.requests - agent.counts.repeats - journal.asked.length,
    sentTwice: received.filter(({ length }) => length > 1).length,
    createdTwice: [...created.values()].filter((count) => count > 1).length,
    lostLeads: unwritten + Math.max(0, upload.created - rows),
    faults: [...journal.faults, ...bulkClients.flatMap((one) => one.faults)],
  }
}
