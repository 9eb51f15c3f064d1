import type { LeadType } from '../../accounts/configuration.ts'
import { knownUser } from '../../accounts/user-store.ts'
import { getBreaker } from '../../agents/breaker-store.ts'
import type { Lead } from '../../leads/lead.ts'
import { isCallable } from '../../leads/rules/status.ts'
import { pageByChange } from '../../lists/list-by-change.ts'
import { now } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { LEAD_STATUSES } from '../../platform/values/values.ts'
import { phonePk } from '../../stops/phone-store.ts'
import { readGateInputs } from '../gate-inputs.ts'
import { getLines } from '../line-store.ts'
import { type Preview, previewOf, prospectOf } from '../rules/explain/preview.ts'
import { awaitedOf } from './explain.ts'

/** Each lead costs some reads. This limits a preview. */
const MOST_PREVIEWED = 200
const LANES = 20

const ASKED = {
  statuses: LEAD_STATUSES.filter(isCallable),
  created: { after: undefined, before: undefined },
  modified: { after: undefined, before: undefined },
  ordering: undefined,
  cursor: undefined,
}

/** Busy lines do not matter: a lead waits for one. So no group of lines is read. */
const freeLine = async () => ({ group: 0, inUse: 0, limit: 1 })

interface LeadTypePreview extends Preview {
  readonly lookedAt: number
  /** At most 1,000: then there may be more. */
  readonly leads: number
}

/** When the leads of a lead type that changed last would be called. */
export const previewLeadType = async ({ id, owner, agent }: LeadType): Promise<LeadTypePreview> => {
  const [user, { count, leads }, lines, breaker] = await Promise.all([
    knownUser(owner),
    pageByChange(owner, { ...ASKED, leadType: id }, MOST_PREVIEWED, undefined),
    getLines(owner),
    getBreaker(agent),
  ])
  const prospects = await inLanes(LANES, leads, async (lead: Lead) => {
    const pk = await phonePk(user.dnc_group, lead.phone_number)
    const facts = await readGateInputs(lead, user, pk, freeLine, undefined, { lines, breaker })
    return prospectOf({ ...facts, awaited: await awaitedOf(facts) })
  })
  return { ...previewOf(prospects, now()), lookedAt: leads.length, leads: count }
}
