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
import { dueBetween, type IndexedEntry, isDueListEmpty } from './due.ts'
import { markWaiting, unmarkWaiting } from './marks.ts'
import { quarantineLead } from './quarantine.ts'

/** Several wake-ups may send the same lead. Each sends a few leads more than it has lines for, `SPARE_DELAY` seconds later. */
const SPARE = 2
const SPARE_DELAY = 1
/** The index still shows leads that were called a moment ago. Reading so many more leaves no free line without a lead. */
const LAGGING = 10

/** Leads that wait for the next morning are sent ahead, for the second at which it begins. At least two sweeps see them before. */
const AHEAD = 130 * SECOND

/** How many leads are read when the longest-waiting ones are held up: for a free line, and in the sweep. */
const LOOK_PAST = 100
const SWEEP_LOOKS_PAST = 500

/** Whether no lead of a lead type can be called now: the type is inactive, or its agent missing or paused. */
const isHeldUp = async (owner: number, id: number | null, at: Instant): Promise<boolean> => {
  const leadType = id === null ? undefined : await getLeadType(owner, id)
  if (!leadType) return false
  if (!leadType.active || !(await getAgent(leadType.agent))) return true
  return (await getBreaker(leadType.agent)).open_until > at
}

/** Leads that really wait: those that may be called, as far as known, and those that are held up. */
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
  /** How many leads the index shows, up to the limit of the read. */
  readonly shown: number
  readonly isMore: boolean
}

/** Reads the leads that wait longest. When too few of them can be called, it reads up to `most` instead. */
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
 * Sends the calls that wait longest, as many as the owner has free lines. Lines are pulled: by each call's end, by each lead that begins
 * to wait, and by every sweep.
 * @param most lines to find calls for, at most
 */
export const startWaiting = async (owner: number, most = Number.MAX_SAFE_INTEGER): Promise<void> => {
  await fillLines(owner, most, LOOK_PAST)
}

/**
 * The sweep's look at an owner who had waiting leads. When all leads within reach are held up, it sends them. The dial then moves them to
 * the list of held leads, where they block nobody. The owner's mark is renewed, so that the sweep comes to other owners first.
 */
export const drainWaiting = async (owner: number): Promise<void> => {
  const looked = await fillLines(owner, Number.MAX_SAFE_INTEGER, SWEEP_LOOKS_PAST)
  const at = now()
  if (looked?.isMore && looked.ready.length === 0) await sendCallMessages(looked.heldUp.map((entry) => dialMessage(entry, at)))
  if (!looked || looked.shown > 0 || !(await isDueListEmpty(dueKey('WAIT', owner, 0)))) await markWaiting(owner, at)
  else await unmarkWaiting(owner, at)
}
