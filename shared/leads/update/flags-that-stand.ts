import { knownUser } from '../../accounts/user-store.ts'
import { CHANNELS, type Channel } from '../../stops/compliance.ts'
import { getPhone, phonePk } from '../../stops/phone-store.ts'
import type { UpdateLead } from '../api/update-lead.ts'
import type { Lead } from '../lead.ts'

const LISTED = "the phone number is on your group's do-not-contact list, which no update of a lead lifts. Ask the operator to lift it."
const RAISED = 'it was raised again meanwhile.'

/** One sentence per flag that the update set to false and that is still raised. */
export const flagsThatStand = async (lead: Lead, patch: UpdateLead): Promise<string[]> => {
  const standing = CHANNELS.filter((channel: Channel) => patch[`${channel}_dnc`] === false && lead[`${channel}_dnc`])
  if (standing.length === 0) return []
  const phone = await getPhone(await phonePk((await knownUser(lead.owner)).dnc_group, lead.phone_number))
  return standing.map((channel) => `${channel}_dnc stays true: ${phone[`${channel}_listed`] ? LISTED : RAISED}`)
}
