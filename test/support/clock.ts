import { now, useClock } from '#shared/platform/clock.ts'

/** Sets the service's clock to an instant, at which it stands still until it is set again. */
export const setClock = (instant: number): void => {
  const standing = Math.round(instant)
  useClock(() => standing)
}

/** Moves the service's clock forward, and lets it stand there. */
export const passTime = (milliseconds: number): void => setClock(now() + milliseconds)

/** Lets the service's clock run on from an instant, for a simulation whose parts take their time. */
export const runClock = (instant: number): void => {
  const ahead = Math.round(instant - Date.now())
  useClock(() => Date.now() + ahead)
}
