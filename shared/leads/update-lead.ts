import { namedLeadType } from '../accounts/lead-type.ts'
import { requestCancel, type SendCall, sendOrLeave } from '../backlog/dispatch.ts'
import { watchPromise } from '../backlog/promises.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { notFound } from '../platform/values/errors.ts'
import { liftDnc } from '../stops/flag-store.ts'
import { phonePk } from '../stops/phone-store.ts'
import { catchUpWithStops } from '../stops/stop.ts'
import type { UpdateLead } from './api/lead-request.ts'
import type { Lead } from './lead.ts'
import { getLead } from './lead-store.ts'
import { isCallable } from './rules/status.ts'
import { type Asked, beginUpdate, commitLead, followAtOnce, type PlannedUpdate, planUpdate, type UpsertWrites } from './update-plan.ts'
import { auditLifted, raiseStops } from './update-stops.ts'

/** Other writers of the same lead or person cause races. */
const MAX_TRIES = 100

const dispatch = async (before: Lead, after: Lead, send: SendCall = sendOrLeave): Promise<void> => {
  if (after.next_call_time !== before.next_call_time || after.due_list !== before.due_list) await send(after)
}

/** The call in progress is cancelled when its lead must no longer be called. */
const cancelCallOf = async ({ current_call }: Lead, after: Lead): Promise<void> => {
  if (current_call !== null && !isCallable(after.status)) await requestCancel({ owner: after.owner, callId: current_call })
}

/** @returns undefined when the lead changed since it was read, or a stop was raised first: read everything again */
export const tryUpdate = async (lead: Lead, update: PlannedUpdate, beside?: UpsertWrites): Promise<Lead | undefined> => {
  const plan = await planUpdate(lead, update, beside)
  if (!plan) return undefined
  const { how, dncGroup, raised } = update
  const follow = beside?.follow ?? followAtOnce
  const { rest, phoneNumber, pk, phone, lifts, next, persons } = plan
  const { call = how.accepted, sms = how.accepted } = how.lastStops ?? {}
  const origin = { ...(how.origin ?? { means: 'api', received_by: how.staff ?? lead.owner }), lead: lead.id }
  const target = { id: lead.id, owner: lead.owner, accepted: { call, sms }, origin, atOnce: how.atOnce ?? false }
  if (how.atOnce && phoneNumber !== lead.phone_number) {
    const old = { ...target, phoneNumber: lead.phone_number, pk: await phonePk(dncGroup, lead.phone_number) }
    if (await raiseStops(rest, old, raised)) return undefined
  }
  if (await raiseStops(rest, { ...target, phoneNumber, pk }, raised)) return undefined
  if (next) {
    if (next.promised_time !== lead.promised_time) await watchPromise(next)
    const phoneWrites =
      lifts.lifted.length > 0 ? [liftDnc(pk, phone, lifts.lifted, { accepted: how.accepted, owner: lead.owner, origin })] : []
    if (!(await commitLead(lead, next, persons, [...phoneWrites, ...(beside?.writes(next) ?? [])]))) return undefined
    auditLifted(lead, next, lifts.lifted, how.staff)
    await follow(async () => {
      await cancelCallOf(lead, next)
      await dispatch(lead, next, how.send)
    })
  }
  let current = next ?? lead
  const mayLackStops = phoneNumber !== lead.phone_number || lifts.refused.length > 0
  if (mayLackStops) {
    await follow(async () => {
      current = await catchUpWithStops(current, pk, how.accepted)
    })
  }
  return current
}

/**
 * Updates a lead of an owner. A stop is raised on the phone before any other write. After this returns, no dial intent against the stop can
 * be committed. A stop that comes with a new phone applies to both phones. Phone, email and external id change together with the items that
 * find the lead by them, or not at all. Idempotent.
 * @returns the current lead
 * @throws ServiceError `not_found`, or of validation
 */
export const updateLead = async (owner: number, id: number, patch: UpdateLead, how: Asked): Promise<Lead> => {
  const update = await beginUpdate(owner, patch, how)
  return retryRaces({ tries: MAX_TRIES, lost: `Lead ${id} changed while it was being updated,` }, async () => {
    const lead = await getLead(id)
    if (lead?.owner !== owner) throw notFound()
    if (typeof patch.lead_type === 'number') await namedLeadType(owner, patch.lead_type)
    return tryUpdate(lead, update)
  })
}
