import type { Lead } from '#shared/leads/lead.ts'
import { getLead, leadItem, unlistLead } from '#shared/leads/lead-store.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { created } from './lead-requests.ts'
import { NOON } from './samples.ts'
import { KEY } from './world.ts'

let nextId = 5_000_000
const made: number[] = []

interface Options {
  readonly key?: string
  /** The list that has the leads, if it is not the present one. */
  readonly due_key?: string
}

const putLeads = async (count: number, fields: Partial<Lead>, { key = KEY, due_key }: Options): Promise<number[]> => {
  const { id: sample } = await created({ us_state: 'NY' }, key)
  await unlistLead(sample)
  const lead = (await getLead(sample))!
  const ids = Array.from({ length: count }, () => nextId++)
  await batchPut(ids.map((id) => ({ ...leadItem({ ...lead, ...fields, id, position: id }), ...(due_key !== undefined && { due_key }) })))
  made.push(...ids)
  return ids
}

/** Held leads of one owner, all with the same phone, as if made one by one, which would take its time. */
export const heldLeads = (count: number, fields: Partial<Lead>, options: Options = {}): Promise<number[]> =>
  putLeads(count, { next_call_time: NOON, due_list: 'HELD', ...fields }, options)

/** Entries in front of a list, of leads that are no longer held. A run passes them quickly. */
export const fillList = async (count: number, due_key: string): Promise<void> => {
  await putLeads(count, { next_call_time: NOON - 10 * MINUTE }, { due_key })
}

/** Takes all these leads off their lists, so that they do not reach the next test. */
export const unlistHeld = async (): Promise<void> => {
  await inLanes(25, made.splice(0), unlistLead)
}
