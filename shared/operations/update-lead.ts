import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../adapters/clock.ts'
import { setting } from '../adapters/environment.ts'
import { notFound } from '../domain/errors.ts'
import { movedPersons, movesPerson } from '../domain/leads/move.ts'
import { type Acceptance, unsettled, updatedLead } from '../domain/leads/update.ts'
import type { Person } from '../schema/compliance.ts'
import type { Lead } from '../schema/lead.ts'
import type { UpdateLead } from '../schema/requests/update-lead.ts'
import { getLead, replaceLead, saveLead } from '../storage/leads.ts'
import { getPerson, replacePerson } from '../storage/persons.ts'
import { type Channel, getPhone, phonePk } from '../storage/phones.ts'
import { pointerWrites } from '../storage/pointers.ts'
import { transact } from '../storage/transactions.ts'
import { getUser } from '../storage/users.ts'
import { sendOrLeave } from './dispatch.ts'
import { namedLeadType } from './lead-type.ts'
import { catchUpWithStops } from './stop.ts'
import { auditLifted, raiseStops } from './update-stops.ts'

const MAX_TRIES = 100
/** Milliseconds, times a random part: how long the loser of a race for the same lead or person waits. */
const RACE_PAUSE = 30

/** @throws ServiceError when the lead cannot have the phone and email that it is to have. */
const personsAfter = async (before: Lead, after: Lead): Promise<Person[]> => {
  if (!movesPerson(before, after)) return []
  const [from, to] = await Promise.all([getPerson(before.owner, before.phone_number), getPerson(after.owner, after.phone_number)])
  const moved = movedPersons(after, from, to)
  if ('error' in moved) throw moved.error
  return moved.persons
}

const commit = async (before: Lead, after: Lead, persons: readonly Person[]): Promise<boolean> => {
  const beside = [...persons.map(replacePerson), ...pointerWrites(before, after)]
  if (beside.length === 0) return saveLead(after)
  return (await transact([replaceLead(after), ...beside])).committed
}

const dispatch = async (before: Lead, after: Lead): Promise<void> => {
  if (after.next_call_time !== before.next_call_time || after.due_list !== before.due_list) await sendOrLeave(after)
}

/** How an update was accepted, and, where the stops of its phone in the same request count as one, when the last of these was. */
export interface Asked extends Acceptance {
  readonly lastStops?: { readonly [channel in Channel]?: string | undefined }
}

interface Update {
  readonly patch: UpdateLead
  readonly how: Asked
  readonly dncGroup: string
  /** Stops that the update has raised: `channel` and the phone's key. */
  readonly raised: Set<string>
}

/** @returns undefined when the lead has changed since it was read, or a stop was raised first: everything is to be read again. */
const tryUpdate = async (lead: Lead, { patch, how, dncGroup, raised }: Update): Promise<Lead | undefined> => {
  const rest = unsettled(lead, patch, how)
  const phoneNumber = rest.phone_number ?? lead.phone_number
  const pk = await phonePk(dncGroup, phoneNumber)
  const next = updatedLead(lead, patch, {
    ...how,
    phone: await getPhone(pk),
    now: now(),
    defaultTimezone: setting('DEFAULT_TIMEZONE'),
  })
  const persons = next ? await personsAfter(lead, next) : []
  const { call = how.accepted, sms = how.accepted } = how.lastStops ?? {}
  const target = { id: lead.id, owner: lead.owner, accepted: { call, sms } }
  if (how.atOnce && phoneNumber !== lead.phone_number) {
    const old = { ...target, phoneNumber: lead.phone_number, pk: await phonePk(dncGroup, lead.phone_number) }
    if (await raiseStops(rest, old, raised)) return undefined
  }
  if (await raiseStops(rest, { ...target, phoneNumber, pk }, raised)) return undefined
  if (!next) return lead
  if (!(await commit(lead, next, persons))) return undefined
  auditLifted(lead, next)
  await dispatch(lead, next)
  return next.phone_number === lead.phone_number ? next : catchUpWithStops(next, pk)
}

/**
 * Updates a lead of an owner. A stop that it brings is raised on the phone before anything else is written; after this returns
 * no dial intent against it can be committed. One that brings another phone too is meant for both. Phone, email and external id move with all that finds the lead by them, or not
 * at all. Safe to repeat.
 * @returns the lead as it is now
 * @throws ServiceError `not_found`, or of validation
 */
export const updateLead = async (owner: number, id: number, patch: UpdateLead, how: Asked): Promise<Lead> => {
  const user = await getUser(owner)
  if (!user) throw new Error(`There is no user ${owner}, though a key names it.`)
  const update: Update = { patch, how, dncGroup: user.dnc_group, raised: new Set() }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const lead = await getLead(id)
    if (lead?.owner !== owner) throw notFound()
    if (typeof patch.lead_type === 'number') await namedLeadType(owner, patch.lead_type)
    const updated = await tryUpdate(lead, update)
    if (updated) return updated
    await sleep(Math.random() * RACE_PAUSE)
  }
  throw new Error(`Lead ${id} changed ${MAX_TRIES} times while it was being updated.`)
}
