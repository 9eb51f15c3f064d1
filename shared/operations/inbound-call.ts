import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../adapters/clock.ts'
import { mayBeCancelled } from '../domain/calling/cancellable.ts'
import { answered, givesPhoneAway, inboundCall, isUntold } from '../domain/calling/inbound.ts'
import type { Call } from '../schema/call.ts'
import type { LeadType, User } from '../schema/configuration.ts'
import type { Lead } from '../schema/lead.ts'
import { getCall, insertCall } from '../storage/calls.ts'
import { nextId } from '../storage/ids.ts'
import { claimCall, reserveLead, takenCallId } from '../storage/inbound-calls.ts'
import { callId } from '../storage/keys.ts'
import { getLead, getLeads, replaceLead } from '../storage/leads.ts'
import { addLine } from '../storage/lines.ts'
import { getPerson } from '../storage/persons.ts'
import { getPhone, phonePk, takePhone } from '../storage/phones.ts'
import { transact } from '../storage/transactions.ts'
import { getUser } from '../storage/users.ts'
import { createLead } from './create-lead.ts'
import { sendOrLeave } from './dispatch.ts'
import { requestCancel } from './request-cancel.ts'
import { settle } from './settle.ts'

/** A call that an agent has answered. */
export interface Ringing {
  /** Of the number that was called. */
  readonly leadType: LeadType
  readonly providerCallId: string
  /** E.164. */
  readonly from: string
}

export interface Taken {
  readonly call: Call
  readonly lead: Lead
  /** Whether it had not been reported before. */
  readonly isNew: boolean
}

const MAX_TRIES = 100
/** Milliseconds, times a random part: how long the loser of a race for lead or phone waits. */
const RACE_PAUSE = 30

const takenBefore = async ({ leadType, providerCallId }: Ringing): Promise<Taken | undefined> => {
  const id = await takenCallId(leadType.agent, providerCallId)
  const call = id === null ? undefined : await getCall(id)
  const lead = call && (await getLead(call.lead))
  return lead && { call, lead, isNew: false }
}

/** The newest lead with the phone, else a new one: whether that is called is for the outcome to say. */
const leadOf = async ({ leadType, providerCallId, from }: Ringing): Promise<Lead> => {
  const { leads } = await getPerson(leadType.owner, from)
  const found = await getLeads(
    leads.map(({ id }) => id),
    { consistent: true },
  )
  const newest = [...found.values()].toSorted((a, b) => b.position - a.position)[0]
  if (newest) return newest
  const reservedId = await reserveLead(leadType.agent, providerCallId, await nextId())
  const input = { phone_number: from, lead_type: leadType.id, lead_source: 'inbound' }
  return (await createLead(leadType.owner, input, { reservedId, isRepeat: true, isCalled: false })).lead
}

const callWith = async (id: string | null): Promise<Call | undefined> => (id === null ? undefined : getCall(id))

/** A call that rings at a phone whose person is on the phone with us already need not. */
const cancelRinging = async (holder: Call | undefined): Promise<void> => {
  if (holder && mayBeCancelled(holder, now())) await requestCancel({ owner: holder.owner, callId: holder.call_id })
}

/** @returns undefined when somebody else wrote meanwhile */
const take = async (ringing: Ringing, owner: User): Promise<Taken | undefined> => {
  const { leadType, providerCallId, from } = ringing
  const [lead, pk] = await Promise.all([leadOf(ringing), phonePk(owner.dnc_group, from)])
  const phone = await getPhone(pk)
  const [holder, current] = await Promise.all([callWith(phone.current_call), callWith(lead.current_call)])
  if (isUntold(current)) {
    await settle(current)
    return undefined
  }
  const id = callId(lead.id, lead.attempts + 1)
  const call = inboundCall(id, { lead, phone, phonePk: pk, number: from, leadType, providerCallId, now: now() })
  const next = answered(lead, call, current)
  const isTaken = givesPhoneAway(holder, now())
  const { committed } = await transact([
    claimCall(leadType.agent, providerCallId, id),
    replaceLead(next),
    insertCall(call),
    addLine(owner.id, id),
    // Its attempts stay: nobody was called.
    ...(isTaken ? [takePhone(pk, phone, id, phone.attempts)] : []),
  ])
  if (!committed) return undefined
  if (isTaken) await cancelRinging(holder)
  return { call, lead: next, isNew: true }
}

/** Takes a call that a person makes: once, however often its agent reports it. */
export const takeInboundCall = async (ringing: Ringing): Promise<Taken> => {
  const owner = await getUser(ringing.leadType.owner)
  if (!owner) throw new Error(`There is no user ${ringing.leadType.owner}, though a lead type names it.`)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const taken = (await takenBefore(ringing)) ?? (await take(ringing, owner))
    if (taken?.isNew) await sendOrLeave(taken.lead)
    if (taken) return taken
    await sleep(Math.random() * RACE_PAUSE)
  }
  throw new Error(`Lost the race for the phone of a caller ${MAX_TRIES} times.`)
}
