import { bound, type Finding, told } from '../lateness/finding.ts'
import type { Result } from './result.ts'
import type { Phases } from './run.ts'
import { KINDS } from './uses.ts'

/** Percent by which the use of the lines may fall. In a short span, it varies by some percent without a cause. */
const SHORTFALL = 25
/** Milliseconds by which a line may wait longer for its next call, p99. */
const HAND_OVER = 4000
/** Percent by which rates differ without a cause. */
const NOISE = 1

const HEAD = ['write units', 'rows', 'bulk leads', 'deliveries', 'delay p99', 'call starts', 'idle p99'] as const
const WIDTH = 13

const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => (typeof cell === 'number' ? `${Math.round(10 * cell) / 10}` : cell).padStart(WIDTH)).join('')

const nameOf = ({ most, rows }: Result): string => `${most ?? (rows === 0 ? 'calls alone' : 'no limit')}`

/** The rates of all phases, each a second. */
export const ratesTable = (results: readonly Result[]): string[] => [
  row(HEAD),
  ...results.map((result) => {
    const { rows, bulk, deliveries, deliveryDelay, starts, idle } = result
    return row([nameOf(result), rows, bulk, deliveries, `${deliveryDelay} ms`, starts, `${idle} ms`])
  }),
]

/** Write units a second that each kind of work took in each phase. */
export const unitsTable = (results: readonly Result[], seconds: number): string[] => [
  row(['write units', ...KINDS]),
  ...results.map((result) => row([nameOf(result), ...KINDS.map((kind) => result.uses[kind].units / seconds)])),
]

/** Throttled tries of each kind of work in each phase, and after the slash the requests that were refused at every try. */
export const throttledTable = (results: readonly Result[]): string[] => [
  row(['write units', ...KINDS]),
  ...results.map((result) => {
    const counts = KINDS.map((kind) => `${result.uses[kind].tries}/${result.uses[kind].refused}`)
    return row([nameOf(result), ...counts])
  }),
]

const none = (what: string, count: number): Finding => bound(what, count, '', 0)

/** Whether calls are placed as if nothing else wrote to the table, and nothing is lost. */
const callFindings = (result: Result, alone: Result): Finding[] => [
  told('write units a second that the table took', result.units, ''),
  told('call starts a second', result.starts, ''),
  bound('call starts that are missing, by the use of the lines', 100 * (1 - result.use / alone.use), '%', SHORTFALL),
  bound('wait of a line for its next call, p99, above that of calls alone', result.idle - alone.idle, 'ms', HAND_OVER),
  none('reports that were lost', result.reportsLost),
  none('reports that were answered with an error, and sweeps that failed', result.reportsRefused),
  none('calls whose result is unknown', result.unknownCalls),
  none('leads that were called twice, and calls with a second key', result.calledTwice),
  none('leads that were created twice', result.createdTwice),
  none('leads that were counted or answered as created, and are not there', result.lostLeads),
  none('webhooks that the receiver got twice', result.sentTwice),
]

/** Whether files slow down first, then bulk requests, then webhooks. */
const orderFindings = (result: Result, free: Result): Finding[] => {
  const share = (of: 'rows' | 'bulk' | 'deliveries'): number => (100 * result[of]) / free[of]
  const [rows, bulk, deliveries] = [share('rows'), share('bulk'), share('deliveries')]
  return [
    told('rows of the file, of their full rate', rows, '%'),
    told('leads of bulk requests, of their full rate', bulk, '%'),
    told('webhooks, of their full rate', deliveries, '%'),
    bound('share of the file above that of bulk requests', rows - bulk, 'points', NOISE),
    bound('share of bulk requests above that of webhooks', bulk - deliveries, 'points', NOISE),
    none('files that ended too early to be measured', Number(result.isFileRead)),
  ]
}

/** Findings on a phase with all of the load. */
export const findingsOf = (result: Result, { alone, free }: Phases): Finding[] => [
  ...(free ? orderFindings(result, free) : []),
  ...callFindings(result, alone),
]
