import { leadTypeFor } from '../accounts/lead-type.ts'
import { knownUser } from '../accounts/user-store.ts'
import { sendOrLeave } from '../backlog/dispatch.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import type { Reservation } from '../platform/ids/reservations.ts'
import type { Channel } from '../stops/compliance.ts'
import { phonePk } from '../stops/phone-store.ts'
import { catchUpWithStops, finishStops, stopContacting } from '../stops/stop.ts'
import type { CreateLead } from './api/create-lead.ts'
import { type WrittenLead, writeNewLead } from './create/write-new-lead.ts'
import { type Reads, TABLE_READS } from './reads.ts'
import type { Row } from './rules/row-marks.ts'

/** `enqueued`: whether a call that is due now or soon is on its way. If not, it is left to the sweep. */
export interface Created extends WrittenLead {
  readonly action: 'created' | 'reengaged'
  readonly enqueued: boolean
}

export interface CreateOptions {
  /**
   * The id of a new lead, the same whenever the request is repeated after a crash: the repeat then answers with what the first run wrote
   * and does what that left undone.
   */
  readonly reservation?: Reservation | undefined
  /** Whether an earlier run may have written something for that id: costs a look at the phone's leads. Default: no. */
  readonly isRepeat?: boolean
  /** Whether a new lead's first call is scheduled. Default: yes. */
  readonly isCalled?: boolean
  /** By the machine's clock, when to stop trying: a RaceLostError then says that nothing was written. Default: after a hundred tries. */
  readonly giveUpAt?: number
  /** The row of a file that it comes from: however often that is repeated, it makes one lead. */
  readonly row?: Row
  /** Where to look in the first place. Default: the table. What it finds may be old: if it no longer holds, the table is asked. */
  readonly reads?: Reads
}

/** Channels on which the sender says that the person is not to be contacted. */
export const ownStops = (input: Pick<CreateLead, 'call_dnc' | 'sms_dnc'>): Channel[] => [
  ...(input.call_dnc ? ['call' as const] : []),
  ...(input.sms_dnc ? ['sms' as const] : []),
]

/** Whether all leads of the phone show what the create stops: a file that is sent again is to write nothing. */
const areStopped = async (owner: number, input: CreateLead, reads: Reads = TABLE_READS): Promise<boolean> => {
  const channels = ownStops(input)
  if (channels.length === 0) return true
  const { leads } = await reads.person(owner, input.phone_number)
  const found = leads.length > 0 ? [...(await reads.leads(leads.map(({ id }) => id))).values()] : []
  return found.every((lead) => channels.every((channel) => lead[`${channel}_dnc`]))
}

/**
 * As `createLead`; the call of the lead is not sent yet, nor is it shown what stopped its phone meanwhile. Safe to repeat with a row or a
 * reservation.
 */
export const writeCreate = async (ownerId: number, input: CreateLead, options: CreateOptions = {}): Promise<WrittenLead> => {
  const { reservation, isRepeat = false, isCalled = true, giveUpAt = Number.POSITIVE_INFINITY, row, reads } = options
  const owner = await knownUser(ownerId)
  const [leadType, policy, pk] = await Promise.all([
    leadTypeFor(owner, input.lead_type),
    callingPolicy(owner),
    phonePk(owner.dnc_group, input.phone_number),
  ])
  // A stop that comes with a lead is the phone's, whatever becomes of the lead.
  if (row && (await areStopped(owner.id, input, reads))) await finishStops(owner.id, input.phone_number, pk, ownStops(input))
  else for (const channel of ownStops(input)) await stopContacting(owner.id, input.phone_number, pk, channel)
  return writeNewLead({
    ...{ input, owner: owner.id, ...leadType, policy, phonePk: pk },
    ...{ reservation, isRepeat, isCalled, giveUpAt, row, reads },
  })
}

/**
 * Creates a lead of an owner, or reengages the earlier one that it is a duplicate of, and sends its call when that is due.
 * The lead is safe once it is written: a message that cannot be sent is left to the sweep.
 * @throws ServiceError of validation
 */
export const createLead = async (ownerId: number, input: CreateLead, options: CreateOptions = {}): Promise<Created> => {
  const { lead: written, action } = await writeCreate(ownerId, input, options)
  if (action === 'unchanged') throw new Error('A create that is no row of a file came to nothing.')
  const { dnc_group } = await knownUser(ownerId)
  const lead = await catchUpWithStops(written, await phonePk(dnc_group, input.phone_number))
  return { lead, action, enqueued: await sendOrLeave(lead) }
}
