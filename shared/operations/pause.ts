import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../adapters/clock.ts'
import { loggable, logger } from '../adapters/logger.ts'
import { markUnparking } from '../storage/due.ts'
import { pauseLines, pauseLinesUpTo, unpauseLines } from '../storage/lines.ts'
import { lastPosition } from '../storage/positions.ts'
import { transact } from '../storage/transactions.ts'
import { sendCallMessages, unparkMessage } from './dispatch.ts'

const MAX_TRIES = 50
/** Milliseconds, times a random part: how long one waits who met the calls of the owner's that begin at that moment. */
const RACE_PAUSE = 20

/**
 * Pauses a user's outbound calls, all of them or those to the leads that exist at this instant. After this returns no dial intent
 * to them can be committed. No lead is touched: what comes due is parked. Safe to repeat; the two kinds do not know of each other.
 */
export const pauseCalls = async (user: number, { onlyExisting }: { readonly onlyExisting: boolean }): Promise<void> => {
  if (onlyExisting) await pauseLinesUpTo(user, await lastPosition(user))
  else await pauseLines(user)
}

const lift = async (user: number): Promise<void> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if ((await transact([unpauseLines(user), markUnparking(user, now())])).committed) return
    await sleep(Math.random() * RACE_PAUSE)
  }
  throw new Error(`The lines of user ${user} changed ${MAX_TRIES} times while they were being unpaused.`)
}

/** Ends both kinds of pause. Leads that were parked are sent on afterwards: the note of that is written with the end. Safe to repeat. */
export const unpauseCalls = async (user: number): Promise<void> => {
  await lift(user)
  try {
    await sendCallMessages([unparkMessage(user, 0)])
  } catch (error) {
    logger.warn('Left to the sweep: the parked leads of a user could not be sent on.', { user, error: loggable(error) })
  }
}
