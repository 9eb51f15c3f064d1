import { knownUser } from '../accounts/user-store.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import type { CallingPolicy } from '../calling/rules/policy.ts'
import { now } from '../platform/clock.ts'
import type { Write } from '../platform/table/transactions.ts'
import type { Channel, Person, Phone } from '../stops/compliance.ts'
import { getPhone, phonePk } from '../stops/phone-store.ts'
import type { UpdateLead } from './api/update-lead.ts'
import type { Lead } from './lead.ts'
import { getLead } from './lead-store.ts'
import { getPerson } from './person-store.ts'
import { liftedPhone, liftsOf, withoutStanding } from './rules/update/lifts.ts'
import { movedPersons, movesPerson } from './rules/update/move.ts'
import { type Acceptance, unsettled, updatedLead } from './rules/update/update.ts'

/** How an update was accepted, and, where the stops of its phone in the same request count as one, when the last of these was. */
export interface Asked extends Acceptance {
  readonly lastStops?: { readonly [channel in Channel]?: string | undefined }
}

/** An update that is being made. */
export interface PlannedUpdate {
  readonly patch: UpdateLead
  readonly how: Asked
  readonly dncGroup: string
  readonly policy: CallingPolicy
  /** Stops that the update has raised: `channel` and the phone's key. */
  readonly raised: Set<string>
  /** Phones as they were when the update first looked at them, by their keys. */
  readonly firstSeen: Map<string, Phone>
}

/** What an update of a lead of an owner goes by. */
export const beginUpdate = async (owner: number, patch: UpdateLead, how: Asked): Promise<PlannedUpdate> => {
  const user = await knownUser(owner)
  return { patch, how, dncGroup: user.dnc_group, policy: await callingPolicy(user), raised: new Set(), firstSeen: new Map() }
}

/** Runs what follows the writing of a lead. */
export type FollowUp = (work: () => Promise<void>) => Promise<void>

/** What fails of it fails the whole. */
export const followAtOnce: FollowUp = (work) => work()

/** What else an update by an upsert writes. */
export interface UpsertWrites {
  /** Of the lead. */
  readonly fields: Pick<Lead, 'ingested'>
  /** Written with the lead, or nothing is. */
  readonly writes: (after: Lead) => readonly Write[]
  readonly follow: FollowUp
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

const look = async (pk: string, { firstSeen }: PlannedUpdate): Promise<{ phone: Phone; firstSeen: Phone }> => {
  const phone = await getPhone(pk)
  const first = firstSeen.get(pk) ?? phone
  firstSeen.set(pk, first)
  return { phone, firstSeen: first }
}

/** What an update comes to. @returns undefined when the lead has changed since it was read */
export const planUpdate = async (lead: Lead, update: PlannedUpdate, beside?: UpsertWrites) => {
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
export const mayUpdate = async (lead: Lead, update: PlannedUpdate, beside?: UpsertWrites): Promise<boolean> =>
  (await planUpdate(lead, update, beside)) !== undefined
