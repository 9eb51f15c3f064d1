import type { User } from '../accounts/configuration.ts'
import { knownUser } from '../accounts/user-store.ts'
import { sendOrLeave } from '../backlog/dispatch.ts'
import { inThePast } from '../http/fields/date-time.ts'
import type { Lead } from '../leads/lead.ts'
import { getOwnLead, saveLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { invalid, notFound } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import { phonePk } from '../stops/phone-store.ts'
import { getCall } from './call-store.ts'
import { readGateInputs } from './gate-inputs.ts'
import { orderedCall } from './rules/dial/ordered-call.ts'
import { isLost } from './rules/silence.ts'

const MAX_TRIES = 20

/** The result of a client's order, with the lead as it is afterwards. */
export interface Scheduled {
  readonly lead: Lead
  readonly isScheduled: boolean
  readonly detail: string
}

/** A lost call does not block a new one. If its outcome still arrives, only the call records it. */
const withoutLostCall = async (lead: Lead): Promise<Lead> => {
  if (lead.current_call === null) return lead
  const call = await getCall(lead.current_call)
  return !call || isLost(call, now()) ? { ...lead, current_call: null } : lead
}

/** @returns undefined when the lead has changed since it was read */
const trySchedule = async (found: Lead, owner: User, callTime: Instant | null): Promise<Scheduled | undefined> => {
  const lead = await withoutLostCall(found)
  const inputs = await readGateInputs(lead, owner, await phonePk(owner.dnc_group, lead.phone_number))
  const { next, detail } = orderedCall(inputs, callTime)
  if (!next) return { lead, isScheduled: false, detail }
  const ordered: Lead = { ...lead, ...next, version: lead.version + 1, cause: 'schedule', modified_time: inputs.now }
  if (!(await saveLead(ordered))) return undefined
  await sendOrLeave(ordered)
  return { lead: ordered, isScheduled: true, detail }
}

/**
 * Schedules a lead's next call, in place of the pending one. `callTime` null: as soon as the lead may be called. The gates decide again
 * when the call is due. A repeat schedules the same call again.
 * @throws ServiceError `not_found`, or of validation when the time has passed
 */
export const scheduleCall = async (user: number, id: number, callTime: Instant | null): Promise<Scheduled> => {
  const owner = await knownUser(user)
  const at = now()
  if (callTime !== null && callTime < at) throw invalid({ call_time: [inThePast(callTime, at)] })
  return retryRaces({ tries: MAX_TRIES, lost: `Lead ${id} changed while its call was being scheduled,` }, async () => {
    const lead = await getOwnLead(user, id)
    if (!lead) throw notFound()
    return trySchedule(lead, owner, callTime)
  })
}
