import { now } from '../adapters/clock.ts'
import type { CallingPolicy } from '../domain/calling/policy.ts'
import { notFound } from '../domain/errors.ts'
import { liftedPhone, liftsOf, withoutStanding } from '../domain/leads/lifts.ts'
import { movedPersons, movesPerson } from '../domain/leads/move.ts'
import { isCallable } from '../domain/leads/status.ts'
import { type Acceptance, unsettled, updatedLead } from '../domain/leads/update.ts'
import type { Channel, Person, Phone } from '../schema/compliance.ts'
import type { Lead } from '../schema/lead.ts'
import type { UpdateLead } from '../schema/requests/update-lead.ts'
import { getLead, replaceLead, saveLead } from '../storage/leads.ts'
import { getPerson, replacePerson } from '../storage/persons.ts'
import { getPhone, liftDnc, phonePk } from '../storage/phones.ts'
import { pointerWrites } from '../storage/pointers.ts'
import { retryRaces } from '../storage/retry-races.ts'
import { transact, type Write } from '../storage/transactions.ts'
import { knownUser } from '../storage/users.ts'
import { callingPolicy } from './calling-policy.ts'
import { sendOrLeave } from './dispatch.ts'
import { namedLeadType } from './lead-type.ts'
import { watchPromise } from './promises.ts'
import { requestCancel } from './request-cancel.ts'
import { catchUpWithStops } from './stop.ts'
import { auditLifted, raiseStops } from './update-stops.ts'

/** Others that write the same lead or person are in the way. */
const MAX_TRIES = 100

/** What else an update by an upsert writes. */
export interface Beside {
  /** Of the lead. */
  readonly fields: Pick<Lead, 'ingested'>
  /** Written with the lead, or nothing is. */
  readonly writes: (after: Lead) => readonly Write[]
  /** A person that was read already: if its lead comes to it, it is to be as it was then. */
  readonly person: Person | undefined
}

const isAsRead = async (lead: Lead, person: Person | undefined): Promise<boolean> => {
  const [current, known] = await Promise.all([getLead(lead.id), person && getPerson(person.owner, person.phone_number)])
  return current?.version === lead.version && known?.version === person?.version
}

/**
 * @returns undefined when somebody else has written the lead, and may have given it that phone and email
 * @throws ServiceError when the lead cannot have them
 */
const personsAfter = async (before: Lead, after: Lead, seen: Person | undefined): Promise<Person[] | undefined> => {
  if (!movesPerson(before, after)) return []
  const personOf = ({ owner, phone_number }: Lead) => (seen?.phone_number === phone_number ? seen : getPerson(owner, phone_number))
  const [from, to] = await Promise.all([personOf(before), personOf(after)])
  const moved = movedPersons(after, from, to)
  if (!('error' in moved)) return moved.persons
  if (await isAsRead(before, seen)) throw moved.error
  return undefined
}

const commit = async (before: Lead, after: Lead, persons: readonly Person[], others: readonly Write[]): Promise<boolean> => {
  const beside = [...persons.map(replacePerson), ...pointerWrites(before, after), ...others]
  if (beside.length === 0) return saveLead(after)
  return (await transact([replaceLead(after), ...beside])).committed
}

const dispatch = async (before: Lead, after: Lead): Promise<void> => {
  if (after.next_call_time !== before.next_call_time || after.due_list !== before.due_list) await sendOrLeave(after)
}

/** A call to a lead that is no longer called need not be answered. */
const cancelCallOf = async ({ current_call }: Lead, after: Lead): Promise<void> => {
  if (current_call !== null && !isCallable(after.status)) await requestCancel({ owner: after.owner, callId: current_call })
}

/** How an update was accepted, and, where the stops of its phone in the same request count as one, when the last of these was. */
export interface Asked extends Acceptance {
  readonly lastStops?: { readonly [channel in Channel]?: string | undefined }
}

/** An update that is being made. */
export interface Update {
  readonly patch: UpdateLead
  readonly how: Asked
  readonly dncGroup: string
  readonly policy: CallingPolicy
  /** Stops that the update has raised: `channel` and the phone's key. */
  readonly raised: Set<string>
  /** Phones as they were when the update first looked at them, by their keys. */
  readonly firstSeen: Map<string, Phone>
}

const look = async (pk: string, { firstSeen }: Update): Promise<{ phone: Phone; firstSeen: Phone }> => {
  const phone = await getPhone(pk)
  const first = firstSeen.get(pk) ?? phone
  firstSeen.set(pk, first)
  return { phone, firstSeen: first }
}

/** What an update comes to. @returns undefined when the lead has changed since it was read */
const planned = async (lead: Lead, update: Update, beside?: Beside) => {
  const { patch, how, dncGroup, policy } = update
  const rest = unsettled(lead, patch, how)
  const phoneNumber = rest.phone_number ?? lead.phone_number
  const pk = await phonePk(dncGroup, phoneNumber)
  const seen = await look(pk, update)
  const lifts = liftsOf(lead, patch, { ...how, ...seen })
  const updated = updatedLead(lead, withoutStanding(patch, lifts), { ...how, phone: liftedPhone(seen.phone, lifts), now: now(), policy })
  const next = updated && { ...updated, ...beside?.fields }
  const persons = next ? await personsAfter(lead, next, beside?.person) : []
  return persons && { rest, phoneNumber, pk, phone: seen.phone, lifts, next, persons }
}

/**
 * Whether an update could be made; it is not.
 * @returns false when the lead has changed since it was read
 * @throws ServiceError when the update is refused
 */
export const mayUpdate = async (lead: Lead, update: Update, beside?: Beside): Promise<boolean> =>
  (await planned(lead, update, beside)) !== undefined

/** @returns undefined when the lead has changed since it was read, or a stop was raised first: everything is to be read again. */
export const tryUpdate = async (lead: Lead, update: Update, beside?: Beside): Promise<Lead | undefined> => {
  const plan = await planned(lead, update, beside)
  if (!plan) return undefined
  const { how, dncGroup, raised } = update
  const { rest, phoneNumber, pk, phone, lifts, next, persons } = plan
  const { call = how.accepted, sms = how.accepted } = how.lastStops ?? {}
  const target = { id: lead.id, owner: lead.owner, accepted: { call, sms }, atOnce: how.atOnce ?? false }
  if (how.atOnce && phoneNumber !== lead.phone_number) {
    const old = { ...target, phoneNumber: lead.phone_number, pk: await phonePk(dncGroup, lead.phone_number) }
    if (await raiseStops(rest, old, raised)) return undefined
  }
  if (await raiseStops(rest, { ...target, phoneNumber, pk }, raised)) return undefined
  if (next) {
    if (next.promised_time !== lead.promised_time) await watchPromise(next)
    const phoneWrites = lifts.lifted.length > 0 ? [liftDnc(pk, phone, lifts.lifted, how.accepted)] : []
    if (!(await commit(lead, next, persons, [...phoneWrites, ...(beside?.writes(next) ?? [])]))) return undefined
    await cancelCallOf(lead, next)
    auditLifted(lead, next, lifts.lifted)
    await dispatch(lead, next)
  }
  const mayLackStops = phoneNumber !== lead.phone_number || lifts.standing.length > 0
  return mayLackStops ? catchUpWithStops(next ?? lead, pk, how.accepted) : (next ?? lead)
}

/** What an update of a lead of an owner goes by. */
export const beginUpdate = async (owner: number, patch: UpdateLead, how: Asked): Promise<Update> => {
  const user = await knownUser(owner)
  return { patch, how, dncGroup: user.dnc_group, policy: await callingPolicy(user), raised: new Set(), firstSeen: new Map() }
}

/**
 * Updates a lead of an owner. A stop that it brings is raised on the phone before anything else is written; after this returns
 * no dial intent against it can be committed. One that brings another phone too is meant for both. Phone, email and external id move with
 * all that finds the lead by them, or not at all. Safe to repeat.
 * @returns the lead as it is now
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
