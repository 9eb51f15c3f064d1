import { setTimeout as sleep } from 'node:timers/promises'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { knownUser } from '../accounts/user-store.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import { loggable, logger } from '../platform/logger.ts'
import { type LeadWarning, MOST_WARNINGS, type Warning } from '../platform/values/warning.ts'
import type { UpdateLead } from './api/lead-request.ts'
import type { Lead } from './lead.ts'
import { getReadableLeads } from './lead-store.ts'
import { getPerson } from './person-store.ts'
import type { Reads } from './reads.ts'
import { sentFields } from './rules/lead-fields.ts'
import { newestFirst } from './rules/newest-first.ts'
import { isCallable } from './rules/status.ts'
import { othersOf } from './rules/uniqueness.ts'
import { type AboutLead, isAbout, leadWarnings } from './rules/warnings.ts'
import { flagsThatStand, loweredFlags } from './update-stops.ts'

/** Milliseconds. A slow table must not turn the answer to a written lead into a timeout: the client would send the lead again. */
const LIMIT = 500

/** The lead is written when its warnings are found. Neither a failure nor a delay may keep the client from its answer. */
const orNone = async (lead: Lead, warnings: Promise<Warning[]>): Promise<Warning[]> => {
  const stop = new AbortController()
  const late = sleep(LIMIT, undefined, { signal: stop.signal }).then(() => {
    throw new Error('They took too long.')
  })
  try {
    return await Promise.race([warnings, late])
  } catch (error) {
    logger.warn('The warnings about a lead could not be found.', { lead: lead.id, error: loggable(error) })
    return []
  } finally {
    stop.abort()
  }
}

const ofLead = async (lead: Lead, keys?: readonly string[]): Promise<AboutLead[]> => {
  const [leadType, owner] = await Promise.all([
    lead.lead_type === null ? undefined : getLeadType(lead.owner, lead.lead_type),
    knownUser(lead.owner),
  ])
  return leadWarnings(lead, leadType, await callingPolicy(owner), keys)
}

/** Other leads of a phone that are looked at: the ones with the largest ids. */
const MOST_OTHERS = 5

/** The ids that are looked at. */
const looked = (others: readonly number[]): number[] => others.toSorted((a, b) => b - a).slice(0, MOST_OTHERS)

/** @param others leads that may be open, whose ids come from an earlier read of the phone */
const openLead = (lead: Lead, others: readonly Lead[]): AboutLead[] => {
  const isSamePhone = (other: Lead): boolean => lead.owner === other.owner && lead.phone_number === other.phone_number
  const [open] = newestFirst(others.filter((other) => isCallable(other.status) && isSamePhone(other)))
  if (!open) return []
  const detail = `Lead ${open.id} has the same phone number and is open. The person gets the calls of both leads.`
  return [{ code: 'open_lead', field: 'phone_number', hint: `${open.id}`, detail }]
}

/**
 * Finds the leads that cause each warning. Never throws: it finds none instead.
 * @param written leads, and ids of the other leads of their phones
 */
export const causesOfWarnings = async <T extends { readonly lead: Lead; readonly others?: readonly number[] }>(
  written: readonly T[],
  readLeads: Reads['leads'],
): Promise<ReadonlyMap<LeadWarning, readonly T[]>> => {
  const causes = new Map<LeadWarning, T[]>()
  try {
    const ids = [...new Set(written.flatMap(({ others = [] }) => looked(others)))]
    const known = ids.length > 0 ? await readLeads(ids) : new Map<number, Lead>()
    for (const one of written) {
      const { lead, others = [] } = one
      const found = looked(others).flatMap((id) => known.get(id) ?? [])
      const codes = new Set([...(await ofLead(lead)), ...openLead(lead, found)].map(({ code }) => code))
      for (const code of codes) causes.set(code, [...(causes.get(code) ?? []), one])
    }
    return causes
  } catch (error) {
    logger.warn('The warnings about the rows of a file could not be counted.', { error: loggable(error) })
    return new Map()
  }
}

const openLeadAmong = async (lead: Lead, others: readonly number[]): Promise<AboutLead[]> =>
  others.length === 0 ? [] : openLead(lead, [...(await getReadableLeads(looked(others))).leads.values()])

/**
 * Warnings about a lead as it is stored, for its sender. Never throws, and takes half a second at most.
 * @param others ids of the other leads of its phone
 */
export const warningsOf = (lead: Lead, others: readonly number[]): Promise<Warning[]> =>
  orNone(
    lead,
    Promise.all([ofLead(lead), openLeadAmong(lead, others)]).then((found) => found.flat()),
  )

/** Only a new phone number or status can make an update open a second lead of the phone. */
const mayOpen = (lead: Lead, { phone_number, status }: UpdateLead): boolean =>
  isCallable(lead.status) && (phone_number !== undefined || status !== undefined)

const openedLead = async (lead: Lead, patch: UpdateLead): Promise<Warning[]> =>
  mayOpen(lead, patch) ? openLeadAmong(lead, othersOf(await getPerson(lead.owner, lead.phone_number), lead.id)) : []

/** Warnings that only the phone and its leads show. */
const fromPhone = async (lead: Lead, patch: UpdateLead): Promise<Warning[]> =>
  (await Promise.all([flagsThatStand(lead, patch), openedLead(lead, patch)])).flat()

const aboutSent = async (lead: Lead, patch: UpdateLead): Promise<Warning[]> =>
  (await ofLead(lead, Object.keys(patch.metadata ?? {}))).filter((warning) => isAbout(warning, patch))

const ofUpdate = (lead: Lead, patch: UpdateLead, isPhoneRead: boolean): Promise<Warning[]> =>
  orNone(
    lead,
    Promise.all([isPhoneRead ? fromPhone(lead, patch) : [], aboutSent(lead, patch)]).then((found) => found.flat()),
  )

/** As `warningsOf`, for the fields that an update has sent. */
export const warningsOfUpdate = (lead: Lead, patch: UpdateLead): Promise<Warning[]> => ofUpdate(lead, patch, true)

/**
 * Warnings about the items of a bulk request, in its order, while there is room and time for them.
 * @param items by their place in the request
 */
export const warningsInOrder = async <T>(
  items: ReadonlyMap<number, T>,
  isLate: () => boolean,
  find: (item: T) => Promise<Warning[]>,
): Promise<Warning[]> => {
  const warnings: Warning[] = []
  for (const [place, item] of [...items].sort(([a], [b]) => a - b)) {
    if (warnings.length > MOST_WARNINGS || isLate()) break
    const found = await find(item)
    warnings.push(...found.map((warning) => ({ ...warning, field: `leads[${place}].${warning.field}` })))
  }
  return warnings
}

/** The lead as a queued update will leave it, except its stops: the update has not lifted any yet. */
const withSent = (lead: Lead, patch: UpdateLead): Lead => ({
  ...lead,
  ...sentFields(patch),
  status: patch.status ?? lead.status,
  lead_type: patch.lead_type === undefined ? lead.lead_type : patch.lead_type,
  metadata: { ...lead.metadata, ...patch.metadata },
})

/** Most updates of one request whose phones are read. It is a few more than an answer names, because most phones have one lead. */
const MOST_PHONES_READ = 25

/** As `warningsOfUpdate`, for the accepted updates of a bulk request, which are made later. Never throws. */
export const warningsOfQueued = (
  updates: ReadonlyMap<number, { readonly before: Lead; readonly patch: UpdateLead }>,
  isLate: () => boolean,
): Promise<Warning[]> => {
  let left = MOST_PHONES_READ
  return warningsInOrder(updates, isLate, async ({ before, patch }) => {
    const lead = withSent(before, patch)
    const isPhoneRead = (mayOpen(lead, patch) || loweredFlags(lead, patch).length > 0) && left-- > 0
    // Nobody knows yet whether a flag will be raised again before the update is applied. An entry on the group's list stays.
    return (await ofUpdate(lead, patch, isPhoneRead)).filter(({ code }) => code !== 'dnc_raised_again')
  })
}
