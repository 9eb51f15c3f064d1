import { now } from '../adapters/clock.ts'
import { nextSequence } from '../adapters/sequence.ts'
import { NO_NEXT_CALL } from '../domain/calling/next-call.ts'
import { isSettled, withTimes } from '../domain/leads/field-times.ts'
import type { Lead } from '../schema/lead.ts'
import { changeLead, getLead } from '../storage/leads.ts'
import { getPerson } from '../storage/persons.ts'
import { CHANNELS, type Channel, getPhone, raiseDnc } from '../storage/phones.ts'

/**
 * A lead under "do not contact": calls end with that of the phone, texts do not touch them. One that shows it already notes
 * it nevertheless: an older update that is made later must not lift it.
 */
const stopped = (lead: Lead, channel: Channel, accepted: string): Lead => ({
  ...lead,
  cause: 'stop',
  modified_time: lead[`${channel}_dnc`] ? lead.modified_time : now(),
  field_times: withTimes(lead.field_times, [`${channel}_dnc`], [], accepted),
  ...(channel === 'call' ? { call_dnc: true, ...NO_NEXT_CALL } : { sms_dnc: true }),
})

/** Whether the lead has nothing to learn of a stop of the phone: another phone is its, or it is stopped since then. */
export const showsStop = (lead: Lead, phoneNumber: string, channel: Channel, accepted: string): boolean =>
  lead.phone_number !== phoneNumber || (lead[`${channel}_dnc`] && isSettled(lead, `${channel}_dnc`, accepted))

/**
 * Raises "do not contact" for a phone, then shows it on every lead with that phone. Once the first write is done no dial
 * intent to the phone can be committed. Safe to repeat.
 * @param accepted sequence of the stop's acceptance: on the leads it holds against every update that was accepted before
 */
export const stopContacting = async (
  owner: number,
  phoneNumber: string,
  phonePk: string,
  channel: Channel,
  accepted = nextSequence(),
): Promise<void> => {
  await raiseDnc(phonePk, channel)
  const person = await getPerson(owner, phoneNumber)
  await Promise.all(
    person.leads.map(({ id }) =>
      changeLead(id, (lead) => (showsStop(lead, phoneNumber, channel, accepted) ? undefined : stopped(lead, channel, accepted))),
    ),
  )
}

/**
 * A stop that reached a lead's phone after whoever writes the lead had looked, and before the lead could be found there, is shown
 * now.
 * @returns the lead as it is then
 */
export const catchUpWithStops = async (lead: Lead, pk: string): Promise<Lead> => {
  const phone = await getPhone(pk)
  const missed = CHANNELS.filter((channel) => phone[`${channel}_dnc`] && !lead[`${channel}_dnc`])
  for (const channel of missed) await stopContacting(lead.owner, lead.phone_number, pk, channel)
  return missed.length > 0 ? ((await getLead(lead.id)) ?? lead) : lead
}
