import { getUser } from '../../accounts/user-store.ts'
import { forgetBreaker, getBreaker } from '../../agents/breaker-store.ts'
import { isClosed } from '../../agents/rules/breaker.ts'
import { callingPolicy } from '../../calling/calling-policy.ts'
import { soonerCall } from '../../calling/rules/next-call.ts'
import type { Lead } from '../../leads/lead.ts'
import { changeLead, getLead, getReadableLeads } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import { heldKey } from '../../platform/keys.ts'
import { inLanes } from '../../platform/lanes.ts'
import type { AgentMessage } from '../../platform/queues/messages.ts'
import { SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { leadIdsFrom } from '../../positions/lead-index.ts'
import { lastPosition } from '../../positions/position-store.ts'
import { dispatchEachSoon, lookMessage, sendCallMessages } from '../dispatch.ts'
import { dueAfter, type ListPlace } from '../due.ts'
import { forgetChanged, forgetLeft, forgetPart, giveBackReleaseTurn, mayHaveOtherAgent, takeReleaseTurn } from '../marks.ts'
import { planOrMark } from '../plan-again.ts'
import { readOrQuarantine } from '../quarantine.ts'
import { accountOf, holderOfPart, isSetting, isShared, leadOf, ownerOfDue } from '../rules/holders.ts'
import { pauseOfAccount } from './account-pace.ts'
import { pauseOfPart, RELEASED, runMessage, startParts } from './parts.ts'

/** Leads that are planned in parallel. */
const LANES = 25

/** Leads that are read at once: few enough for the memory, however large their metadata is. */
const READ = 100

/** Plans leads sooner where possible. @returns the leads that moved */
const planEach = async (owner: number, ids: readonly number[]): Promise<Lead[]> => {
  const policy = await callingPolicy(await getUser(owner))
  const { leads } = await getReadableLeads(ids)
  const late = [...leads.values()].filter((lead) => soonerCall(lead, now(), policy))
  const planned = await inLanes(LANES, late, async ({ id }) => {
    let isSooner = false
    const lead = await readOrQuarantine(id, () =>
      changeLead(id, (current) => {
        const next = soonerCall(current, now(), policy)
        isSooner = next !== undefined
        return next && { ...current, ...next, cause: 'schedule' }
      }),
    )
    return lead && isSooner ? lead : []
  })
  return planned.flat()
}

/**
 * After a change of account hours or default hours, plans the leads of one block of the owner's list again, from a position on. Leads that
 * the old hours had postponed are called as soon as the new hours permit.
 * @returns the position to continue at; null at the end of the list
 */
const planSooner = async (owner: number, from: number): Promise<number | null> => {
  const { ids, nextBlock } = await leadIdsFrom(owner, from)
  for (let start = 0; start < ids.length; start += READ) {
    const planned = await planEach(owner, ids.slice(start, start + READ))
    await dispatchEachSoon(planned, now())
  }
  return nextBlock > (await lastPosition(owner)) ? null : nextBlock
}

/** Seconds between two runs through the held leads of a holder without parts. */
const PAUSE = 1
/** The first position in an owner's list of leads. */
const FIRST_POSITION = 1

/** `agent` is the name of the holder, or of a part of it. */
type Look = Omit<Extract<AgentMessage, { type: 'retry-held' }>, 'type'>

/** Where a look continues. */
type Progress = Pick<Look, 'after' | 'position'>

/** The same, after so many seconds. */
type Next = Progress & { readonly pause?: number }

const holderNamed = (name: string): string => holderOfPart(name) ?? name

/** Plans some leads of a holder. @returns undefined when all held leads are done */
const planSome = async (name: string, after: ListPlace | null, isDown = false): Promise<Pick<Progress, 'after'> | undefined> => {
  const { entries, next } = await dueAfter(heldKey(name), after, RELEASED)
  const holder = holderNamed(name)
  const planned = await inLanes(LANES, entries, ({ lead }) => planOrMark(lead, holder, isDown))
  await dispatchEachSoon(
    planned.flatMap((lead) => lead ?? []),
    now(),
  )
  return next === null ? undefined : { after: next }
}

/** Plans a held lead whose own name was marked: something that concerned only this lead has changed. */
const planMarked = async (id: number): Promise<undefined> => {
  const lead = await readOrQuarantine(id, () => getLead(id))
  if (lead?.due_list !== 'HELD' || lead.held_by === null) return undefined
  const planned = await planOrMark(id, lead.held_by)
  if (planned) await dispatchEachSoon([planned], now())
  return undefined
}

/** Seconds. The leads that the same change releases are mostly dialled by then. A look at once would send them again. */
const LOOK_AFTER = 5

/** Looks at the due leads of an owner whose mark is due: their lead type may be called again. */
const lookAt = async (owner: number): Promise<undefined> => {
  await sendCallMessages([{ ...lookMessage([owner]), delaySeconds: LOOK_AFTER }])
  return undefined
}

/** While the agent is down, only leads that have another agent by now may be called. */
const planOfAgent = async (name: string, after: ListPlace | null): Promise<Pick<Progress, 'after'> | undefined> => {
  const isDown = !isClosed(await getBreaker(holderNamed(name)))
  return isDown && !(await mayHaveOtherAgent(name)) ? undefined : planSome(name, after, isDown)
}

/** First the leads that the setting holds back. When it is the hours of an account, then all leads of the account. */
const planFrom = async (name: string, { after, position }: Progress): Promise<Progress | undefined> => {
  if (!isSetting(name)) return planOfAgent(name, after)
  const lead = leadOf(name)
  if (lead !== undefined) return planMarked(lead)
  const ownerToLookAt = ownerOfDue(name)
  if (ownerToLookAt !== undefined) return lookAt(ownerToLookAt)
  const owner = accountOf(name)
  if (owner === undefined) return planSome(name, after)
  if (position === undefined) return (await planSome(name, after)) ?? { after: null, position: FIRST_POSITION }
  const next = await planSooner(owner, position)
  return next === null ? undefined : { after: null, position: next }
}

/**
 * Starts the parts of a holder that all owners share, and then plans the leads that an earlier version held without parts.
 * @param isFirst whether this is the first run
 */
const planShared = async (holder: string, began: Instant, isFirst: boolean, { after, position }: Progress): Promise<Next | undefined> => {
  const further = isFirst || position !== undefined ? await startParts(holder, began, position ?? 0) : undefined
  return further ? { after: null, ...further } : planFrom(holder, { after })
}

/** Removes the mark of a holder or a part after a run through all of its leads. The parts of a holder have marks of their own. */
const forget = async (name: string, began: Instant, turn: Instant): Promise<void> => {
  if (holderOfPart(name) !== undefined) return forgetPart(name, began, turn)
  if (isSetting(name)) return forgetChanged(name, began)
  return isClosed(await getBreaker(name)) ? forgetBreaker(name, began) : forgetLeft(name, began)
}

/** Seconds until the next run. */
const pauseBefore = async (name: string, { position }: Progress): Promise<number> => {
  if (holderOfPart(name) !== undefined) return pauseOfPart()
  return position === undefined ? PAUSE : pauseOfAccount(position === FIRST_POSITION)
}

/**
 * Plans again, once, all leads that an agent or a setting holds back, or that a setting has moved to a later time. Each run plans some of
 * them. One run of messages at a time does that. The mark of the holder stays until the run is finished: after a crash, the sweep starts a
 * new run.
 */
export const planHeld = async ({ agent: name, began, turn: last, ...progress }: Look): Promise<void> => {
  let turn = now()
  if (!(await takeReleaseTurn(name, turn, last))) return
  try {
    const next: Next | undefined = isShared(name)
      ? await planShared(name, began, last === undefined, progress)
      : await planFrom(name, progress)
    if (next === undefined) return await forget(name, began, turn)
    const { pause = await pauseBefore(name, next), ...place } = next
    const following = now() + pause * SECOND
    // Without a turn in the future, the sweep would begin a second run.
    if (!(await takeReleaseTurn(name, following, turn))) return
    turn = following
    await sendCallMessages([runMessage({ type: 'retry-held', agent: name, began, turn, ...place })])
  } catch (error) {
    // The queue delivers the message again. Without its turn, it could not go on, and the next run would begin with the first lead.
    await giveBackReleaseTurn(name, turn, last)
    throw error
  }
}
