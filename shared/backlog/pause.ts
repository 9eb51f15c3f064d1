import { pauseLines, pauseLinesUpTo, unpauseLines } from '../calling/line-store.ts'
import { now } from '../platform/clock.ts'
import { loggable, logger } from '../platform/logger.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { transact } from '../platform/table/transactions.ts'
import type { Instant } from '../platform/values/values.ts'
import { lastPosition } from '../positions/position-store.ts'
import { sendCallMessages, unparkMessage } from './dispatch.ts'
import { markUnparking } from './marks.ts'

/** Races come from the owner's calls that begin at the same moment. */
const MAX_TRIES = 50

/**
 * Pauses a user's outbound calls: all of them, or those to the leads that exist at this instant. After this returns, no dial intent to
 * them can be committed. No lead is written: leads that come due are parked. Safe to repeat. The two kinds of pause are independent.
 */
export const pauseCalls = async (user: number, { onlyExisting }: { readonly onlyExisting: boolean }): Promise<void> => {
  if (onlyExisting) await pauseLinesUpTo(user, await lastPosition(user))
  else await pauseLines(user)
}

/** @returns the instant of the mark that releases parked leads */
const lift = (user: number): Promise<Instant> =>
  retryRaces({ tries: MAX_TRIES, lost: `The lines of user ${user} changed while they were being unpaused,` }, async () => {
    const at = now()
    const { committed } = await transact([unpauseLines(user), markUnparking(user, at)])
    return committed ? at : undefined
  })

/** Ends both kinds of pause. The mark that releases parked leads is written in the same transaction. Safe to repeat. */
export const unpauseCalls = async (user: number): Promise<void> => {
  const turn = await lift(user)
  try {
    await sendCallMessages([unparkMessage(user, turn, 0)])
  } catch (error) {
    logger.warn('The release of parked leads could not be sent. The sweep will send it.', { user, error: loggable(error) })
  }
}
