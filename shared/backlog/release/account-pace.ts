import { now } from '../../platform/clock.ts'
import { POSITIONS_PER_BLOCK } from '../../platform/keys.ts'
import { DAY } from '../../platform/values/durations.ts'
import { agentsToLookAt } from '../marks.ts'
import { accountOf } from '../rules/holders.ts'

/** All accounts together read about this many leads a second. More would slow down calls: a deployment may mark all accounts at once. */
export const READ_TOGETHER = 5000
/** Seconds. */
const LONGEST_PAUSE = 60
/** Most marks that are read. */
const MOST_MARKS = 1000

/**
 * Seconds until a run reads the next block of an account's leads: all accounts that are marked take turns. One alone needs no pause.
 * @param isFirst the first block, which is read at a random moment, so that not all accounts begin together
 */
export const pauseOfAccount = async (isFirst: boolean): Promise<number> => {
  const marked = await agentsToLookAt(now() + DAY, MOST_MARKS)
  // Marks of other kinds may hide further accounts.
  const accounts = marked.length < MOST_MARKS ? marked.filter(({ agent }) => accountOf(agent) !== undefined).length : MOST_MARKS
  const pause = Math.min(LONGEST_PAUSE, Math.floor((accounts * POSITIONS_PER_BLOCK) / READ_TOGETHER))
  return isFirst ? Math.floor(Math.random() * pause) : pause
}
