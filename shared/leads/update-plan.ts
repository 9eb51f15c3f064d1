import { knownUser } from '../accounts/user-store.ts'
import type { SendCall } from '../backlog/dispatch.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import type { CallingPolicy } from '../calling/rules/policy.ts'
import { now } from '../platform/clock.ts'
import { formerLeadMark, formerNumberMark } from '../platform/keys.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import type { Channel, Person, Phone } from '../stops/compliance.ts'
import { phonePk } from '../stops/phone-store.ts'
import type { StopOrigin } from '../stops/stop-record.ts'
import type { UpdateLead } from './api/lead-request.ts'
import type { Lead } from './lead.ts'
import { replaceLead, saveLead } from './lead-store.ts'
import { replacePerson } from './person-store.ts'
import { pointerWrites } from './pointer-store.ts'
import { type Reads, TABLE_READS } from './reads.ts'
import { movedPersons, movesPerson } from './rules/update/move.ts'
import { liftedPhone, liftsOf, withoutRefusedLifts } from './rules/update/stops.ts'
import { type Acceptance, unappliedPart, updatedLead } from './rules/update/update.ts'

/**
 * How an update was accepted. `lastStops`: acceptance sequences of the last stops in the same request for this phone, so that all its stops
 * count as one.
 */
export interface Asked extends Acceptance {
  readonly lastStops?: { readonly [channel in Channel]?: string | undefined }
  /** The staff member who asked for it. */
  readonly staff?: number | undefined
  /** How its stops and lifts were received. Default: by the API. */
  readonly origin?: StopOrigin
  /** Phones as the caller read them, by key. A stop that was raised since then stays, whatever the clocks say. */
  readonly phonesSeen?: ReadonlyMap<string, Phone>
  /** How the call of the lead is sent. Default: on its own. */
  readonly send?: SendCall
}

/** An update in progress. */
export interface PlannedUpdate {
  readonly patch: UpdateLead
  readonly how: Asked
  readonly dncGroup: string
  readonly policy: CallingPolicy
  /** Stops that the update has raised: `channel` and the phone's key. */
  readonly raised: Set<string>
  /** Phones as the update, or its caller, first read them, by key. */
  readonly firstSeen: Map<string, Phone>
  readonly reads: Reads
}

/** Loads what an update of an owner's lead needs. */
export const beginUpdate = async (owner: number, patch: UpdateLead, how: Asked, reads: Reads = TABLE_READS): Promise<PlannedUpdate> => {
  const user = await knownUser(owner)
  return {
    patch,
    how,
    dncGroup: user.dnc_group,
    policy: await callingPolicy(user),
    raised: new Set(),
    firstSeen: new Map(how.phonesSeen),
    reads,
  }
}

/** Runs the work that follows the write of a lead. */
export type FollowUp = (work: () => Promise<void>) => Promise<void>

/** Runs the follow-up work at once: its error fails the whole update. */
export const followAtOnce: FollowUp = (work) => work()

/** Additions of an upsert to an update. */
export interface UpsertWrites {
  /** Fields of the lead. */
  readonly fields: Pick<Lead, 'ingested'>
  /** Written in the same transaction as the lead. */
  readonly writes: (after: Lead) => readonly Write[]
  readonly follow: FollowUp
  /** A person that was read before. If the lead moves to this person, the person must not have changed. */
  readonly person: Person | undefined
}

const isAsRead = async (lead: Lead, person: Person | undefined, reads: Reads): Promise<boolean> => {
  const [current, known] = await Promise.all([reads.leads([lead.id]), person && reads.person(person.owner, person.phone_number)])
  return current.get(lead.id)?.version === lead.version && known?.version === person?.version
}

/**
 * @returns undefined when another write came first, which may have given the lead that phone and email
 * @throws ServiceError when the lead cannot have them
 */
const personsAfter = async (before: Lead, after: Lead, seen: Person | undefined, reads: Reads): Promise<Person[] | undefined> => {
  if (!movesPerson(before, after)) return []
  const personOf = ({ owner, phone_number }: Lead) => (seen?.phone_number === phone_number ? seen : reads.person(owner, phone_number))
  const [from, to] = await Promise.all([personOf(before), personOf(after)])
  const moved = movedPersons(after, from, to)
  if (!('error' in moved)) return moved.persons
  if (await isAsRead(before, seen, reads)) throw moved.error
  return undefined
}

const look = async (pk: string, { firstSeen, reads }: PlannedUpdate): Promise<{ phone: Phone; firstSeen: Phone }> => {
  const phone = await reads.phone(pk)
  const first = firstSeen.get(pk) ?? phone
  firstSeen.set(pk, first)
  return { phone, firstSeen: first }
}

/** Computes what an update writes. @returns undefined when the lead has changed since it was read */
export const planUpdate = async (lead: Lead, update: PlannedUpdate, beside?: UpsertWrites) => {
  const { patch, how, dncGroup, policy, reads } = update
  const rest = unappliedPart(lead, patch, how)
  const phoneNumber = rest.phone_number ?? lead.phone_number
  const pk = await phonePk(dncGroup, phoneNumber)
  const seen = await look(pk, update)
  const lifts = liftsOf(lead, patch, { ...how, ...seen })
  const updated = updatedLead(lead, withoutRefusedLifts(patch, lifts), {
    ...how,
    phone: liftedPhone(seen.phone, lifts),
    now: now(),
    policy,
  })
  const next = updated && { ...updated, ...beside?.fields }
  const persons = next ? await personsAfter(lead, next, beside?.person, reads) : []
  return persons && { rest, phoneNumber, pk, phone: seen.phone, lifts, next, persons }
}

/**
 * Checks whether an update can be made, without making it.
 * @returns false when the lead has changed since it was read
 * @throws ServiceError when the update is refused
 */
export const mayUpdate = async (lead: Lead, update: PlannedUpdate, beside?: UpsertWrites): Promise<boolean> =>
  (await planUpdate(lead, update, beside)) !== undefined

/** Marks that connect a lead with a number that it gives up. An erasure of that number finds its calls by them. */
export const numberMarks = ({ phone_number, owner, id }: Pick<Lead, 'phone_number' | 'owner' | 'id'>) =>
  [formerLeadMark, formerNumberMark].map((markOf) => ({ ...markOf(owner, phone_number, id), owner, lead: id }))

const formerNumberWrites = (before: Lead, after: Lead): Write[] =>
  before.phone_number === after.phone_number ? [] : numberMarks(before).map((put) => ({ put }))

/**
 * Writes the next version of a lead, and the items that find it by phone, email and external id.
 * @param persons the lists of leads by phone number that change with it, in their next versions
 * @returns false when another write changed any of these first
 */
export const commitLead = async (
  before: Lead,
  after: Lead,
  persons: readonly Person[],
  others: readonly Write[] = [],
): Promise<boolean> => {
  const beside = [...persons.map(replacePerson), ...formerNumberWrites(before, after), ...pointerWrites(before, after), ...others]
  if (beside.length === 0) return saveLead(after)
  return (await transact([replaceLead(after), ...beside])).committed
}
