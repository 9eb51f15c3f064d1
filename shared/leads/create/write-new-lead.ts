import type { LeadType } from '../../accounts/configuration.ts'
import { watchPromise } from '../../backlog/promises.ts'
import type { CallingPolicy } from '../../calling/rules/policy.ts'
import { now } from '../../platform/clock.ts'
import type { Reservation } from '../../platform/ids/reservations.ts'
import { nextSequence } from '../../platform/sequence.ts'
import { transact, type Write } from '../../platform/table/transactions.ts'
import type { ServiceError } from '../../platform/values/errors.ts'
import type { LeadStatus } from '../../platform/values/values.ts'
import type { Person, Phone } from '../../stops/compliance.ts'
import type { CreateLead } from '../api/lead-request.ts'
import type { Lead } from '../lead.ts'
import { getLead, insertLead, replaceLead } from '../lead-store.ts'
import { firstFrom, type LeadWriter, type NewPosition } from '../lead-writer.ts'
import { elsewhere, othersBefore, ownLeads } from '../look-up.ts'
import { addLeadWithoutEmail, replacePerson } from '../person-store.ts'
import { pointerWrites } from '../pointer-store.ts'
import { READABLE_READS, type Reads } from '../reads.ts'
import { newLead } from '../rules/create/new-lead.ts'
import { decideCreation, duplicateIds, isOpenLeadOf, likeliestOpenIds, reengaged, reengagementRule } from '../rules/create/reengagement.ts'
import { changesLead, isMadeAlready, patchOf } from '../rules/create/upsert.ts'
import { isOutdated, markOf, type Row, withMark } from '../rules/row-marks.ts'
import { isCallable } from '../rules/status.ts'
import { emailKey, MOST_LEADS_OF_PHONE, othersOf, withEmail, withLead } from '../rules/uniqueness.ts'
import { updatedLead } from '../rules/update/update.ts'
import { withPlace } from './placed-lead.ts'

/** A create that has passed validation. */
export interface CreateRequest {
  readonly input: CreateLead
  readonly owner: number
  readonly leadTypeId: number | null
  readonly leadType: LeadType | undefined
  readonly policy: CallingPolicy
  /** Partition key of the phone. */
  readonly phonePk: string
  /** The id of a new lead. A retry of the request finds by it what the first run began. */
  readonly reservation: Reservation | undefined
  /** Whether an earlier run of the request may have reengaged a lead, perhaps by a rule that no longer exists. */
  readonly isRepeat: boolean
  /** Whether a new lead's first call is scheduled. */
  readonly isCalled: boolean
  /** By the machine's clock. After this instant, a lost race is not tried again. */
  readonly giveUpAt: number
  /** The uploaded file's row that the lead comes from. The lead's mark shows a retry of the row what the first run did. */
  readonly row: Row | undefined
  /** Where the first try reads. Default: the table. */
  readonly reads?: Reads | undefined
  readonly writer: LeadWriter
}

/** `updated`: an open lead of the phone took the data. `unchanged`: the lead of a file's row exists already, with the same data. */
export interface WrittenLead {
  readonly lead: Lead
  readonly action: 'created' | 'reengaged' | 'updated' | 'unchanged'
  /** Ids of the other leads of its phone, as they were read. Absent for a lead that an earlier run of a request wrote. */
  readonly others?: readonly number[]
}

/** The rule for a second open lead of a phone. A lead that is created in a closed status, such as an old one, is no second open lead. */
export const secondOpenLeadOf = (leadType: LeadType | undefined, status?: LeadStatus): LeadType['second_open_lead'] =>
  status === undefined || isCallable(status) ? (leadType?.second_open_lead ?? 'allow') : 'allow'

/** Leads of a phone that are read first in search of an open one. Most phones have fewer, but one may have MOST_LEADS_OF_PHONE. */
const READ_FIRST = 10

/** The person's leads among which an open one is searched: those likeliest to be open if one of them is, otherwise all. */
export const leadsToFindOpenOne = async (person: Person, email: CreateLead['email'], reads: Reads): Promise<Lead[]> => {
  const ids = likeliestOpenIds(person, email)
  const first = await ownLeads(person.owner, ids.slice(0, READ_FIRST), reads)
  if (first.some((lead) => isOpenLeadOf(lead, person))) return first
  return [...first, ...(await ownLeads(person.owner, ids.slice(READ_FIRST), reads))]
}

const duplicates = async ({ input, leadType, isRepeat, row }: CreateRequest, person: Person, reads: Reads): Promise<Lead[]> => {
  const rule = reengagementRule(leadType, input.min_reengagement_days)
  const forbidsSecond = secondOpenLeadOf(leadType, input.status) !== 'allow'
  // An open lead decides alone, except in repeats, in rows of files, and where a rule may reopen an open lead.
  if (forbidsSecond && !isRepeat && !row && !rule?.eligible.some(isCallable)) return leadsToFindOpenOne(person, input.email, reads)
  if (!rule && !isRepeat && !row) return []
  const match = row || forbidsSecond ? 'phone' : (rule?.match ?? 'phone')
  return ownLeads(person.owner, duplicateIds(person, input.email, { match }), reads)
}

/** The lead that an earlier run of this request created. */
const createdBefore = async ({ owner, reservation }: CreateRequest): Promise<WrittenLead | undefined> => {
  const id = reservation?.known()
  const lead = id === undefined ? undefined : await getLead(id)
  return lead?.owner === owner ? { lead, action: 'created' } : undefined
}

/** The name under which a lead records that a create was merged into it. A repeat of the create finds the lead by it. */
const mergeName = (name: string | number): string => `merge ${name}`

/** The lead that an earlier run of this request reengaged, or merged its data into. */
const reusedBefore = ({ reservation }: CreateRequest, leads: readonly Lead[]): WrittenLead | undefined => {
  const name = reservation?.name
  if (name === undefined) return undefined
  const lead = leads.find(({ reengaged_for }) => reengaged_for === name || reengaged_for === mergeName(name))
  return lead && { lead, action: lead.reengaged_for === name ? 'reengaged' : 'updated' }
}

/** The lead that an earlier run of this row wrote. Its phone number may have changed since. */
const markedBefore = async (
  { row, owner, input, writer, reads: readAhead = READABLE_READS }: CreateRequest,
  leads: readonly Lead[],
  reads: Reads,
): Promise<WrittenLead | undefined> => {
  if (!row) return undefined
  const isMarked = (lead: Lead): boolean => lead.owner === owner && markOf(lead, row) !== undefined
  const lead = leads.find(isMarked) ?? (row.isFirst ? undefined : await elsewhere({ owner, input }, ['phone_number'], reads, isMarked))
  return lead && { lead, action: markOf(lead, row) ?? 'reengaged', others: await othersBefore(lead, row, writer.over(readAhead)) }
}

/** Writes the next version of a lead of the person. @returns undefined when another write came first */
const replace = (person: Person, lead: Lead, next: Lead, { leadType, writer }: CreateRequest): Promise<Lead | undefined> =>
  writer.write(
    async () => next,
    async () => {
      if (next.promised_time !== lead.promised_time) await watchPromise(next)
      const isRenamed = emailKey(next.email) !== emailKey(lead.email)
      const { committed } = await transact([
        replaceLead(next),
        ...pointerWrites(lead, next),
        // Write the person too, so that concurrent creates for this phone see this open lead.
        ...(isRenamed || secondOpenLeadOf(leadType) !== 'allow' ? [replacePerson(withEmail(person, lead.id, next.email))] : []),
      ])
      return committed ? next : undefined
    },
  )

const reengage = async (request: CreateRequest, person: Person, phone: Phone, lead: Lead): Promise<WrittenLead | undefined> => {
  const { input, leadTypeId, reservation, policy, row } = request
  const given = { leadType: leadTypeId, phone, requestName: reservation?.name, accepted: nextSequence(), now: now(), policy }
  const reopened = reengaged(lead, input, given)
  const next = row ? { ...reopened, ingested: withMark(lead.ingested, row, 'reengaged') } : reopened
  return (await replace(person, lead, next, request)) ? { lead: next, action: 'reengaged', others: othersOf(person, lead.id) } : undefined
}

/** Gives the data of a create to the open lead of its phone. Status, lead type, stops and the start of calls stay. */
const merge = async (request: CreateRequest, person: Person, phone: Phone, lead: Lead): Promise<WrittenLead | undefined> => {
  const { input, policy, row, reservation } = request
  const { status, call_dnc, sms_dnc, ...patch } = patchOf(input)
  const others = othersOf(person, lead.id)
  // In a repeat of this row, a later row may already have changed the lead: the later values stay.
  if (row && (isOutdated(lead, row) || !changesLead(lead, patch))) return { lead, action: 'unchanged', others }
  const updated = updatedLead(lead, patch, { cause: 'MANUAL', accepted: nextSequence(), atOnce: true, now: now(), policy, phone })
  if (!updated) return { lead, action: 'updated', others }
  const named = reservation?.name === undefined ? updated : { ...updated, reengaged_for: mergeName(reservation.name) }
  const next = row ? { ...named, ingested: withMark(lead.ingested, row, 'updated') } : named
  return (await replace(person, lead, next, request)) ? { lead: next, action: 'updated', others } : undefined
}

/** The values that must still hold when a lead is inserted, and its other writes. */
interface Insertion {
  readonly person: Person
  readonly phone: Phone
  readonly place: NewPosition
  /** Whether the person must be unchanged even for a lead without an email, which contradicts no other lead. */
  readonly isPersonAsRead: boolean
  /** Written in the same transaction as the lead. */
  readonly beside?: readonly Write[]
}

/** @returns undefined when one of the conditions no longer holds */
export const insert = async (
  { input, owner, leadTypeId, policy, isCalled, row, writer }: Omit<CreateRequest, 'leadType' | 'isRepeat' | 'reservation'>,
  { person, phone, place, isPersonAsRead, beside = [] }: Insertion,
): Promise<WrittenLead | undefined> => {
  const made = newLead(input, { ...place, owner, leadType: leadTypeId, phone, now: now(), policy, isCalled })
  const next = row ? { ...made, ingested: withMark([], row, 'created') } : made
  const lead = await writer.write(
    async () => next,
    async () => {
      const { committed } = await transact([
        insertLead(next),
        next.email === null && !isPersonAsRead
          ? addLeadWithoutEmail(person, next.id, MOST_LEADS_OF_PHONE)
          : replacePerson(withLead(person, next.id, next.email)),
        ...pointerWrites(undefined, next),
        ...beside,
      ])
      return committed ? next : undefined
    },
  )
  return lead && { lead, action: 'created', others: othersOf(person, lead.id) }
}

/** @returns undefined when another write came first; a ServiceError when the lead is refused */
const attempt = async (
  request: CreateRequest,
  reads: Reads,
  takePlace: () => Promise<NewPosition>,
): Promise<WrittenLead | ServiceError | undefined> => {
  const { input, owner, leadType, phonePk, row } = request
  // Read the person before the created lead. In the other order, a concurrent run may create the lead between the two reads. The person
  // would then contain the new lead, and the lead's own email would be refused as a duplicate.
  const [person, phone] = await Promise.all([reads.person(owner, input.phone_number), reads.phone(phonePk)])
  const createdEarlier = await createdBefore(request)
  if (createdEarlier) return createdEarlier
  const leads = await duplicates(request, person, reads)
  const doneEarlier = reusedBefore(request, leads) ?? (await markedBefore(request, leads, reads))
  if (doneEarlier) return doneEarlier
  const rule = reengagementRule(leadType, input.min_reengagement_days)
  const secondOpenLead = secondOpenLeadOf(leadType, input.status)
  const { email } = input
  const decision = decideCreation({ person, leads, email, rule, secondOpenLead, isStopped: phone.call_dnc, now: now() })
  const present = row && decision.action !== 'reengage' ? leads.find((lead) => isMadeAlready(lead, input, request)) : undefined
  if (present) return { lead: present, action: 'unchanged' }
  switch (decision.action) {
    case 'refuse':
      return decision.error
    case 'reengage':
      return reengage(request, person, phone, decision.lead)
    case 'merge':
      return merge(request, person, phone, decision.lead)
    case 'create':
      return insert(request, { person, phone, place: await takePlace(), isPersonAsRead: row !== undefined || secondOpenLead !== 'allow' })
  }
}

/**
 * Writes the result of a create, a new lead or a reengaged one, in one transaction with its person. Starts again after a lost race. A row
 * of a file whose lead exists already writes nothing.
 * @throws ServiceError when the lead is refused
 */
export const writeNewLead = (request: CreateRequest): Promise<WrittenLead> => {
  const nextReads = firstFrom(request.reads, request.writer)
  return withPlace(request, (takePlace) => attempt(request, nextReads(), takePlace))
}
