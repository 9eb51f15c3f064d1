import { readDeployment } from '../lateness/deployment.ts'
import { runApart } from '../run-apart.ts'
import type { Order, Size } from './order.ts'
import type { Result } from './result.ts'

/** The write units of the table in each phase, as shares of those that the whole load takes of a table without a limit. */
const SHARES = [0.7, 0.4, 0.25]
/** In the last phase, the table takes so many times what calls and their reports take alone. */
const MARGIN = 1.3

const PROCESS = new URL('process.ts', import.meta.url)

export interface Request {
  readonly size: Size
  /** Plays only the first and the last phase. */
  readonly isShort: boolean
  readonly quiet: boolean
}

/** The write units that calls and reports take in a second. */
export const unitsOfCalls = ({ uses: { calls, reports } }: Result, { seconds }: Size): number => (calls.units + reports.units) / seconds

/** Plays the phases, each in a process of its own. The first result is that of a table without a limit. */
export const runPhases = async ({ size, isShort, quiet }: Request): Promise<readonly [free: Result, ...limited: Result[]]> => {
  const deployment = readDeployment()
  const play = async (most: number | null): Promise<Result> => {
    const order: Order = { size, deployment, most }
    return JSON.parse(await runApart(PROCESS, order, { isShown: !quiet })) as Result
  }
  const free = await play(null)
  const limits = [...(isShort ? [] : SHARES.map((share) => share * free.units)), MARGIN * unitsOfCalls(free, size)]
  const limited: Result[] = []
  for (const most of limits) limited.push(await play(Math.round(most)))
  return [free, ...limited]
}
