import type { LeadType } from '../../accounts/configuration.ts'
import type { CallingPolicy } from '../../calling/rules/policy.ts'
import { now } from '../../platform/clock.ts'
import type { Reservation } from '../../platform/ids/reservations.ts'
import { nextSequence } from '../../platform/sequence.ts'
import { transact, type Write } from '../../platform/table/transactions.ts'
import type { ServiceError } from '../../platform/values/errors.ts'
import type { Person, Phone } from '../../stops/compliance.ts'
import type { CreateLead } from '../api/create-lead.ts'
import type { Lead } from '../lead.ts'
import { getLead, insertLead, replaceLead } from '../lead-store.ts'
import { elsewhere } from '../look-up.ts'
import { addLeadWithoutEmail, replacePerson } from '../person-store.ts'
import { pointerWrites } from '../pointer-store.ts'
import { firstFrom, type Reads } from '../reads.ts'
import { newLead } from '../rules/create/new-lead.ts'
import { reengaged } from '../rules/create/reengaged-lead.ts'
import { decideCreation, duplicateIds, reengagementRule } from '../rules/create/reengagement.ts'
import { isMadeAlready } from '../rules/create/upsert.ts'
import { markOf, type Row, withMark } from '../rules/row-marks.ts'
import { emailKey, MOST_LEADS_OF_PHONE, withEmail, withLead } from '../rules/uniqueness.ts'
import { type NewPosition, withPlace } from './placed-lead.ts'

/** A create that is valid by itself. */
export interface CreateRequest {
  readonly input: CreateLead
  readonly owner: number
  readonly leadTypeId: number | null
  readonly leadType: LeadType | undefined
  readonly policy: CallingPolicy
  /** Partition key of the phone. */
  readonly phonePk: string
  /** The id of a new lead: a repeat of the request finds by it what the first one began. */
  readonly reservation: Reservation | undefined
  /** Whether an earlier run of the request may have reengaged a lead: by a rule that is there no more, too. */
  readonly isRepeat: boolean
  /** Whether a new lead's first call is scheduled. */
  readonly isCalled: boolean
  /** By the machine's clock: a race that is lost after this instant is the last one. */
  readonly giveUpAt: number
  /** The row of a file that it comes from: a repeat of the row finds by its mark what the first one did. */
  readonly row: Row | undefined
  /** Where to look in the first place. Default: the table. */
  readonly reads?: Reads | undefined
}

/** `unchanged`: a row of a file would have made the lead once more. */
export interface WrittenLead {
  readonly lead: Lead
  readonly action: 'created' | 'reengaged' | 'unchanged'
}

const duplicates = async ({ input, leadType, isRepeat, row }: CreateRequest, person: Person, reads: Reads): Promise<Lead[]> => {
  const rule = reengagementRule(leadType, input.min_reengagement_days)
  if (!rule && !isRepeat && !row) return []
  const ids = duplicateIds(person, input.email, row ? { match: 'phone' } : (rule ?? { match: 'phone' }))
  return ids.length > 0 ? [...(await reads.leads(ids)).values()] : []
}

/** The lead that an earlier run of the same request has created already. */
const createdBefore = async ({ owner, reservation }: CreateRequest): Promise<WrittenLead | undefined> => {
  const id = reservation?.known()
  const lead = id === undefined ? undefined : await getLead(id)
  return lead?.owner === owner ? { lead, action: 'created' } : undefined
}

/** The one that it has reengaged. */
const reengagedBefore = ({ reservation }: CreateRequest, leads: readonly Lead[]): WrittenLead | undefined => {
  const name = reservation?.name
  const lead = leads.find(({ reengaged_for }) => name !== undefined && reengaged_for === name)
  return lead && { lead, action: 'reengaged' }
}

/** The one that the row has written before; it may have got another phone number since. */
const markedBefore = async (
  { row, owner, input }: CreateRequest,
  leads: readonly Lead[],
  reads: Reads,
): Promise<WrittenLead | undefined> => {
  if (!row) return undefined
  const isMarked = (lead: Lead): boolean => lead.owner === owner && markOf(lead, row) !== undefined
  const lead = leads.find(isMarked) ?? (row.isFirst ? undefined : await elsewhere({ owner, input }, ['phone_number'], reads, isMarked))
  return lead && { lead, action: markOf(lead, row) === 'created' ? 'created' : 'reengaged' }
}

const reengage = async (request: CreateRequest, person: Person, phone: Phone, lead: Lead): Promise<WrittenLead | undefined> => {
  const { input, leadTypeId, reservation, policy, row } = request
  const facts = { leadType: leadTypeId, phone, requestName: reservation?.name, accepted: nextSequence(), now: now(), policy }
  const reopened = reengaged(lead, input, facts)
  const next = row ? { ...reopened, ingested: withMark(lead.ingested, row, 'reengaged') } : reopened
  const isRenamed = emailKey(next.email) !== emailKey(lead.email)
  const { committed } = await transact([
    replaceLead(next),
    ...pointerWrites(lead, next),
    ...(isRenamed ? [replacePerson(withEmail(person, lead.id, next.email))] : []),
  ])
  return committed ? { lead: next, action: 'reengaged' } : undefined
}

/** What is to hold when a lead is inserted. */
interface Insertion {
  readonly person: Person
  readonly phone: Phone
  readonly place: NewPosition
  /** Whether the person must be as it was read, although the lead contradicts none that may have come to it. */
  readonly isPersonAsRead: boolean
  /** Written with the lead, or nothing is. */
  readonly beside?: readonly Write[]
}

/** @returns undefined when something of it does not hold any more */
export const insert = async (
  { input, owner, leadTypeId, policy, isCalled, row }: Omit<CreateRequest, 'leadType' | 'isRepeat' | 'reservation'>,
  { person, phone, place, isPersonAsRead, beside = [] }: Insertion,
): Promise<WrittenLead | undefined> => {
  const made = newLead(input, { ...place, owner, leadType: leadTypeId, phone, now: now(), policy, isCalled })
  const lead = row ? { ...made, ingested: withMark([], row, 'created') } : made
  const { committed } = await transact([
    insertLead(lead),
    lead.email === null && !isPersonAsRead
      ? addLeadWithoutEmail(person, lead.id, MOST_LEADS_OF_PHONE)
      : replacePerson(withLead(person, lead.id, lead.email)),
    ...pointerWrites(undefined, lead),
    ...beside,
  ])
  return committed ? { lead, action: 'created' } : undefined
}

/** @returns undefined when somebody else wrote meanwhile; a ServiceError when the lead is refused */
const attempt = async (
  request: CreateRequest,
  reads: Reads,
  takePlace: () => Promise<NewPosition>,
): Promise<WrittenLead | ServiceError | undefined> => {
  const { input, owner, leadType, phonePk, row } = request
  // In this order: a person that already has the new lead, of another run at the same time, would refuse it its own email.
  const [person, phone] = await Promise.all([reads.person(owner, input.phone_number), reads.phone(phonePk)])
  const createdEarlier = await createdBefore(request)
  if (createdEarlier) return createdEarlier
  const leads = await duplicates(request, person, reads)
  const doneEarlier = reengagedBefore(request, leads) ?? (await markedBefore(request, leads, reads))
  if (doneEarlier) return doneEarlier
  const rule = reengagementRule(leadType, input.min_reengagement_days)
  const decision = decideCreation({ person, leads, email: input.email, rule, isStopped: phone.call_dnc, now: now() })
  const present = row && decision.action !== 'reengage' ? leads.find((lead) => isMadeAlready(lead, input, request)) : undefined
  if (present) return { lead: present, action: 'unchanged' }
  switch (decision.action) {
    case 'refuse':
      return decision.error
    case 'reengage':
      return reengage(request, person, phone, decision.lead)
    case 'create':
      return insert(request, { person, phone, place: await takePlace(), isPersonAsRead: row !== undefined })
  }
}

/**
 * Writes what a create comes to – a new lead or an earlier one with the newer data – in one transaction with its person, again
 * from the start while others write to the same. A row of a file that would make a lead once more writes nothing.
 * @throws ServiceError when the lead is refused
 */
export const writeNewLead = (request: CreateRequest): Promise<WrittenLead> => {
  const nextReads = firstFrom(request.reads)
  return withPlace(request, (takePlace) => attempt(request, nextReads(), takePlace))
}
