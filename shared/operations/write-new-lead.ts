import { setTimeout as sleep } from 'node:timers/promises'
import { now, realNow } from '../adapters/clock.ts'
import { loggable, logger } from '../adapters/logger.ts'
import { nextSequence } from '../adapters/sequence.ts'
import type { CallingPolicy } from '../domain/calling/policy.ts'
import { ServiceError } from '../domain/errors.ts'
import { newLead } from '../domain/leads/new-lead.ts'
import { reengaged } from '../domain/leads/reengaged-lead.ts'
import { decideCreation, duplicateIds, reengagementRule } from '../domain/leads/reengagement.ts'
import { emailKey, MOST_LEADS, withEmail, withLead } from '../domain/leads/uniqueness.ts'
import type { Person, Phone } from '../schema/compliance.ts'
import type { LeadType } from '../schema/configuration.ts'
import type { Lead } from '../schema/lead.ts'
import type { CreateLead } from '../schema/requests/create-lead.ts'
import { nextId } from '../storage/ids.ts'
import { getLead, getLeads, insertLead, replaceLead } from '../storage/leads.ts'
import { addLeadWithoutEmail, getPerson, replacePerson } from '../storage/persons.ts'
import { getPhone } from '../storage/phones.ts'
import { pointerWrites } from '../storage/pointers.ts'
import { recordHole, settlePosition, takePosition } from '../storage/positions.ts'
import { transact } from '../storage/transactions.ts'

/** A create that is valid by itself. */
export interface Request {
  readonly input: CreateLead
  readonly owner: number
  readonly leadTypeId: number | null
  readonly leadType: LeadType | undefined
  readonly policy: CallingPolicy
  /** Partition key of the phone. */
  readonly phonePk: string
  /** The id that a new lead is to have: a repeat of the request finds by it what the first one began. */
  readonly reservedId: number | undefined
  /** Whether an earlier run of the request may have reengaged a lead: by a rule that is there no more, too. */
  readonly isRepeat: boolean
  /** Whether a new lead's first call is scheduled. */
  readonly isCalled: boolean
  /** By the machine's clock: a race that is lost after this instant is the last one. */
  readonly giveUpAt: number
}

/** Others wrote to the same person again and again. Nothing was written. */
export class RaceLost extends Error {}

export interface Written {
  readonly lead: Lead
  readonly action: 'created' | 'reengaged'
}

interface Place {
  readonly id: number
  readonly position: number
}

const MAX_TRIES = 100
/** Milliseconds that the loser of a race for the same person waits at most: the more have lost, the longer, or they all lose again. */
const racePause = (tries: number): number => 30 * Math.min(2 ** tries, 16)

const duplicates = async ({ input, leadType, isRepeat }: Request, person: Person): Promise<Lead[]> => {
  const rule = reengagementRule(leadType, input.min_reengagement_days)
  if (!rule && !isRepeat) return []
  const ids = duplicateIds(person, input.email, rule ?? { match: 'phone' })
  return ids.length > 0 ? [...(await getLeads(ids, { consistent: true })).values()] : []
}

/** The lead that an earlier run of the same request has created already. */
const createdBefore = async ({ owner, reservedId }: Request): Promise<Written | undefined> => {
  const lead = reservedId === undefined ? undefined : await getLead(reservedId)
  return lead?.owner === owner ? { lead, action: 'created' } : undefined
}

/** The one that it has reengaged. */
const reengagedBefore = ({ reservedId }: Request, leads: readonly Lead[]): Written | undefined => {
  const lead = leads.find(({ reengaged_for }) => reservedId !== undefined && reengaged_for === reservedId)
  return lead && { lead, action: 'reengaged' }
}

const reengage = async (request: Request, person: Person, phone: Phone, lead: Lead): Promise<Written | undefined> => {
  const { input, leadTypeId, reservedId, policy } = request
  const facts = { leadType: leadTypeId, phone, reservedId, accepted: nextSequence(), now: now(), policy }
  const next = reengaged(lead, input, facts)
  const isRenamed = emailKey(next.email) !== emailKey(lead.email)
  const { committed } = await transact([
    replaceLead(next),
    ...pointerWrites(lead, next),
    ...(isRenamed ? [replacePerson(withEmail(person, lead.id, next.email))] : []),
  ])
  return committed ? { lead: next, action: 'reengaged' } : undefined
}

const insert = async (
  { input, owner, leadTypeId, policy, isCalled }: Request,
  person: Person,
  phone: Phone,
  place: Place,
): Promise<Written | undefined> => {
  const made = { ...place, owner, leadType: leadTypeId, phone, now: now(), policy, isCalled }
  const lead = newLead(input, made)
  const { committed } = await transact([
    insertLead(lead),
    lead.email === null ? addLeadWithoutEmail(person, lead.id, MOST_LEADS) : replacePerson(withLead(person, lead.id, lead.email)),
    ...pointerWrites(undefined, lead),
  ])
  return committed ? { lead, action: 'created' } : undefined
}

/** @returns undefined when somebody else wrote meanwhile; a ServiceError when the lead is refused */
const attempt = async (request: Request, takePlace: () => Promise<Place>): Promise<Written | ServiceError | undefined> => {
  const { input, owner, leadType, phonePk } = request
  // In this order: a person that already has the new lead, of another run at the same time, would refuse it its own email.
  const [person, phone] = await Promise.all([getPerson(owner, input.phone_number), getPhone(phonePk)])
  const createdEarlier = await createdBefore(request)
  if (createdEarlier) return createdEarlier
  const leads = await duplicates(request, person)
  const reengagedEarlier = reengagedBefore(request, leads)
  if (reengagedEarlier) return reengagedEarlier
  const rule = reengagementRule(leadType, input.min_reengagement_days)
  const decision = decideCreation({ person, leads, email: input.email, rule, isStopped: phone.call_dnc, now: now() })
  switch (decision.action) {
    case 'refuse':
      return decision.error
    case 'reengage':
      return reengage(request, person, phone, decision.lead)
    case 'create':
      return insert(request, person, phone, await takePlace())
  }
}

/** A refusal is an outcome, thrown or not: a place that was taken before it is a hole. */
const refusal = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  throw error
}

/** Says what became of a place that was taken: the new lead stands there, or nothing does. */
const settle = async (owner: number, { id, position }: Place, outcome: Written | ServiceError): Promise<void> => {
  if (!(outcome instanceof ServiceError) && outcome.lead.id === id && outcome.lead.position === position) {
    settlePosition(owner, position)
    return
  }
  try {
    await recordHole(owner, position)
  } catch (error) {
    logger.warn('Left to the readers of the list: a place at which nothing stands.', { owner, position, error: loggable(error) })
  }
}

/**
 * Writes what a create comes to – a new lead or an earlier one with the newer data – in one transaction with its person, again
 * from the start while others write to the same. A place in the list whose fate is not known is left to the list's readers.
 * @throws ServiceError when the lead is refused
 */
export const writeNewLead = async (request: Request): Promise<Written> => {
  const { owner, reservedId } = request
  let place: Place | undefined
  const takePlace = async (): Promise<Place> => {
    place ??= { id: reservedId ?? (await nextId()), position: await takePosition(owner) }
    return place
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await attempt(request, takePlace).catch(refusal)
    if (outcome && place) await settle(owner, place, outcome)
    if (outcome instanceof ServiceError) throw outcome
    if (outcome) return outcome
    if (realNow() > request.giveUpAt) break
    await sleep(Math.random() * racePause(tries))
  }
  throw new RaceLost('Lost every race for one person.')
}
