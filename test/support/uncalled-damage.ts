import type { Lead } from '#shared/leads/lead.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import * as keys from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'

/** Creates what the damage needs. Each result is new and shared with no other damage. */
export interface Ground {
  /** A lead that is due. It belongs to the second user if `isOther` is set. */
  readonly lead: (fields?: Record<string, unknown>, isOther?: boolean) => Promise<Lead>
  /** Id of a call in progress. */
  readonly call: () => Promise<string>
  /** Id of an ended call whose lead will be called again. */
  readonly endedCall: () => Promise<string>
}

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
