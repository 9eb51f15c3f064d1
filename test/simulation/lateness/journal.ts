import type { Invocation } from './invocations.ts'

/** What happened in a simulation. Instants are epoch milliseconds. */
export interface Journal {
  /** Leads by id: whose they are, and when they are due. */
  readonly due: Map<number, { readonly owner: number; readonly instant: number; readonly isFresh: boolean }>
  /** First requests to the agent, in their order. */
  readonly asked: { readonly lead: number; readonly instant: number; readonly callId: string }[]
  /** Hung up, by either side. */
  readonly ended: { readonly lead: number; readonly instant: number }[]
  readonly spent: Spent
  readonly sweeps: { longest: number; lost: number; run: number }
  readonly faults: string[]
}

interface Costs {
  runs: number
  requests: number
  read: number
  write: number
  turnedAway: number
}

/** By kind of run; runs for a message of a call that did not lead to it are of the kind `refused`. */
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

const add = (spent: Spent, key: string, { requests, read, write, turnedAway }: Invocation): void => {
  const costs = spent.get(key) ?? { runs: 0, requests: 0, read: 0, write: 0, turnedAway: 0 }
  costs.runs++
  costs.requests += requests
  costs.read += read
  costs.write += write
  costs.turnedAway += turnedAway
  spent.set(key, costs)
}

/** Counts what a run cost; for an owner's messages besides under the kind, the owner and the part of the day: `refused 1 open`. */
export const spend = (spent: Spent, run: Invocation, isWindowOpen: boolean): void => {
  const kind = kindOf(run)
  add(spent, kind, run)
  if (run.owner !== undefined) add(spent, `${kind} ${run.owner} ${isWindowOpen ? 'open' : 'closed'}`, run)
}
