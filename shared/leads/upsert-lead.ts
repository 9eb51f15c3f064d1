import { randomBytes } from 'node:crypto'
import type { User } from '../accounts/configuration.ts'
import { leadTypeFor } from '../accounts/lead-type.ts'
import { knownUser } from '../accounts/user-store.ts'
import { type SendCall, sendOrLeave } from '../backlog/dispatch.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import type { CallingPolicy } from '../calling/rules/policy.ts'
import { REQUIRED } from '../http/fields/field.ts'
import type { Lookup } from '../ingestion/rules/target-fields.ts'
import { now } from '../platform/clock.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { invalid, ServiceError } from '../platform/values/errors.ts'
import { phonePk } from '../stops/phone-store.ts'
import { catchUpWithStops } from '../stops/stop.ts'
import type { UpsertLead } from './api/lead-request.ts'
import { PERSON_RACES, refusal, withPlace } from './create/placed-lead.ts'
import { recordSentConsent } from './create/sent-consent.ts'
import { raiseSentStops } from './create/sent-stops.ts'
import { insert, leadsToFindOpenOne, secondOpenLeadOf } from './create/write-new-lead.ts'
import type { Lead } from './lead.ts'
import { firstFrom, type LeadWriter, type NewPosition, TABLE_WRITER } from './lead-writer.ts'
import { type Reads, TABLE_READS } from './reads.ts'
import { decideCreation } from './rules/create/reengagement.ts'
import type { Row } from './rules/row-marks.ts'
import type { FollowUp } from './update-plan.ts'
import { findMatch, guardUnchanged, type LeadMatch } from './upsert/upsert-match.ts'
import { originOfUpsert, type Upserted, updateMatch } from './upsert/upsert-update.ts'

/** How an upsert finds its lead, and what it does when there is none. */
export interface UpsertHow {
  /** Tried in this order. A lookup without a value in the upsert is skipped. */
  readonly lookups: readonly Lookup[]
  /** When several leads share one value: take the newest, or refuse the upsert. */
  readonly several: 'newest' | 'refuse'
  /** Without a match, `upsert` creates a lead and `update` refuses. */
  readonly mode: 'upsert' | 'update'
  /** The row of a file that it comes from. All retries of the row take effect once and return the same outcome. */
  readonly row?: Row
  /**
   * Deadline for retries, by the machine's clock. A RaceLostError then means that nothing was written. Default: only the limit of 100
   * tries.
   */
  readonly giveUpAt?: number
  /** Where the first try reads. Default: the table. The data may be stale: the next tries read the table. */
  readonly reads?: Reads
  /** How the follow-up work of a written lead runs. Default: at once, and its error fails the upsert. */
  readonly follow?: FollowUp
  /** How the call of an updated lead is sent. Default: on its own. */
  readonly send?: SendCall
  /** Default: the table. */
  readonly writer?: LeadWriter
}

/** An upsert in progress. */
interface Upsert extends UpsertHow {
  readonly owner: User
  readonly input: UpsertLead
  readonly policy: CallingPolicy
  /** Identifies this upsert to others that look for the same lead. */
  readonly token: string
  readonly writer: LeadWriter
}

const noMatch = ({ lookups, input }: UpsertHow & { readonly input: UpsertLead }): ServiceError => {
  const lookup = lookups.find((one) => input[one]) ?? lookups[0] ?? 'non_field_errors'
  return invalid({ [lookup]: ['There is no lead with this value to update.'] })
}

const noPhone = ({ lookups, input }: UpsertHow & { readonly input: UpsertLead }): ServiceError => {
  const help = lookups.some((one) => input[one]) ? ' No lead matches, and a new lead needs a phone number.' : ''
  return invalid({ phone_number: [`${REQUIRED}${help}`] })
}

/** Records the stops and the consent of an upsert that finds no lead. They belong to the phone, so they hold even if it is refused. */
const recordSent = async ({ owner, input, row, writer }: Upsert, reads: Reads): Promise<void> => {
  const { phone_number: phoneNumber } = input
  if (!phoneNumber) return
  await raiseSentStops(owner, { input, phoneNumber, origin: originOfUpsert(owner.id, row), row, reads, writer })
  await recordSentConsent(owner, input, writer)
}

interface Found extends LeadMatch {
  readonly action: 'found'
  readonly lead: Lead
}

/** @returns undefined when another write came first; a ServiceError when the lead is refused */
const findOrCreate = async (
  upsert: Upsert,
  reads: Reads,
  takePlace: () => Promise<NewPosition>,
): Promise<Found | { readonly action: 'created'; readonly lead: Lead; readonly others: readonly number[] } | ServiceError | undefined> => {
  const { owner, input, lookups, several, mode, row, policy, token, giveUpAt = Number.POSITIVE_INFINITY, writer } = upsert
  const find = (from: Reads) => findMatch({ owner: owner.id, input, lookups, several, row }, from)
  const isFound = (match: LeadMatch): match is LeadMatch & { readonly lead: Lead } => match.lead !== undefined
  const match = await find(reads).catch(refusal)
  if (!match) return undefined
  if (!(match instanceof ServiceError) && isFound(match)) return { action: 'found', ...match }
  await recordSent(upsert, reads)
  if (match instanceof ServiceError) return match
  if (mode === 'update') return noMatch(upsert)
  const { phone_number } = input
  if (!phone_number) return noPhone(upsert)
  const [types, pk] = await Promise.all([leadTypeFor(owner, input.lead_type), phonePk(owner.dnc_group, phone_number)])
  const [person, phone] = await Promise.all([match.person ?? reads.person(owner.id, phone_number), reads.phone(pk)])
  const secondOpenLead = secondOpenLeadOf(types.leadType, input.status)
  const leads = secondOpenLead === 'allow' ? [] : await leadsToFindOpenOne(person, input.email, reads)
  const decision = decideCreation({
    ...{ person, leads, secondOpenLead, email: input.email },
    rule: undefined,
    isStopped: phone.call_dnc,
    now: now(),
  })
  // The refusal may be due to the same lead, which a concurrent upsert created after this lookup.
  if (decision.action === 'refuse') {
    const again = await find(writer.over(TABLE_READS))
    return !again || isFound(again) ? undefined : decision.error
  }
  if (decision.action === 'merge') return { action: 'found', ...match, lead: decision.lead }
  // A later row created this lead, so this row was refused in its first run. In a repeat the refusal's cause is gone, but the row must
  // still do nothing.
  if (match.later) return { action: 'found', ...match, lead: match.later }
  const place = await takePlace()
  const request = { ...{ input: { ...input, phone_number }, owner: owner.id, leadTypeId: types.leadTypeId, policy, phonePk: pk, giveUpAt } }
  const beside = match.missed.map((missed) => guardUnchanged(missed.pk, missed, token))
  const created = await insert(
    { ...request, row, isCalled: true, writer },
    { person, phone, place, isPersonAsRead: lookups.includes('phone_number') || secondOpenLead !== 'allow', beside },
  )
  return created && { action: 'created', lead: created.lead, others: created.others ?? [] }
}

/**
 * Like `upsertLead`, but sends no message for the call of a new lead. It does not raise flags for stops that reached the phone in the
 * meantime. Safe to repeat with a row.
 */
export const writeUpsert = async (ownerId: number, input: UpsertLead, how: UpsertHow): Promise<Upserted> => {
  const owner = await knownUser(ownerId)
  const { writer = TABLE_WRITER, giveUpAt = Number.POSITIVE_INFINITY } = how
  const token = randomBytes(12).toString('base64url')
  const upsert: Upsert = { ...how, owner, input, policy: await callingPolicy(owner), token, writer }
  const placing = { owner: ownerId, giveUpAt, writer }
  const nextReads = firstFrom(how.reads, writer)
  return retryRaces<Upserted>({ ...PERSON_RACES, lost: 'Lost the race for one lead', giveUpAt }, async () => {
    const outcome = await withPlace(placing, (takePlace) => findOrCreate(upsert, nextReads(), takePlace))
    return outcome.action === 'created' ? outcome : updateMatch(outcome, upsert)
  })
}

/**
 * Updates the owner's lead that the input identifies, or creates it. Never reengages a lead. Concurrent upserts of the same new lead make
 * one lead, whichever shared value each uses for the lookup. An upsert that changes nothing causes no call, and writes nothing except to
 * complete an interrupted stop.
 * @throws ServiceError of validation, also when several leads match and only one may
 */
export const upsertLead = async (ownerId: number, input: UpsertLead, how: UpsertHow): Promise<Upserted> => {
  const written = await writeUpsert(ownerId, input, how)
  if (written.action !== 'created') return written
  const { dnc_group } = await knownUser(ownerId)
  const lead = await catchUpWithStops(written.lead, await phonePk(dnc_group, written.lead.phone_number))
  await sendOrLeave(lead)
  return { ...written, lead }
}
