import { getLeadType } from '../accounts/lead-type-store.ts'
import { knownUser } from '../accounts/user-store.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import { loggable, logger } from '../platform/logger.ts'
import type { LeadWarning, Warning, WarningCounts } from '../platform/values/warning.ts'
import type { UpdateLead } from './api/lead-request.ts'
import type { Lead } from './lead.ts'
import { getReadableLeads } from './lead-store.ts'
import type { Reads } from './reads.ts'
import { newestFirst } from './rules/newest-first.ts'
import { isCallable } from './rules/status.ts'
import { type AboutLead, isAbout, leadWarnings } from './rules/warnings.ts'
import { flagsThatStand } from './update-stops.ts'

/** The lead is written when its warnings are found. A failure must not make the client send it again. */
const orNone = async (lead: Lead, warnings: Promise<Warning[]>): Promise<Warning[]> => {
  try {
    return await warnings
  } catch (error) {
    logger.warn('The warnings about a lead could not be found.', { lead: lead.id, error: loggable(error) })
    return []
  }
}

const ofLead = async (lead: Lead): Promise<AboutLead[]> => {
  const [leadType, owner] = await Promise.all([
    lead.lead_type === null ? undefined : getLeadType(lead.owner, lead.lead_type),
    knownUser(lead.owner),
  ])
  return leadWarnings(lead, leadType, await callingPolicy(owner))
}

/** Other leads of a phone that are looked at. */
const MOST_OTHERS = 20

/** The ids that are looked at. */
const looked = (others: readonly number[]): number[] => others.toSorted((a, b) => b - a).slice(0, MOST_OTHERS)

const codesOf = async (lead: Lead, others: readonly number[], known: ReadonlyMap<number, Lead>): Promise<Set<LeadWarning>> => {
  const codes = new Set((await ofLead(lead)).map(({ code }) => code))
  return looked(others).some((id) => isCallable(known.get(id)?.status ?? 'UNKNOWN')) ? codes.add('open_lead') : codes
}

/**
 * Counts the leads that cause each warning. Never throws: it returns no counts instead.
 * @param written leads, and ids of the other leads of their phones
 */
export const countWarnings = async (
  written: readonly { readonly lead: Lead; readonly others?: readonly number[] }[],
  readLeads: Reads['leads'],
): Promise<WarningCounts> => {
  const counts = new Map<LeadWarning, number>()
  try {
    const ids = [...new Set(written.flatMap(({ others = [] }) => looked(others)))]
    const known = ids.length > 0 ? await readLeads(ids) : new Map<number, Lead>()
    for (const { lead, others = [] } of written) {
      for (const code of await codesOf(lead, others, known)) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  } catch (error) {
    logger.warn('The warnings about the rows of a file could not be counted.', { error: loggable(error) })
    return {}
  }
}

const openLead = async (others: readonly number[]): Promise<Warning[]> => {
  if (others.length === 0) return []
  const { leads } = await getReadableLeads(looked(others))
  const [open] = newestFirst([...leads.values()].filter(({ status }) => isCallable(status)))
  if (!open) return []
  const detail = `Lead ${open.id} has the same phone number and is open. The person gets the calls of both leads.`
  return [{ code: 'open_lead', field: 'phone_number', hint: `${open.id}`, detail }]
}

/**
 * What may surprise the sender of a lead, by the lead as it is stored. Never throws.
 * @param others ids of the other leads of its phone
 */
export const warningsOf = (lead: Lead, others: readonly number[]): Promise<Warning[]> =>
  orNone(
    lead,
    Promise.all([ofLead(lead), openLead(others)]).then((found) => found.flat()),
  )

/** As `warningsOf`, for the fields that an update has sent. */
export const warningsOfUpdate = (lead: Lead, patch: UpdateLead): Promise<Warning[]> =>
  orNone(
    lead,
    Promise.all([flagsThatStand(lead, patch), ofLead(lead)]).then(([flags, all]) => [
      ...flags,
      ...all.filter((warning) => isAbout(warning, patch)),
    ]),
  )
