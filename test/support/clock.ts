import { now, useClock } from '#shared/platform/clock.ts'

/** Stops the service's clock at an instant. */
export const setClock = (instant: number): void => {
  const stoppedAt = Math.round(instant)
  useClock(() => stoppedAt)
}

/** Moves the stopped clock forward. */
export const passTime = (milliseconds: number): void => setClock(now() + milliseconds)

/** Lets the service's clock run from an instant, for simulations in real time. */
export const runClock = (instant: number): void => {
  const ahead = Math.round(instant - Date.now())
  useClock(() => Date.now() + ahead)
}
