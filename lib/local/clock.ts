/** The service's clock: real time moved by a fixed number of milliseconds. */
export interface ServiceClock {
  readonly offsetMs: number
  /** Now, in epoch milliseconds. */
  now(): number
}

/** A clock that shows `startsAt` (epoch milliseconds) at this moment and runs on; real time when undefined. */
export const startClock = (startsAt: number | undefined, real: () => number = Date.now): ServiceClock => {
  const offsetMs = startsAt === undefined ? 0 : startsAt - real()
  return { offsetMs, now: () => real() + offsetMs }
}
