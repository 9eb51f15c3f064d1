import { bound, type Finding, told } from '../lateness/finding.ts'
import type { Result } from './result.ts'
import { KINDS } from './uses.ts'

/** Percent of their full rate by which call starts may fall. */
const SHORTFALL = 5
/** Milliseconds by which a line may wait longer for its next call, p99. */
const HAND_OVER = 1000
/** Percent by which rates differ without a cause. */
const NOISE = 5

const HEAD = ['write units', 'rows', 'bulk leads', 'deliveries', 'delay p99', 'call starts', 'idle p99'] as const
const WIDTH = 13

const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => (typeof cell === 'number' ? `${Math.round(10 * cell) / 10}` : cell).padStart(WIDTH)).join('')

/** The rates of all phases, each a second. */
export const ratesTable = (results: readonly Result[]): string[] => [
  row(HEAD),
  ...results.map(({ most, rows, bulk, deliveries, deliveryDelay, starts, idle }) =>
    row([most ?? 'no limit', rows, bulk, deliveries, `${deliveryDelay} ms`, starts, `${idle} ms`]),
  ),
]

/** Throttled tries of each kind of work in each phase, and after the slash the requests that were refused at every try. */
export const throttledTable = (results: readonly Result[]): string[] => [
  row(['write units', ...KINDS]),
  ...results.map(({ most, uses }) => row([most ?? 'no limit', ...KINDS.map((kind) => `${uses[kind].tries}/${uses[kind].refused}`)])),
]

const none = (what: string, count: number): Finding => bound(what, count, '', 0)

/** What must hold on every table. */
const lossFindings = (result: Result): Finding[] => [
  none('reports that were lost', result.reportsLost),
  none('reports that were answered with an error', result.reportsRefused),
  none('calls whose result is unknown', result.unknownCalls),
  none('leads that were called twice, and calls with a second key', result.calledTwice),
  none('leads that were created twice', result.createdTwice),
  none('leads that were counted or answered as created, and are not there', result.lostLeads),
  none('webhooks that the receiver got twice', result.sentTwice),
  none('files that ended too early to be measured', Number(result.isFileRead)),
]

/** Findings on a phase, compared with the one without a limit. */
export const findingsOf = (result: Result, free: Result): Finding[] => {
  const share = (of: 'rows' | 'bulk' | 'deliveries' | 'starts'): number => (100 * result[of]) / free[of]
  const [rows, bulk, deliveries, starts] = [share('rows'), share('bulk'), share('deliveries'), share('starts')]
  return [
    told('write units a second that the table took', result.units, ''),
    told('rows of the file, of their full rate', rows, '%'),
    told('leads of bulk requests, of their full rate', bulk, '%'),
    told('deliveries, of their full rate', deliveries, '%'),
    bound('call starts that are missing, of their full rate', 100 - starts, '%', SHORTFALL),
    bound('wait of a line for its next call, p99, above that without a limit', result.idle - free.idle, 'ms', HAND_OVER),
    bound('share of the file above that of bulk requests', rows - bulk, 'points', NOISE),
    bound('share of bulk requests above that of deliveries', bulk - deliveries, 'points', NOISE),
    ...lossFindings(result),
  ]
}
