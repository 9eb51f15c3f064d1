import { now } from '../adapters/clock.ts'
import { MINUTE } from '../domain/time.ts'
import { dueBetween, unmarkWaiting } from '../storage/due.ts'
import { dueKey } from '../storage/keys.ts'
import { getLines } from '../storage/lines.ts'
import { getUser } from '../storage/users.ts'
import { dialMessage, sendCallMessages } from './dispatch.ts'

/** More than one wake-up may name the same lead while the index lags: each takes a few more than it has lines for. */
const SPARE = 2

/**
 * Sends the calls that wait longest, as many as the owner has lines free. Lines are pulled: each call's end comes here, each
 * lead that begins to wait, and every sweep.
 * @returns whether anybody may be waiting
 */
export const startWaiting = async (owner: number): Promise<boolean> => {
  const [user, lines] = await Promise.all([getUser(owner), getLines(owner)])
  const free = (user?.lines ?? 0) - lines.calls.size
  if (free <= 0 || lines.paused) return true
  const at = now()
  const waiting = await dueBetween(dueKey('WAIT', owner, 0), 0, at + MINUTE, free + SPARE)
  await sendCallMessages(waiting.map((entry) => dialMessage(entry, at)))
  return waiting.length > 0
}

/** The sweep's look at an owner who had leads waiting. */
export const drainWaiting = async (owner: number): Promise<void> => {
  if (!(await startWaiting(owner))) await unmarkWaiting(owner, now())
}
