/** The service's clock: real time plus a fixed offset in milliseconds. */
export interface ServiceClock {
  readonly offsetMs: number
  /** Now, in epoch milliseconds. */
  now(): number
}

/** A clock that starts now at `startsAt` (epoch milliseconds); real time when undefined. */
export const startClock = (startsAt: number | undefined, real: () => number = Date.now): ServiceClock => {
  const offsetMs = startsAt === undefined ? 0 : startsAt - real()
  return { offsetMs, now: () => real() + offsetMs }
}
