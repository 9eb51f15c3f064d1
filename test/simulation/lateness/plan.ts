import type { Calls } from './agent.ts'

/** An owner with so many leads due at once that they wait for a line all day. */
export interface Crowd {
  readonly owner: number
  readonly due: number
  /** After this instant, no lead may be called that day. */
  readonly lastStart: number
}

/** The course of a simulation. Instants are epoch milliseconds. */
export interface Plan {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly owners: number
  readonly leads: readonly { readonly owner: number; readonly due: number }[]
  /** Leads that are created through the API during the run. */
  readonly fresh: readonly { readonly owner: number; readonly instant: number }[]
  readonly linesOf: (owner: number) => number
  readonly callsOf: (owner: number) => Calls
  readonly crowd: Crowd | undefined
  /** When all leads become due at once. */
  readonly allDue?: number
  /** From this instant on, the owner's lines are full. `ideal`: starts a second if each line got its next call at once. */
  readonly steady?: { readonly from: number; readonly ideal: number }
  /** Concurrent runs that place calls. Default: those of the deployment's default settings. */
  readonly callConcurrency?: number
  /** Minutes from the start in which the sweep does not run. */
  readonly lostSweeps: ReadonlySet<number>
  /** When sweeps run again after a long outage. Calls due earlier count as late only from here on. */
  readonly resumed: number | undefined
  readonly duplicates: number
  readonly isFair: boolean
  /** Milliseconds by which all messages are delayed, to check that the findings show it. */
  readonly plantedLateness: number
}
