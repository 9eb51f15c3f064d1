import { now } from '../adapters/clock.ts'
import { DAY, SECOND } from '../domain/durations.ts'
import { dueBetween, type IndexedEntry, unmarkWaiting } from '../storage/due.ts'
import { dueKey } from '../storage/keys.ts'
import { getLeads } from '../storage/leads.ts'
import { getLines } from '../storage/lines.ts'
import { getUser } from '../storage/users.ts'
import { dialMessage, sendCallMessages } from './dispatch.ts'

/** More than one wake-up may name the same lead: each takes a few more than it has lines for, who come a moment later. */
const SPARE = 2
const SPARE_DELAY = 1
/** The index still shows some that were called a moment ago: so many more are looked at, lest no line be left for whoever is next. */
const LAGGING = 10

/** Of those who wait for the next morning, the first are sent on its second: at least two sweeps see them before. */
const AHEAD = 130 * SECOND
/** No lead waits for a time as far off. */
const EVER = 3650 * DAY

/** Those of the entries whose leads wait indeed. */
const stillWaiting = async (entries: readonly IndexedEntry[]): Promise<IndexedEntry[]> => {
  const leads = await getLeads(
    entries.map(({ lead }) => lead),
    { consistent: true },
  )
  return entries.filter(({ lead, attempt }) => {
    const found = leads.get(lead)
    return found?.due_list === 'WAIT' && found.attempts + 1 === attempt
  })
}

/**
 * Sends the calls that wait longest, as many as the owner has lines free. Lines are pulled: each call's end comes here, each
 * lead that begins to wait, and every sweep.
 * @param most lines to find calls for, at most
 * @returns whether anybody may be waiting
 */
export const startWaiting = async (owner: number, most = Number.MAX_SAFE_INTEGER): Promise<boolean> => {
  const [user, lines] = await Promise.all([getUser(owner), getLines(owner)])
  const free = (user?.lines ?? 0) - lines.calls.size
  if (free <= 0 || lines.paused) return true
  const at = now()
  const wanted = Math.min(free, most)
  const shown = await dueBetween(dueKey('WAIT', owner, 0), 0, at + AHEAD, wanted + SPARE + LAGGING)
  const waiting = (await stillWaiting(shown)).slice(0, wanted + SPARE)
  await sendCallMessages(
    waiting.map((entry, place) => {
      const message = dialMessage(entry, at)
      return place < wanted ? message : { ...message, delaySeconds: (message.delaySeconds ?? 0) + SPARE_DELAY }
    }),
  )
  return shown.length > 0
}

/** The sweep's look at an owner who had leads waiting. */
export const drainWaiting = async (owner: number): Promise<void> => {
  if (await startWaiting(owner)) return
  const at = now()
  const waiting = await dueBetween(dueKey('WAIT', owner, 0), 0, at + EVER, 1)
  if (waiting.length === 0) await unmarkWaiting(owner, at)
}
