import { logger } from '../adapters/logger.ts'
import type { Lead } from '../schema/lead.ts'
import type { UpdateLead } from '../schema/requests/update-lead.ts'
import { getLeads } from '../storage/leads.ts'
import { getPerson } from '../storage/persons.ts'
import { CHANNELS, type Channel, getPhone } from '../storage/phones.ts'
import { showsStop, stopContacting } from './stop.ts'

/** A lead, and the phone that it has after an update. */
interface Target {
  readonly id: number
  readonly owner: number
  readonly phoneNumber: string
  readonly pk: string
  /** Acceptance sequence of the stop of each channel. */
  readonly accepted: Readonly<Record<Channel, string>>
}

/** Whether phone and other leads show the stop already: it may have been cut short before it reached all of them. */
const isRaised = async ({ id, owner, phoneNumber, pk, accepted }: Target, channel: Channel): Promise<boolean> => {
  const phone = await getPhone(pk)
  if (!phone[`${channel}_dnc`]) return false
  const person = await getPerson(owner, phoneNumber)
  const others = await getLeads(
    person.leads.flatMap((lead) => (lead.id === id ? [] : lead.id)),
    { consistent: true },
  )
  return [...others.values()].every((lead) => showsStop(lead, phoneNumber, channel, accepted[channel]))
}

/**
 * Raises the stops of an update that it has not yet raised: on the phone, then on its leads.
 * @param raised those that it has raised; what is raised now is added
 * @returns whether anything was written, and leads are to be read again
 */
export const raiseStops = async (patch: UpdateLead, target: Target, raised: Set<string>): Promise<boolean> => {
  const wanted = CHANNELS.filter((channel) => patch[`${channel}_dnc`] === true && !raised.has(`${channel} ${target.pk}`))
  const missing: Channel[] = []
  for (const channel of wanted) if (!(await isRaised(target, channel))) missing.push(channel)
  for (const channel of missing) {
    await stopContacting(target.owner, target.phoneNumber, target.pk, channel, target.accepted[channel])
    raised.add(`${channel} ${target.pk}`)
  }
  return missing.length > 0
}

/** Who lets a person be contacted again answers for it. */
export const auditLifted = (before: Lead, after: Lead): void => {
  for (const channel of CHANNELS) {
    if (!before[`${channel}_dnc`] || after[`${channel}_dnc`]) continue
    const by = before.phone_number === after.phone_number ? 'flag' : 'other phone'
    logger.info('A lead is no longer under "do not contact".', { lead: after.id, user: after.owner, channel, by })
  }
}
