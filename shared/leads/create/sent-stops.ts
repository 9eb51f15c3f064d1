import type { User } from '../../accounts/configuration.ts'
import type { Channel } from '../../stops/compliance.ts'
import { phonePk } from '../../stops/phone-store.ts'
import { finishStops, stopContacting } from '../../stops/stop.ts'
import type { StopOrigin } from '../../stops/stop-record.ts'
import type { UpsertLead } from '../api/lead-request.ts'
import type { LeadWriter } from '../lead-writer.ts'
import { type Reads, TABLE_READS } from '../reads.ts'
import type { Row } from '../rules/row-marks.ts'

/** Channels on which the sender asks for a stop. */
export const ownStops = (input: Pick<UpsertLead, 'call_dnc' | 'sms_dnc'>): Channel[] => [
  ...(input.call_dnc ? ['call' as const] : []),
  ...(input.sms_dnc ? ['sms' as const] : []),
]

/** Whether all leads of the phone already show these stops. A file that is sent again must write nothing. */
const areStopped = async (owner: number, phoneNumber: string, channels: readonly Channel[], reads: Reads): Promise<boolean> => {
  const { leads } = await reads.person(owner, phoneNumber)
  const found = leads.length > 0 ? [...(await reads.leads(leads.map(({ id }) => id))).values()] : []
  return found.every((lead) => channels.every((channel) => lead[`${channel}_dnc`]))
}

/** Stops as they were sent with a lead. */
interface SentStops {
  readonly input: Pick<UpsertLead, 'call_dnc' | 'sms_dnc'>
  readonly phoneNumber: string
  readonly origin: StopOrigin
  readonly row: Row | undefined
  /** Default: the table. */
  readonly reads?: Reads | undefined
  readonly writer: LeadWriter
}

/**
 * Raises the stops that come with a lead. They belong to its phone, so they hold even if the lead is refused. Safe to repeat, and a repeat
 * of a file's row writes nothing.
 */
export const raiseSentStops = async (
  { id: owner, dnc_group }: User,
  { input, phoneNumber, origin, row, reads = TABLE_READS, writer }: SentStops,
): Promise<void> => {
  const channels = ownStops(input)
  if (channels.length === 0) return
  const pk = await phonePk(dnc_group, phoneNumber)
  await writer.stop(phoneNumber, pk, channels, async () => {
    const isRaised = row && (await areStopped(owner, phoneNumber, channels, reads))
    await (isRaised ? finishStops : stopContacting)(owner, phoneNumber, pk, channels, origin)
  })
}
