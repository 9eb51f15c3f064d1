import * as v from 'valibot'
import type { LeadType } from '../accounts/configuration.ts'
import { knownUser } from '../accounts/user-store.ts'
import { requestCancel, sendOrLeave } from '../backlog/dispatch.ts'
import { createLead } from '../leads/create-lead.ts'
import type { Lead } from '../leads/lead.ts'
import { getLead, getLeads, replaceLead } from '../leads/lead-store.ts'
import { getPerson } from '../leads/person-store.ts'
import { newestFirst } from '../leads/rules/newest-first.ts'
import { now } from '../platform/clock.ts'
import { giveBackId, nextId } from '../platform/ids/ids.ts'
import type { Reservation } from '../platform/ids/reservations.ts'
import { callId, inboundCallKey, inboundCallMark } from '../platform/keys.ts'
import { logger } from '../platform/logger.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, putItem, updateItem } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { DAY } from '../platform/values/durations.ts'
import { ServiceError } from '../platform/values/errors.ts'
import { absentAsNull, Id, type Instant } from '../platform/values/values.ts'
import { getPhone, joinPhone, phonePk } from '../stops/phone-store.ts'
import type { Call } from './call.ts'
import { getCall, getCalls, insertCall } from './call-store.ts'
import { applyOutcome } from './finish/finish-call.ts'
import { countMissedCalls, isBehindCalls, missedCalls } from './finish/missed-calls.ts'
import { addLine, FIRST_GROUP, groupForInbound } from './line-store.ts'
import { mayBeCancelled } from './rules/dial/cancellable.ts'
import { answered, givesPhoneAway, inboundCall, isUnreported } from './rules/finish/inbound.ts'
import { mayBeOnThePhone } from './rules/silence.ts'

/** How long we remember a provider's call id. No agent repeats a report after that time. */
export const INBOUND_CALL_KEPT = 30 * DAY

/** The record of an inbound call, under the provider's id of that call. */
const InboundCall = v.object({
  /** Partition key of the caller's phone. */
  phone_key: v.string(),
  call_id: absentAsNull(v.string()),
  /** Id for a new lead, when the phone has none. It stays the same however often the call is reported. */
  reserved_lead: absentAsNull(Id),
})
type InboundCall = v.InferOutput<typeof InboundCall>

/** An agent's report of a call to one of an owner's numbers. */
export interface Reported {
  readonly owner: number
  readonly agent: string
  readonly providerCallId: string
  /** Partition key of the caller's phone. */
  readonly phoneKey: string
}

const keyOf = ({ owner, agent, providerCallId }: Reported) => inboundCallKey(owner, agent, providerCallId)

/** The record under this provider's id. It may belong to another caller. */
const notedCall = (reported: Reported): Promise<InboundCall | undefined> => getItem(InboundCall, keyOf(reported))

/** @returns the record afterwards, with the id that was reserved first; it may belong to another caller */
const reserveLead = async (reported: Reported, id: number, now: Instant): Promise<InboundCall> => {
  // Until the call is stored, only this mark leads an erasure from the lead to the record.
  const expires_at = expiresAt(now, INBOUND_CALL_KEPT)
  await putItem({ ...inboundCallMark(id, keyOf(reported).pk), owner: reported.owner, lead: id, expires_at })
  return v.parse(
    InboundCall,
    await updateItem(keyOf(reported), {
      UpdateExpression:
        'SET reserved_lead = if_not_exists(reserved_lead, :id), phone_key = if_not_exists(phone_key, :phone), expires_at = :expires',
      ExpressionAttributeValues: { ':id': id, ':phone': reported.phoneKey, ':expires': expires_at },
      ReturnValues: 'ALL_NEW',
    }),
  )
}

/** A write of the transaction that takes the call: once per provider's id. A reserved id is only for the caller who reserved it. */
const claimCall = (reported: Reported, callId: string, now: Instant): Write => ({
  update: keyOf(reported),
  expression: 'SET call_id = :call, phone_key = :phone, expires_at = :expires',
  condition: 'attribute_not_exists(call_id) AND (attribute_not_exists(phone_key) OR phone_key = :phone)',
  values: { ':call': callId, ':phone': reported.phoneKey, ':expires': expiresAt(now, INBOUND_CALL_KEPT) },
})

/** A call that an agent has answered. */
export interface Ringing {
  /** The lead type to which the called inbound number belongs. */
  readonly leadType: LeadType
  readonly providerCallId: string
  /** E.164. */
  readonly from: string
}

export interface TakenCall {
  readonly call: Call
  readonly lead: Lead
  /** Whether this is the first report of the call. */
  readonly isNew: boolean
}

const MAX_TRIES = 100

const callWith = async (id: string | null): Promise<Call | undefined> => (id === null ? undefined : getCall(id))

/** @throws ServiceError `conflict` when the provider's id belongs to another person's call */
const sameCaller = <T extends { readonly phone_key: string }>(stored: T, { phoneKey }: Reported): T => {
  if (stored.phone_key === phoneKey) return stored
  throw new ServiceError('conflict', 'This provider_call_id belongs to a call of another person.')
}

/** Cancels our own call to the person if it still rings: the person is already on the phone with us. */
const cancelRinging = async (holder: Call | undefined): Promise<void> => {
  if (holder && mayBeCancelled(holder, now())) await requestCancel({ owner: holder.owner, callId: holder.call_id })
}

/** @throws ServiceError `conflict` also when the call was taken and then erased: a repeat must not restore the person's data */
const takenBefore = async (reported: Reported): Promise<TakenCall | undefined> => {
  const stored = await notedCall(reported)
  if (!stored || sameCaller(stored, reported).call_id === null) return undefined
  const call = await callWith(stored.call_id)
  const lead = call && (await getLead(call.lead))
  if (!lead) throw new ServiceError('conflict', 'The call with this provider_call_id is no longer stored.')
  // The first report's handling may have been cut short before the cancel was sent.
  const others = await getCalls([...(await getPhone(reported.phoneKey)).other_calls])
  for (const other of others.values()) await cancelRinging(other)
  return { call, lead, isNew: false }
}

/** Reserves an id for the caller's new lead: the same one however often the call is reported. */
const leadReservation = async (reported: Reported): Promise<Reservation> => {
  const stored = await notedCall(reported)
  let known = stored && sameCaller(stored, reported).reserved_lead
  const take = async (): Promise<number> => {
    if (known) return known
    const id = await nextId()
    const { reserved_lead, ...after } = await reserveLead(reported, id, now())
    if (reserved_lead !== id) giveBackId(id)
    sameCaller(after, reported)
    known = reserved_lead
    return known ?? id
  }
  // The id is never given back: another report of the call may be writing with it.
  return { name: undefined, known: () => known ?? undefined, take, giveBack: async () => {} }
}

/**
 * The newest lead with the caller's phone, or else a lead that is created here. The outcome of this call decides whether a created lead is
 * called.
 */
const leadOf = async ({ leadType, from }: Ringing, reported: Reported): Promise<Lead> => {
  const { leads } = await getPerson(leadType.owner, from)
  const found = await getLeads(
    leads.map(({ id }) => id),
    { consistent: true },
  )
  const [newest] = newestFirst(found.values())
  if (newest) return newest
  const input = { phone_number: from, lead_type: leadType.id, lead_source: 'inbound' }
  const options = { reservation: await leadReservation(reported), isRepeat: true, isCalled: false }
  return (await createLead(leadType.owner, input, options)).lead
}

/** Repairs the lead at once, and does not leave it to an operator: the person is on the phone. */
const catchUp = async (lead: Lead): Promise<void> => {
  const missed = await missedCalls(lead)
  if (!missed) return
  logger.error('A lead did not count its latest calls. Its count is corrected.', { lead: lead.id, latest: missed[0].call_id })
  await countMissedCalls(lead, missed)
}

/** Index of the write that takes the line. */
const LINE = 3

/** @returns undefined when another write won the race */
const take = async (ringing: Ringing, reported: Reported, isLineGone = false): Promise<TakenCall | undefined> => {
  const { leadType, providerCallId, from } = ringing
  const { owner, phoneKey } = reported
  const lead = await leadOf(ringing, reported)
  const phone = await getPhone(phoneKey)
  const [holder, current] = await Promise.all([callWith(phone.current_call), callWith(lead.current_call)])
  if (isUnreported(current)) {
    await applyOutcome(current)
    return undefined
  }
  const id = callId(lead.id, lead.attempts + 1)
  const line = isLineGone ? FIRST_GROUP : await groupForInbound(await knownUser(owner))
  const call = inboundCall(id, {
    lineGroup: line.group,
    lead,
    phone,
    phonePk: phoneKey,
    number: from,
    leadType,
    providerCallId,
    now: now(),
  })
  const next = answered(lead, call, current)
  const isTaken = givesPhoneAway(holder, now())
  const result = await transact([
    claimCall(reported, id, now()),
    replaceLead(next),
    insertCall(call),
    addLine(owner, id, line),
    joinPhone(phoneKey, phone, id, { isCurrent: isTaken, beside: holder && mayBeOnThePhone(holder, now()) ? [holder.call_id] : [] }),
  ])
  if (isBehindCalls(result, { lead: 1, call: 2 })) await catchUp(lead)
  if (!result.committed) return result.refused.includes(LINE) ? take(ringing, reported, true) : undefined
  if (isTaken) await cancelRinging(holder)
  return { call, lead: next, isNew: true }
}

const reportedBy = async ({ leadType: { owner, agent }, providerCallId, from }: Ringing): Promise<Reported> => {
  const { dnc_group } = await knownUser(owner)
  return { owner, agent, providerCallId, phoneKey: await phonePk(dnc_group, from) }
}

/**
 * Takes an inbound call once, however often its agent reports it.
 * @throws ServiceError `conflict` when the provider's id belongs to another person's call, or to an erased one
 */
export const takeInboundCall = async (ringing: Ringing): Promise<TakenCall> => {
  const reported = await reportedBy(ringing)
  const taken = await retryRaces(
    { tries: MAX_TRIES, lost: 'Lost the race for the phone of a caller' },
    async () => (await takenBefore(reported)) ?? take(ringing, reported),
  )
  if (taken.isNew) await sendOrLeave(taken.lead)
  return taken
}
