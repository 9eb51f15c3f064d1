import { dispatchEachSoon } from '../backlog/dispatch.ts'
import { forgetRun, markForRun } from '../backlog/marks.ts'
import { planOrMark } from '../backlog/plan-again.ts'
import { isRegistry, leadHolder, leadTypeHolder, reassignedHolder } from '../backlog/rules/holders.ts'
import type { Lead } from '../leads/lead.ts'
import { getLeads } from '../leads/lead-store.ts'
import { getPerson } from '../leads/person-store.ts'
import { now } from '../platform/clock.ts'
import { inLanes } from '../platform/lanes.ts'
import { SECOND } from '../platform/values/durations.ts'

/** Leads of one phone that are planned at the same time. */
const LANES = 10

/** The sweep looks at the marked leads after this time, if the run that marked them has died. */
const RUN_TAKES = 30 * SECOND

/**
 * Whether a consent may release a lead. Three holders give way to a consent: the lead type, a do-not-call registry, and the check of
 * reassigned numbers.
 */
const mayRelease = ({ owner, lead_type, held_by }: Lead): boolean =>
  lead_type !== null &&
  held_by !== null &&
  (held_by === leadTypeHolder(lead_type) || isRegistry(held_by) || held_by === reassignedHolder(owner))

/** The leads of a phone that a consent may release. */
const heldLeads = async (owner: number, phoneNumber: string): Promise<Lead[]> => {
  const { leads } = await getPerson(owner, phoneNumber)
  if (leads.length === 0) return []
  const ids = leads.map(({ id }) => id)
  const found = await getLeads(ids, { consistent: true })
  return [...found.values()].filter(mayRelease)
}

/**
 * Records a consent, and plans again the leads of its phone that waited for one: the consent that a lead type demands may be there now.
 * The leads are marked first, so that the sweep plans them if this run dies after the record. They are read again after the record, because
 * a dial may have held one meanwhile. A dial that holds its lead later looks at the consent again.
 */
export const releasingLeads = async (owner: number, phoneNumber: string, record: () => Promise<boolean>): Promise<boolean> => {
  const marked = await heldLeads(owner, phoneNumber)
  const lookAt = now() + RUN_TAKES
  await inLanes(LANES, marked, ({ id }) => markForRun(leadHolder(id), lookAt))
  const recorded = await record()
  const held = await heldLeads(owner, phoneNumber)
  const planned = await inLanes(LANES, held, async ({ id, held_by }) => (await planOrMark(id, held_by ?? '')) ?? [])
  await dispatchEachSoon(planned.flat(), now())
  await inLanes(LANES, marked, ({ id }) => forgetRun(leadHolder(id), lookAt))
  return recorded
}
