import type { Calls } from './agent.ts'

/** An owner who has so many leads due at the same instant that they wait all day for a line. */
export interface Crowd {
  readonly owner: number
  readonly due: number
  /** After it none of them may be called that day. */
  readonly lastStart: number
}

/** What happens in a simulation. Instants are epoch milliseconds. */
export interface Plan {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly owners: number
  readonly leads: readonly { readonly owner: number; readonly due: number }[]
  /** Leads that are created through the API while it runs. */
  readonly fresh: readonly { readonly owner: number; readonly instant: number }[]
  /** Of each owner. */
  readonly lines: number
  readonly callsOf: (owner: number) => Calls
  readonly crowd: Crowd | undefined
  /** Minutes, from the start, whose sweep does not run. */
  readonly lostSweeps: ReadonlySet<number>
  /** When sweeps run again, after so long that what came due meanwhile was never sent: nobody is late before it. */
  readonly resumed: number | undefined
  readonly duplicates: number
  readonly isFair: boolean
  /** Milliseconds by which messages come late: to see that it shows. */
  readonly plantedLateness: number
}
