import type { LeadType, User } from '../accounts/configuration.ts'
import { knownUser } from '../accounts/user-store.ts'
import { getBreaker } from '../agents/breaker-store.ts'
import type { Breaker } from '../agents/rules/breaker.ts'
import { readConsent } from '../consents/read-consent.ts'
import type { Lead } from '../leads/lead.ts'
import { pageOfCallable } from '../lists/list-by-change.ts'
import { now } from '../platform/clock.ts'
import { inLanes } from '../platform/lanes.ts'
import type { Phone } from '../stops/compliance.ts'
import { listedLitigators } from '../stops/litigator-store.ts'
import { getPhone, phonePk } from '../stops/phone-store.ts'
import { awaitedOf } from './explain/explain.ts'
import { readGateInputs } from './gate-inputs.ts'
import { getLines } from './line-store.ts'
import { prospectOf } from './rules/explain/prospect.ts'
import { type Preview, previewOf } from './rules/preview.ts'

/** Each lead costs some reads. This limits a preview. */
const MOST_PREVIEWED = 200
const LANES = 20

/** Busy lines do not matter: a lead waits for one. So no group of lines is read. */
const freeLine = async () => ({ group: 0, most: 1, inUse: 0, limit: 1 })

/** Reads the breaker of each agent once. */
const breakersOnce = () => {
  const breakers = new Map<string, Promise<Breaker>>()
  return (agent: string): Promise<Breaker> => {
    const breaker = breakers.get(agent) ?? getBreaker(agent)
    breakers.set(agent, breaker)
    return breaker
  }
}

interface PreviewReads {
  /** The phone with a partition key. */
  phone(pk: string): Promise<Phone>
  consentOf: typeof readConsent
}

/**
 * When leads of one owner would be called. The owner's lines and the agents are read once, and the list of litigators in batches.
 * @param reads of what a dry run has changed in its memory
 */
export const previewLeads = async (
  owner: User,
  leads: readonly Lead[],
  reads: PreviewReads = { phone: getPhone, consentOf: readConsent },
): Promise<Preview> => {
  if (leads.length === 0) return previewOf([], now())
  const numbers = [...new Set(leads.map(({ phone_number }) => phone_number))]
  const [lines, litigators] = await Promise.all([getLines(owner.id), listedLitigators(numbers, { consistent: false })])
  const breakerOf = breakersOnce()
  const prospects = await inLanes(LANES, leads, async (lead: Lead) => {
    const pk = await phonePk(owner.dnc_group, lead.phone_number)
    const known = {
      lines,
      breakerOf,
      consentOf: (...of: Parameters<typeof readConsent>) => reads.consentOf(...of),
      phone: await reads.phone(pk),
      isLitigator: litigators.has(lead.phone_number),
    }
    const inputs = await readGateInputs(lead, owner, pk, freeLine, undefined, known)
    return prospectOf({ ...inputs, awaited: await awaitedOf(inputs) })
  })
  return previewOf(prospects, now())
}

interface LeadTypePreview {
  readonly preview: Preview
  readonly lookedAt: number
  /** At most 1,000: then there may be more. */
  readonly leads: number
}

/** When the leads of a lead type that changed last would be called. */
export const previewLeadType = async (leadType: LeadType): Promise<LeadTypePreview> => {
  const [user, { count, leads }] = await Promise.all([knownUser(leadType.owner), pageOfCallable(leadType, MOST_PREVIEWED)])
  return { preview: await previewLeads(user, leads), lookedAt: leads.length, leads: count }
}
