import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import * as keys from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import type { Ground } from './damage.ts'

/** Damage that keeps a lead from being called, by its kind. */
export const UNCALLED: Readonly<Record<string, (ground: Ground) => Promise<string | number>>> = {
  'lead-behind-calls': async ({ endedCall }) => {
    const id = await endedCall()
    const lead = (await getLead(keys.parseCallId(id)!.lead))!
    await saveLead({ ...lead, attempts: 0, round_attempts: 0, last_chat: null, version: lead.version + 1 })
    return lead.id
  },
  'lead-on-no-list': async ({ lead }) => {
    const { id } = await lead()
    await updateItem(keys.leadKey(id), { UpdateExpression: 'REMOVE due_list, due_key, due_at' })
    return id
  },
  'lead-without-call': async ({ lead }) => {
    const { id } = await lead()
    await updateItem(keys.leadKey(id), { UpdateExpression: 'REMOVE due_list, due_key, due_at, next_call_time, next_call_time_reason' })
    return id
  },
  'lead-held-in-vain': async ({ lead }) => {
    const made = await lead()
    await saveLead({ ...made, due_list: 'HELD', held_by: 'account 1', version: made.version + 1 })
    return made.id
  },
}
