import { pauseLines, pauseLinesUpTo, unpauseLines } from '../calling/line-store.ts'
import { now } from '../platform/clock.ts'
import { loggable, logger } from '../platform/logger.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { transact } from '../platform/table/transactions.ts'
import { lastPosition } from '../positions/position-store.ts'
import { agentMessage, lookMessage, sendCallMessages } from './dispatch.ts'
import { markReleased } from './marks.ts'
import { pauseHolder } from './rules/holders.ts'

/** Races come from the owner's calls that begin at the same moment. */
const MAX_TRIES = 50

/**
 * Pauses a user's outbound calls: all of them, or those to the leads that exist at this instant. After this returns, no dial intent to
 * them can be committed. Leads that come due wait until the pause ends. The pause itself writes no lead. Safe to repeat. The two kinds of
 * pause are independent.
 */
export const pauseCalls = async (user: number, { onlyExisting }: { readonly onlyExisting: boolean }): Promise<void> => {
  if (onlyExisting) await pauseLinesUpTo(user, await lastPosition(user))
  else await pauseLines(user)
}

/** Ends both kinds of pause. The mark that releases the paused leads is written in the same transaction. Safe to repeat. */
export const unpauseCalls = async (user: number): Promise<void> => {
  const holder = pauseHolder(user)
  const at = await retryRaces({ tries: MAX_TRIES, lost: `The lines of user ${user} changed while they were being unpaused,` }, async () => {
    const began = now()
    const { committed } = await transact([unpauseLines(user), markReleased(holder, began)])
    return committed ? began : undefined
  })
  try {
    await sendCallMessages([agentMessage({ type: 'retry-held', agent: holder, began: at, after: null }, 0), lookMessage([user])])
  } catch (error) {
    logger.warn('The release of paused leads could not be sent. The sweep will send it.', { user, error: loggable(error) })
  }
}
