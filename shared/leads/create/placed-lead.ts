import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../../platform/clock.ts'
import { type Reservation, unrecorded } from '../../platform/ids/reservations.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { RaceLostError } from '../../platform/transient-errors.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import { recordHole, settlePosition, takePosition } from '../../positions/position-store.ts'
import type { Lead } from '../lead.ts'

/** Where a new lead is to stand. */
export interface NewPosition {
  readonly id: number
  readonly position: number
}

const MAX_TRIES = 100
/** The loser of a race for the same person waits: the more have lost, the longer, or they all lose again. */
export const pauseAfterRace = (tries: number): Promise<void> => sleep(Math.random() * 30 * Math.min(2 ** tries, 16))

/** A refusal is an outcome, thrown or not: a place that was taken before it is a hole. */
const refusal = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  throw error
}

type Outcome = { readonly lead: Lead } | ServiceError

const givePositionBack = async (owner: number, position: number): Promise<void> => {
  try {
    await recordHole(owner, position)
  } catch (error) {
    logger.warn('Left to the readers of the list: a place at which nothing stands.', { owner, position, error: loggable(error) })
  }
}

const giveIdBack = async ({ giveBack }: Reservation, id: number): Promise<void> => {
  try {
    await giveBack(id)
  } catch (error) {
    logger.warn('Lost: an id that nothing has.', { id, error: loggable(error) })
  }
}

/** Says what became of a place that was taken: the new lead stands there, or nothing does. */
const settle = async (owner: number, { id, position }: NewPosition, outcome: Outcome, reservation: Reservation): Promise<void> => {
  const lead = outcome instanceof ServiceError ? undefined : outcome.lead
  if (lead?.id === id && lead.position === position) return settlePosition(owner, position)
  await givePositionBack(owner, position)
  if (lead?.id !== id) await giveIdBack(reservation, id)
}

export interface Placing {
  readonly owner: number
  /** The id of a new lead. Default: the next one, which no repeat knows of. */
  readonly reservation?: Reservation | undefined
  /** By the machine's clock: a race that is lost after this instant is the last one. */
  readonly giveUpAt: number
}

/**
 * Runs what may write a new lead, again from the start while it answers undefined: somebody else wrote meanwhile. It takes a place
 * for the lead at most once, and what is not used of it becomes a hole. One whose fate is not known is left to the list's readers.
 * @throws ServiceError what it answers or throws as such; RaceLostError
 */
export const withPlace = async <T extends { readonly lead: Lead }>(
  { owner, reservation = unrecorded, giveUpAt }: Placing,
  attempt: (takePlace: () => Promise<NewPosition>) => Promise<T | ServiceError | undefined>,
): Promise<T> => {
  let place: NewPosition | undefined
  const takePlace = async (): Promise<NewPosition> => {
    place ??= { id: await reservation.take(), position: await takePosition(owner) }
    return place
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await attempt(takePlace).catch(refusal)
    if (outcome && place) await settle(owner, place, outcome, reservation)
    if (outcome instanceof ServiceError) throw outcome
    if (outcome) return outcome
    if (realNow() > giveUpAt) break
    await pauseAfterRace(tries)
  }
  throw new RaceLostError('Lost every race for one person.')
}
