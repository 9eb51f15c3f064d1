import { knownUser } from '../accounts/user-store.ts'
import { logger } from '../platform/logger.ts'
import type { Warning } from '../platform/values/warning.ts'
import { CHANNELS, type Channel } from '../stops/compliance.ts'
import { getPhone, phonePk } from '../stops/phone-store.ts'
import { leadsOfPhone, showsStop, stopContacting, stopContactingLater } from '../stops/stop.ts'
import type { StopOrigin } from '../stops/stop-record.ts'
import type { UpdateLead } from './api/lead-request.ts'
import type { Lead } from './lead.ts'
import { getLeads } from './lead-store.ts'

/** A lead, and the phone that it has after an update. */
interface Target {
  readonly id: number
  readonly owner: number
  readonly phoneNumber: string
  readonly pk: string
  /** Acceptance sequence of the stop of each channel. */
  readonly accepted: Readonly<Record<Channel, string>>
  readonly origin: StopOrigin
  /** Whether the stops are raised as they are accepted. */
  readonly atOnce: boolean
}

/** Whether the phone and its other leads already show the stop. A crash may have interrupted the stop before it reached every lead. */
const isRaised = async ({ id, owner, phoneNumber, pk, accepted }: Target, channel: Channel): Promise<boolean> => {
  const phone = await getPhone(pk)
  if (!phone[`${channel}_dnc`] || (phone[`${channel}_stopped`] ?? '') < accepted[channel]) return false
  const ids = await leadsOfPhone(owner, phoneNumber, pk)
  const others = await getLeads(
    ids.filter((other) => other !== id),
    { consistent: true },
  )
  return [...others.values()].every((lead) => showsStop(lead, phoneNumber, channel, accepted[channel]))
}

/**
 * Raises the stops that an update has not raised yet: on the phone, then on its leads.
 * @param raised stops that the update has raised; new ones are added
 * @returns whether anything was written, so that leads must be read again
 */
export const raiseStops = async (patch: UpdateLead, target: Target, raised: Set<string>): Promise<boolean> => {
  const { owner, phoneNumber, pk, origin, accepted } = target
  const wanted = CHANNELS.filter((channel) => patch[`${channel}_dnc`] === true && !raised.has(`${channel} ${pk}`))
  const missing: Channel[] = []
  for (const channel of wanted) if (!(await isRaised(target, channel))) missing.push(channel)
  for (const channel of missing) {
    if (target.atOnce) await stopContacting(owner, phoneNumber, pk, [channel], origin, { accepted: accepted[channel] })
    else await stopContactingLater(owner, phoneNumber, pk, channel, origin, accepted[channel])
    raised.add(`${channel} ${pk}`)
  }
  return missing.length > 0
}

/** Writes an audit record, because lifting a stop lets a person be contacted again. */
export const auditLifted = (before: Lead, after: Lead, fromPhone: readonly Channel[], staff: number | undefined): void => {
  for (const channel of CHANNELS) {
    const fromLead = before[`${channel}_dnc`] && !after[`${channel}_dnc`]
    if (!fromLead && !fromPhone.includes(channel)) continue
    const by = before.phone_number === after.phone_number ? 'flag' : 'other phone'
    logger.info('A lead may be contacted again.', {
      ...{ lead: after.id, user: after.owner, channel, by },
      ...(staff !== undefined && { staff }),
    })
  }
}

const LISTED: Pick<Warning, 'code' | 'detail'> = {
  code: 'dnc_listed',
  detail: "The flag stays true: the phone number is on your group's do-not-contact list. Ask the operator to lift it.",
}
const RAISED: Pick<Warning, 'code' | 'detail'> = { code: 'dnc_raised_again', detail: 'The flag stays true: it was raised again meanwhile.' }

/** Channels whose flag the update sets to false, but the lead shows. */
export const loweredFlags = (lead: Lead, patch: UpdateLead): Channel[] =>
  CHANNELS.filter((channel) => patch[`${channel}_dnc`] === false && lead[`${channel}_dnc`])

/** A warning for each flag that the update set to false and that is still raised. */
export const flagsThatStand = async (lead: Lead, patch: UpdateLead): Promise<Warning[]> => {
  const channels = loweredFlags(lead, patch)
  if (channels.length === 0) return []
  const phone = await getPhone(await phonePk((await knownUser(lead.owner)).dnc_group, lead.phone_number))
  return channels.map((channel) => ({ ...(phone[`${channel}_listed`] ? LISTED : RAISED), field: `${channel}_dnc` }))
}
