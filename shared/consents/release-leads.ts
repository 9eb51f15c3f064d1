import { dispatchEachSoon } from '../backlog/dispatch.ts'
import { planLead } from '../backlog/plan-again.ts'
import { leadTypeHolder } from '../backlog/rules/holders.ts'
import { getLeads } from '../leads/lead-store.ts'
import { getPerson } from '../leads/person-store.ts'
import { now } from '../platform/clock.ts'
import { inLanes } from '../platform/lanes.ts'

/** Leads of one phone that are planned at the same time. */
const LANES = 10

/**
 * Plans again the leads of a phone that their lead type holds back: the consent that it demands may be there now. A dial that has read the
 * consent before looks again when it has held its lead.
 */
export const releaseLeads = async (owner: number, phoneNumber: string): Promise<void> => {
  const { leads } = await getPerson(owner, phoneNumber)
  if (leads.length === 0) return
  const found = await getLeads(
    leads.map(({ id }) => id),
    { consistent: true },
  )
  const planned = await inLanes(LANES, found.values(), async ({ id, lead_type, held_by }) => {
    if (lead_type === null || held_by !== leadTypeHolder(lead_type)) return []
    return (await planLead(id, held_by)) ?? []
  })
  await dispatchEachSoon(planned.flat(), now())
}
