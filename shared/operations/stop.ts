import { now } from '../adapters/clock.ts'
import { NO_NEXT_CALL } from '../domain/calling/next-call.ts'
import type { Lead } from '../schema/lead.ts'
import { changeLead } from '../storage/leads.ts'
import { getPerson } from '../storage/persons.ts'
import { type Channel, raiseDnc } from '../storage/phones.ts'

/** A lead under "do not contact": calls end with that of the phone, texts do not touch them. */
const stopped = (lead: Lead, channel: Channel): Lead => ({
  ...lead,
  cause: 'stop',
  modified_time: now(),
  ...(channel === 'call' ? { call_dnc: true, ...NO_NEXT_CALL } : { sms_dnc: true }),
})

/**
 * Raises "do not contact" for a phone, then shows it on every lead with that phone. Once the first write is done no dial
 * intent to the phone can be committed. Safe to repeat.
 */
export const stopContacting = async (owner: number, phoneNumber: string, phonePk: string, channel: Channel): Promise<void> => {
  await raiseDnc(phonePk, channel)
  const person = await getPerson(owner, phoneNumber)
  await Promise.all(
    person.leads.map(({ id }) =>
      changeLead(id, (lead) => (lead[`${channel}_dnc`] || lead.phone_number !== phoneNumber ? undefined : stopped(lead, channel))),
    ),
  )
}
