import { requestCancels } from '../backlog/dispatch.ts'
import { NO_NEXT_CALL } from '../calling/rules/next-call.ts'
import type { Lead } from '../leads/lead.ts'
import { changeLead, getLeads } from '../leads/lead-store.ts'
import { personsOf } from '../leads/person-store.ts'
import { isSetSince, later, withTimes } from '../leads/rules/field-times.ts'
import { now } from '../platform/clock.ts'
import { parsePhoneGroup } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { nextSequence } from '../platform/sequence.ts'
import type { Instant } from '../platform/values/values.ts'
import { CHANNELS, type Channel, type Phone } from './compliance.ts'
import { membersOf } from './dnc-group-store.ts'
import { raiseDnc, raiseOlderDnc } from './flag-store.ts'
import { getPhone } from './phone-store.ts'
import type { StopOrigin } from './stop-record.ts'

/**
 * A lead under "do not contact". A stop of calls also removes the next call; a stop of texts does not. A lead that already shows the stop
 * still notes its time: an older update applied later must not lift it.
 */
const stopped = (lead: Lead, channel: Channel, accepted: string): Lead => ({
  ...lead,
  cause: 'stop',
  modified_time: lead[`${channel}_dnc`] ? lead.modified_time : now(),
  field_times: withTimes(lead.field_times, [`${channel}_dnc`], [], accepted),
  ...(channel === 'call' ? { call_dnc: true, ...NO_NEXT_CALL } : { sms_dnc: true }),
})

/** Whether the lead already shows a stop of its phone, a later stop, or a later lift. */
const showsThisStop = (lead: Lead, channel: Channel, accepted: string): boolean =>
  lead[`${channel}_dnc`] ? isSetSince(lead, `${channel}_dnc`, accepted) : (lead.field_times[`${channel}_dnc`] ?? '') > accepted

/** As `showsThisStop`; also true when the lead has another phone. */
export const showsStop = (lead: Lead, phoneNumber: string, channel: Channel, accepted: string): boolean =>
  lead.phone_number !== phoneNumber || showsThisStop(lead, channel, accepted)

/** The leads with a phone number, of all users who share the list of the phone's group. */
export const leadsOfPhone = async (owner: number, phoneNumber: string, phonePk: string): Promise<number[]> => {
  const users = new Set([owner, ...(await membersOf(parsePhoneGroup(phonePk)))])
  const persons = await personsOf([...users], phoneNumber)
  return persons.flatMap(({ leads }) => leads.map(({ id }) => id))
}

/** Leads of one phone that are written at the same time. */
const LANES = 10

/** Stops as they were raised on a phone. */
interface Raised {
  readonly channels: readonly Channel[]
  readonly accepted: string
  /** The phone before the stops were raised. */
  readonly before: Phone
}

/**
 * Shows stops on every lead with the phone, all stops of a lead in one write. A stop that something accepted later has lifted stays
 * lifted.
 */
export const showStop = async (owner: number, phoneNumber: string, phonePk: string, raised: Raised): Promise<void> => {
  const { channels, before } = raised
  const since = (channel: Channel): string => later(raised.accepted, before[`${channel}_lifted`] ?? '')
  if (channels.includes('call')) await requestCancels(owner, before)
  await inLanes(LANES, await leadsOfPhone(owner, phoneNumber, phonePk), async (id) => {
    await changeLead(id, (lead) => {
      const unshown = channels.filter((channel) => !showsStop(lead, phoneNumber, channel, since(channel)))
      return unshown.length === 0 ? undefined : unshown.reduce((next, channel) => stopped(next, channel, since(channel)), lead)
    })
  })
}

/**
 * Raises "do not contact" for a phone, then shows it on every lead with that phone. Once the first write is done, no dial intent to the
 * phone can be committed. Safe to repeat.
 * @param accepted sequence of the stop's acceptance: on the leads, the stop prevails over every update accepted before
 * @param revoked when the person revoked the consent to calls, if the stop does that
 */
export const stopContacting = async (
  owner: number,
  phoneNumber: string,
  phonePk: string,
  channels: readonly Channel[],
  origin: StopOrigin,
  { accepted = nextSequence(), revoked }: { readonly accepted?: string; readonly revoked?: Instant } = {},
): Promise<void> => {
  if (channels.length === 0) return
  const before = await raiseDnc(phonePk, channels, { accepted, owner, origin, revoked })
  await showStop(owner, phoneNumber, phonePk, { channels, accepted, before })
}

/** As `stopContacting`, for a stop that is applied later than it was accepted: a lift accepted since stays. */
export const stopContactingLater = async (
  owner: number,
  phoneNumber: string,
  phonePk: string,
  channel: Channel,
  origin: StopOrigin,
  accepted: string,
): Promise<void> => {
  const before = (await raiseOlderDnc(phonePk, channel, { accepted, owner, origin })) ?? (await getPhone(phonePk))
  const isLifted = (before[`${channel}_lifted`] ?? '') > accepted
  if (!isLifted) await showStop(owner, phoneNumber, phonePk, { channels: [channel], accepted, before })
}

/** When a flag that is up was raised. A recorded lift came before, even if another clock gave it a later sequence. */
export const raisedAt = (phone: Phone, channel: Channel): string =>
  later(phone[`${channel}_stopped`] ?? '', phone[`${channel}_lifted`] ?? '')

/**
 * Shows a lead the stops of its phone that it missed. Such a stop came after the lead's writer had read the phone. It also came before
 * the lead could be found by its phone.
 * @param accepted sequence of the write that gave the lead its phone. A lift on the lead before that write does not hide the stop
 * @returns the lead as it is afterwards
 */
export const catchUpWithStops = async (lead: Lead, pk: string, accepted = ''): Promise<Lead> => {
  const phone = await getPhone(pk)
  const missed = CHANNELS.filter((channel) => phone[`${channel}_dnc`] && !lead[`${channel}_dnc`])
  if (missed.length === 0) return lead
  const updated = await changeLead(lead.id, (current) => {
    const unshown = missed.filter((channel) => {
      const since = later(raisedAt(phone, channel), accepted)
      return current.phone_number === lead.phone_number && !showsThisStop(current, channel, since)
    })
    if (unshown.length === 0) return undefined
    return unshown.reduce((next, channel) => stopped(next, channel, raisedAt(phone, channel)), current)
  })
  return updated ?? lead
}

/** Whether a lead shows a stop of its phone, or the stop was lifted from the lead later. */
const showsStopOrLift = (lead: Lead, phoneNumber: string, channel: Channel, since: string): boolean =>
  lead.phone_number !== phoneNumber || lead[`${channel}_dnc`] || (lead.field_times[`${channel}_dnc`] ?? '') > since

/**
 * Makes sure that a phone and its leads show stops. Writes nothing when all of them do. An earlier request may have been cut short before
 * the stops reached every lead.
 */
export const finishStops = async (
  owner: number,
  phoneNumber: string,
  pk: string,
  channels: readonly Channel[],
  origin: StopOrigin,
): Promise<void> => {
  const phone = await getPhone(pk)
  const leads = await getLeads(await leadsOfPhone(owner, phoneNumber, pk), { consistent: true })
  for (const channel of channels) {
    const accepted = raisedAt(phone, channel)
    if (!phone[`${channel}_dnc`]) await stopContacting(owner, phoneNumber, pk, [channel], origin)
    else if (![...leads.values()].every((lead) => showsStopOrLift(lead, phoneNumber, channel, accepted))) {
      await showStop(owner, phoneNumber, pk, { channels: [channel], accepted, before: phone })
    }
  }
}
