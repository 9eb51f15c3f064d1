import { readDeployment } from '../lateness/deployment.ts'
import { runApart } from '../run-apart.ts'
import type { Order, Size } from './order.ts'
import type { Result } from './result.ts'

/** The write units of the table in each phase, as shares of those that the whole load takes of a table without a limit. */
const SHARES = [0.7, 0.4, 0.25]
/** In the last two phases, the table takes so many times what calls, reports and webhooks take, and what calls and reports take. */
const MARGIN = 1.3

const PROCESS = new URL('process.ts', import.meta.url)

export interface Request {
  readonly size: Size
  /** Plays only the calls alone, and the last phase. */
  readonly isShort: boolean
  readonly quiet: boolean
}

export interface Phases {
  /** The calls and their reports without anything else, on a table without a limit. */
  readonly alone: Result
  /** All of the load, on a table without a limit. Not in the short form. */
  readonly free: Result | undefined
  /** All of the load, on tables that take less and less. */
  readonly limited: readonly Result[]
}

/** Plays the phases, each in a process of its own. */
export const runPhases = async ({ size, isShort, quiet }: Request): Promise<Phases> => {
  const deployment = readDeployment()
  const play = async (most: number | null, played = size): Promise<Result> => {
    const order: Order = { size: played, deployment, most }
    return JSON.parse(await runApart(PROCESS, order, { isShown: !quiet })) as Result
  }
  const alone = await play(null, { ...size, lanes: 0, bulks: 0, deliveries: 0 })
  const free = isShort ? undefined : await play(null)
  const shares = free
    ? [...SHARES.map((share) => share * free.units), MARGIN * (alone.units + free.uses.webhooks.units / size.seconds)]
    : []
  const limits = [...shares, MARGIN * alone.units]
  const limited: Result[] = []
  for (const most of limits) limited.push(await play(Math.round(most)))
  return { alone, free, limited }
}
