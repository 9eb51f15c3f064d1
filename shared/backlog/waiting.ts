import { getLeadType } from '../accounts/lead-type-store.ts'
import { getUser } from '../accounts/user-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { getBreaker } from '../agents/breaker-store.ts'
import { getLines } from '../calling/line-store.ts'
import { getReadableLeads } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { dueKey } from '../platform/keys.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { dialMessage, sendCallMessages } from './dispatch.ts'
import { dueBetween, type IndexedEntry, isDueListEmpty, markWaiting, unmarkWaiting } from './due.ts'
import { quarantineLead } from './quarantine.ts'

/** More than one wake-up may name the same lead: each takes a few more than it has lines for, who come a moment later. */
const SPARE = 2
const SPARE_DELAY = 1
/** The index still shows some that were called a moment ago: so many more are looked at, lest no line be left for whoever is next. */
const LAGGING = 10

/** Of those who wait for the next morning, the first are sent on its second: at least two sweeps see them before. */
const AHEAD = 130 * SECOND

/** So many are looked at when those who wait longest are held up: by whoever has a line free, and by the sweep. */
const LOOK_PAST = 100
const SWEEP_LOOKS_PAST = 500

/** Whether no lead of a type can be called at the moment, whatever else there is to be said of it. */
const isHeldUp = async (owner: number, id: number | null, at: Instant): Promise<boolean> => {
  const leadType = id === null ? undefined : await getLeadType(owner, id)
  if (!leadType) return false
  if (!leadType.active || !(await getAgent(leadType.agent))) return true
  return (await getBreaker(leadType.agent)).open_until > at
}

/** Those who wait indeed: who may be called, for all that is known, and who is held up. */
interface Waiting {
  readonly ready: readonly IndexedEntry[]
  readonly heldUp: readonly IndexedEntry[]
}

const sortOut = async (owner: number, entries: readonly IndexedEntry[], at: Instant): Promise<Waiting> => {
  const { leads, unreadable } = await getReadableLeads(entries.map(({ lead }) => lead))
  for (const id of unreadable) await quarantineLead(id, 'It cannot be read.')
  const waiting = entries.filter(({ lead, attempt }) => {
    const found = leads.get(lead)
    return found?.due_list === 'WAIT' && found.attempts + 1 === attempt
  })
  const typeOf = ({ lead }: IndexedEntry) => leads.get(lead)?.lead_type ?? null
  const types = [...new Set(waiting.map(typeOf))]
  const areHeldUp = await Promise.all(types.map((type) => isHeldUp(owner, type, at)))
  const heldUpTypes = new Set(types.filter((_, index) => areHeldUp[index]))
  return {
    ready: waiting.filter((entry) => !heldUpTypes.has(typeOf(entry))),
    heldUp: waiting.filter((entry) => heldUpTypes.has(typeOf(entry))),
  }
}

interface Look extends Waiting {
  /** As many as the index shows, up to how many were looked at. */
  readonly shown: number
  readonly isMore: boolean
}

/** Of those who wait longest so many that some of them can be called, within bounds. */
const look = async (owner: number, wanted: number, most: number, at: Instant): Promise<Look> => {
  const read = async (limit: number): Promise<Look> => {
    const entries = await dueBetween(dueKey('WAIT', owner, 0), 0, at + AHEAD, limit)
    return { ...(await sortOut(owner, entries, at)), shown: entries.length, isMore: entries.length === limit }
  }
  const few = wanted + SPARE + LAGGING
  const first = await read(few)
  return first.ready.length < wanted && first.heldUp.length > 0 && first.isMore && few < most ? read(most) : first
}

const fillLines = async (owner: number, most: number, lookPast: number): Promise<Look | undefined> => {
  const [user, lines] = await Promise.all([getUser(owner), getLines(owner)])
  const free = (user?.lines ?? 0) - lines.calls.size
  if (free <= 0 || lines.paused) return undefined
  const at = now()
  const wanted = Math.min(free, most)
  const looked = await look(owner, wanted, lookPast, at)
  await sendCallMessages(
    looked.ready.slice(0, wanted + SPARE).map((entry, place) => {
      const message = dialMessage(entry, at)
      return place < wanted ? message : { ...message, delaySeconds: (message.delaySeconds ?? 0) + SPARE_DELAY }
    }),
  )
  return looked
}

/**
 * Sends the calls that wait longest, as many as the owner has lines free. Lines are pulled: each call's end comes here, each
 * lead that begins to wait, and every sweep.
 * @param most lines to find calls for, at most
 */
export const startWaiting = async (owner: number, most = Number.MAX_SAFE_INTEGER): Promise<void> => {
  await fillLines(owner, most, LOOK_PAST)
}

/**
 * The sweep's look at an owner who had leads waiting. Where so many are held up that nobody can be seen behind them, they are sent to
 * be held where they keep nobody waiting. The mark of the owner is renewed, so that the sweep comes to others first.
 */
export const drainWaiting = async (owner: number): Promise<void> => {
  const looked = await fillLines(owner, Number.MAX_SAFE_INTEGER, SWEEP_LOOKS_PAST)
  const at = now()
  if (looked?.isMore && looked.ready.length === 0) await sendCallMessages(looked.heldUp.map((entry) => dialMessage(entry, at)))
  if (!looked || looked.shown > 0 || !(await isDueListEmpty(dueKey('WAIT', owner, 0)))) await markWaiting(owner, at)
  else await unmarkWaiting(owner, at)
}
