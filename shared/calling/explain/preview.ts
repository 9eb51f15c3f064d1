import type { Lead } from '../../leads/lead.ts'
import { isCallable } from '../../leads/rules/status.ts'
import { pageByChange } from '../../lists/list-by-change.ts'
import { now } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { LEAD_STATUSES } from '../../platform/values/values.ts'
import { type Preview, previewOf, prospectOf } from '../rules/explain/preview.ts'
import { readFacts } from './explain.ts'

/** Each lead costs a few reads, so a preview looks at so many. */
const MOST_PREVIEWED = 200
const LANES = 20

const ASKED = {
  statuses: LEAD_STATUSES.filter(isCallable),
  created: { after: undefined, before: undefined },
  modified: { after: undefined, before: undefined },
  ordering: undefined,
  cursor: undefined,
}

interface LeadTypePreview extends Preview {
  readonly lookedAt: number
  /** At most 1,000: then there may be more. */
  readonly leads: number
}

/** When the leads of a lead type would be called that changed last. */
export const previewLeadType = async (owner: number, leadType: number): Promise<LeadTypePreview> => {
  const { count, leads } = await pageByChange(owner, { ...ASKED, leadType }, MOST_PREVIEWED, undefined)
  const prospects = await inLanes(LANES, leads, async (lead: Lead) => prospectOf(await readFacts(lead, { mayBeOld: true })))
  return { ...previewOf(prospects, now()), lookedAt: leads.length, leads: count }
}
