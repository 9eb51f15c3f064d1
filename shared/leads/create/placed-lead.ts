import { realNow } from '../../platform/clock.ts'
import { type Reservation, unrecorded } from '../../platform/ids/reservations.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { retryRaces } from '../../platform/table/retry-races.ts'
import { SECOND } from '../../platform/values/durations.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import { closePosition, recordHole, takePosition } from '../../positions/position-store.ts'
import type { Lead } from '../lead.ts'
import { type LeadWriter, type NewPosition, TABLE_WRITER } from '../lead-writer.ts'

/** Races for one person: other creates and updates of its leads. */
export const PERSON_RACES = { tries: 100, isGrowing: true }

/** Returns a thrown refusal as a value. Other errors are thrown again. */
export const refusal = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  throw error
}

type Outcome = { readonly lead: Lead } | ServiceError

const givePositionBack = async (owner: number, position: number): Promise<void> => {
  try {
    await recordHole(owner, position)
  } catch (error) {
    logger.warn('Could not record the list gap. The next reader will.', { owner, position, error: loggable(error) })
  }
}

const giveIdBack = async ({ giveBack }: Reservation, id: number): Promise<void> => {
  try {
    await giveBack(id)
  } catch (error) {
    logger.warn('An id could not be given back. It stays unused.', { id, error: loggable(error) })
  }
}

/** Closes a position that was taken: the new lead has it, or it is recorded as a hole. */
const closePlace = async (owner: number, { id, position }: NewPosition, outcome: Outcome, reservation: Reservation): Promise<void> => {
  const lead = outcome instanceof ServiceError ? undefined : outcome.lead
  if (lead?.id === id && lead.position === position) return closePosition(owner, position)
  await givePositionBack(owner, position)
  if (lead?.id !== id) await giveIdBack(reservation, id)
}

/**
 * Milliseconds. Searches by creation assume that a lead is created soon after its position was taken. After longer races, the lead gets a
 * new position.
 */
const FRESH = 2 * SECOND

export interface Placing {
  readonly owner: number
  /** The id of a new lead. Default: the next free id, which a retry does not know. */
  readonly reservation?: Reservation | undefined
  /** By the machine's clock. A race that is lost after this instant is the last try. */
  readonly giveUpAt: number
  /** Default: the table. */
  readonly writer?: LeadWriter
}

/**
 * Runs `attempt`, which may write a new lead. Runs it again while it returns undefined, because another write came first. Takes one list
 * position, or another one after long races. An unused position becomes a hole. When it is unknown whether the lead was written, readers of
 * the list decide about its position.
 * @throws ServiceError that `attempt` returns or throws; RaceLostError
 */
export const withPlace = async <T extends { readonly lead: Lead }>(
  { owner, reservation = unrecorded, giveUpAt, writer = TABLE_WRITER }: Placing,
  attempt: (takePlace: () => Promise<NewPosition>) => Promise<T | ServiceError | undefined>,
): Promise<T> => {
  let place: NewPosition | undefined
  let taken = realNow()
  const take = async (): Promise<NewPosition> => {
    if (place && realNow() - taken <= FRESH) return place
    if (place) await givePositionBack(owner, place.position)
    const id = place?.id ?? (await reservation.take())
    taken = realNow()
    place = { id, position: await takePosition(owner) }
    return place
  }
  return retryRaces({ ...PERSON_RACES, lost: 'Lost the race for one person', giveUpAt }, async () => {
    const outcome = await attempt(() => writer.newPosition(take)).catch(refusal)
    if (outcome && place) await closePlace(owner, place, outcome, reservation)
    if (outcome instanceof ServiceError) throw outcome
    return outcome
  })
}
