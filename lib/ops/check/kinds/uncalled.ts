import { readUser } from '#shared/accounts/user-store.ts'
import { isMarked } from '#shared/backlog/marks.ts'
import { plannedAgain } from '#shared/backlog/plan-again.ts'
import { isSetting, leadHolder, listsOf, waitsFor } from '#shared/backlog/rules/holders.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { type DamageKind, idIn } from '../kind.ts'

/** Leads that may be called, but will never be called. */

/** Whether a lead may be called, but has no next call, no call in progress and no reason for that. */
export const isWithoutCall = ({ status, call_dnc, lead_type, next_call_time, current_call }: Lead): boolean =>
  isCallable(status) && !call_dnc && lead_type !== null && next_call_time === null && current_call === null

/** A lead whose phone is stopped is rightly not called. When the lead does not show the stop, that is damage of another kind. */
const isStopped = async ({ owner, phone_number }: Lead): Promise<boolean> => {
  const user = await readUser(owner)
  return user === undefined || (await getPhone(await phonePk(user.dnc_group, phone_number))).call_dnc
}

const withoutCall: DamageKind = {
  kind: 'lead-without-call',
  at: 'LEAD',
  about: 'A lead may be called but has no next call, no call in progress and no recorded reason. The lead is not called any more.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || !isWithoutCall(lead) || (await isStopped(lead))) return undefined
    const planned = await plannedAgain(lead)
    // The next call would be later than `LATEST`, the latest instant that can be shown. So none can be planned.
    if (planned.due_list === null) return undefined
    return {
      message: `Lead ${lead.id} may be called but has no next call and no recorded reason. The lead is not called any more.`,
      remedy: 'planning its next call',
      repair: async () => saveLead(await plannedAgain(lead)),
    }
  },
}

/** Whether the sweep looks at a held lead: at all leads of its holder, or at this one. */
const isSwept = async ({ id, owner }: Lead, setting: string): Promise<boolean> => {
  for (const name of [...listsOf(setting, [owner]), leadHolder(id)]) if (await isMarked(name)) return true
  return false
}

const heldInVain: DamageKind = {
  kind: 'lead-held-in-vain',
  at: 'LEAD',
  about: 'A lead is held because of a setting that no longer applies, and no sweep checks the lead. It is not called any more.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    const setting = lead?.due_list === 'HELD' && isSetting(lead.held_by ?? '') ? lead.held_by : null
    if (!lead || setting === null || (await isSwept(lead, setting))) return undefined
    if ((await plannedAgain(lead)).held_by === setting) return undefined
    return {
      message: `Lead ${lead.id} is held until ${waitsFor(setting)}, although nothing prevents its call. It is not called any more.`,
      remedy: 'planning its next call',
      repair: async () => saveLead(await plannedAgain(lead)),
    }
  },
}

export const uncalled: readonly DamageKind[] = [withoutCall, heldInVain]
