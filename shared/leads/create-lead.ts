import { leadTypeFor } from '../accounts/lead-type.ts'
import { knownUser } from '../accounts/user-store.ts'
import { type SendCall, sendOrLeave } from '../backlog/dispatch.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import type { Reservation } from '../platform/ids/reservations.ts'
import { phonePk } from '../stops/phone-store.ts'
import { catchUpWithStops } from '../stops/stop.ts'
import type { StopOrigin } from '../stops/stop-record.ts'
import type { CreateLead } from './api/lead-request.ts'
import { recordSentConsent } from './create/sent-consent.ts'
import { raiseSentStops } from './create/sent-stops.ts'
import { type WrittenLead, writeNewLead } from './create/write-new-lead.ts'
import { type LeadWriter, TABLE_WRITER } from './lead-writer.ts'
import type { Reads } from './reads.ts'
import type { Row } from './rules/row-marks.ts'

/** `enqueued`: whether the message for a call that is due now or soon was sent to the queue. If not, the sweep sends it. */
export interface Created extends WrittenLead {
  readonly action: 'created' | 'reengaged' | 'updated'
  readonly enqueued: boolean
  readonly others: readonly number[]
}

export interface CreateOptions {
  /**
   * The id of a new lead, the same in every retry of the request. A retry after a crash returns what the first run wrote, and completes it.
   */
  readonly reservation?: Reservation | undefined
  /** The member of staff who acts for the owner. */
  readonly staff?: number | undefined
  /** How the request was received. Default: by the API. */
  readonly means?: StopOrigin['means']
  /** Whether an earlier run may have written something for that id. Costs a read of the phone's leads. Default: no. */
  readonly isRepeat?: boolean
  /** Whether a new lead's first call is scheduled. Default: yes. */
  readonly isCalled?: boolean
  /**
   * Deadline for retries, by the machine's clock. A RaceLostError then means that nothing was written. Default: only the limit of 100
   * tries.
   */
  readonly giveUpAt?: number
  /** The uploaded file's row that the lead comes from. All retries of the row together make one lead. */
  readonly row?: Row
  /** Where the first try reads. Default: the table. The data may be stale: the next tries read the table. */
  readonly reads?: Reads
  /** Default: the table. */
  readonly writer?: LeadWriter
  /** How the call of the lead is sent, once the lead is written. */
  readonly send?: SendCall
}

/** How the stops of a lead's sender were received, and by whom. */
export const originOf = (owner: number, { row, staff = owner, means = 'api' }: CreateOptions): StopOrigin =>
  row ? { means: 'file', received_by: owner, upload_id: row.upload } : { means, received_by: staff }

/**
 * Like `createLead`, but sends no message for the call. It does not show stops that reached the phone in the meantime. Safe to repeat with
 * a row or a reservation.
 */
export const writeCreate = async (ownerId: number, input: CreateLead, options: CreateOptions = {}): Promise<WrittenLead> => {
  const { reservation, staff, isRepeat = false, isCalled = true, giveUpAt = Number.POSITIVE_INFINITY } = options
  const { row, reads, writer = TABLE_WRITER } = options
  const owner = await knownUser(ownerId)
  const [leadType, policy, pk] = await Promise.all([
    leadTypeFor(owner, input.lead_type),
    callingPolicy(owner),
    phonePk(owner.dnc_group, input.phone_number),
  ])
  const phoneNumber = input.phone_number
  await raiseSentStops(owner, { input, phoneNumber, origin: originOf(owner.id, options), row, reads, writer })
  await recordSentConsent({ id: ownerId, ...(staff !== undefined && { staff }) }, input, writer)
  return writeNewLead({
    ...{ input, owner: owner.id, ...leadType, policy, phonePk: pk },
    ...{ reservation, isRepeat, isCalled, giveUpAt, row, reads, writer },
  })
}

/**
 * Creates a lead of an owner, or reengages the earlier lead that it duplicates, or updates the open lead of its phone. Sends the call when
 * it is due. The lead is safe once written: the sweep sends a call whose message could not be sent. A consent that comes with the lead is
 * recorded before the lead, so that the gate finds it.
 * @throws ServiceError of validation
 */
export const createLead = async (ownerId: number, input: CreateLead, options: CreateOptions = {}): Promise<Created> => {
  const { lead: written, action, others = [] } = await writeCreate(ownerId, input, options)
  if (action === 'unchanged') throw new Error('A create request left the lead unchanged; only a row of a file may do that.')
  const { dnc_group } = await knownUser(ownerId)
  const lead = await catchUpWithStops(written, await phonePk(dnc_group, input.phone_number))
  return { lead, action, others, enqueued: await (options.send ?? sendOrLeave)(lead) }
}
