import type { Call } from '#shared/calling/call.ts'
import { getCalls } from '#shared/calling/call-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLeads } from '#shared/leads/lead-store.ts'

/** A lead and its latest completed call. */
export interface Chat {
  readonly lead: Lead
  readonly call: Call
}

const MOST_ID = 2 ** 31 - 1

/** The given leads that belong to this owner and have a completed call, in the given order. */
export const recentChats = async (owner: number, ids: readonly number[]): Promise<Chat[]> => {
  const possible = ids.filter((id) => id >= 1 && id <= MOST_ID)
  const leads = await getLeads(possible, { consistent: true })
  const own = possible.flatMap((id) => leads.get(id) ?? []).filter((lead) => lead.owner === owner)
  const calls = await getCalls(own.flatMap(({ last_chat }) => last_chat ?? []))
  return own.flatMap((lead) => {
    const call = calls.get(lead.last_chat ?? '')
    return call && call.completed_time !== null ? [{ lead, call }] : []
  })
}
