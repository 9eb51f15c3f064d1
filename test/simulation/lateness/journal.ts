import type { Invocation } from './invocations.ts'

/** The events of a simulation. Instants are epoch milliseconds. */
export interface Journal {
  /** By lead id: its owner, and when it is due. */
  readonly due: Map<number, { readonly owner: number; readonly instant: number; readonly isFresh: boolean }>
  /** The first request of each call to the agent, in order. */
  readonly asked: { readonly lead: number; readonly instant: number; readonly callId: string }[]
  /** Calls that ended. */
  readonly ended: { readonly lead: number; readonly instant: number }[]
  readonly spent: Spent
  readonly sweeps: { longest: number; lost: number; run: number }
  readonly faults: string[]
}

interface Costs {
  runs: number
  requests: number
  read: number
  /** Characters that the table sent to the run that received most. */
  mostReceived: number
  write: number
  turnedAway: number
}

/** By kind of run. A dial message that led to no call has the kind `refused`. */
export type Spent = Map<string, Costs>

export const emptyJournal = (): Journal => ({
  due: new Map(),
  asked: [],
  ended: [],
  spent: new Map(),
  sweeps: { longest: 0, lost: 0, run: 0 },
  faults: [],
})

const kindOf = ({ kind, hasAsked }: Invocation): string => (kind === 'dial' ? (hasAsked ? 'dialled' : 'refused') : kind)

const add = (spent: Spent, key: string, { requests, read, received, write, turnedAway }: Invocation): void => {
  const costs = spent.get(key) ?? { runs: 0, requests: 0, read: 0, mostReceived: 0, write: 0, turnedAway: 0 }
  costs.runs++
  costs.requests += requests
  costs.read += read
  costs.mostReceived = Math.max(costs.mostReceived, received)
  costs.write += write
  costs.turnedAway += turnedAway
  spent.set(key, costs)
}

/** Adds a run's costs to its kind. Runs of an owner also count by kind, owner and time of day, such as `refused 1 open`. */
export const spend = (spent: Spent, run: Invocation, isWindowOpen: boolean): void => {
  const kind = kindOf(run)
  add(spent, kind, run)
  if (run.owner !== undefined) add(spent, `${kind} ${run.owner} ${isWindowOpen ? 'open' : 'closed'}`, run)
}
