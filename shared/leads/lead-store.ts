import * as v from 'valibot'
import { partOf } from '../backlog/rules/holders.ts'
import {
  blockOf,
  changedAt,
  changeListKey,
  changeShard,
  dueAt,
  dueKey,
  formerKey,
  heldKey,
  type Key,
  leadKey,
  ownerBlock,
  type Placement,
  parseLeadPk,
} from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { compact } from '../platform/table/client.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, putItem, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { Lead, type RowMark } from './lead.ts'

const JsonText = v.pipe(v.string(), v.parseJson())

/**
 * A mark as text: `upload row outcome`, and the lane if there is one. It is short, because DynamoDB charges each write by the item's size.
 */
const RowMarkText = v.pipe(
  v.string(),
  v.transform((text) => {
    const [upload, row, outcome, lane] = text.split(' ')
    return { upload, row: Number(row), outcome, ...(lane !== undefined && { lane: Number(lane) }) }
  }),
)

/** Maps whose keys a client or an agent chooses are stored as JSON text. The index attributes are derived from the lead's other fields. */
const StoredLead = v.object({
  metadata: JsonText,
  collected_times: v.optional(JsonText, '{}'),
  collected_fields: v.optional(JsonText, '{}'),
  ingested: v.optional(v.array(RowMarkText), []),
})

export const leadFromItem = (item: unknown): Lead =>
  v.parse(Lead, { ...v.parse(v.record(v.string(), v.unknown()), item), ...v.parse(StoredLead, item) })

const Marked = v.object({ ingested: StoredLead.entries.ingested })

/** Rows of uploaded files that wrote the lead. Also reads an item that cannot be parsed as a lead. */
export const rowsTakenIn = (item: unknown): readonly { readonly upload: string; readonly row: number }[] => {
  const read = v.safeParse(Marked, item)
  return read.success ? read.output.ingested.flatMap(({ upload, row }) => (upload ? [{ upload, row }] : [])) : []
}

const listOf = ({ id, owner, due_list, held_by }: Lead & { readonly due_list: NonNullable<Lead['due_list']> }): string => {
  if (due_list === 'CALL') return dueKey(owner, id)
  return due_list === 'HELD' ? heldKey(partOf(held_by ?? '', owner)) : formerKey(due_list, owner)
}

/** The due index contains each lead that has a next call, in the lead's due list. */
export const leadPlacement = (lead: Lead): Placement | undefined => {
  const { owner, attempts, due_list, next_call_time } = lead
  if (due_list === null || next_call_time === null) return undefined
  return { due_key: listOf({ ...lead, due_list }), due_at: dueAt(next_call_time, attempts + 1, owner) }
}

/** The lead's entry in the change index. */
export const changeEntry = ({ id, owner, lead_type, status, modified_time }: Omit<Lead, 'version'>) => ({
  change_list: changeListKey({ owner, leadType: lead_type, status, shard: changeShard(id) }),
  changed_at: changedAt(modified_time, id),
})

const orAbsent = <T extends object>(map: T): T | null => (Object.keys(map).length > 0 ? map : null)

const markText = ({ upload, row, outcome, lane }: RowMark): string =>
  [upload, row, outcome, ...(lane === undefined ? [] : [lane])].join(' ')

const unsaid = (lead: Lead) => ({
  lead_source: lead.lead_source || null,
  sms_dnc: lead.sms_dnc || null,
  call_dnc: lead.call_dnc || null,
  reengagements_count: lead.reengagements_count || null,
  attempts: lead.attempts || null,
  round_attempts: lead.round_attempts || null,
  refusals: lead.refusals || null,
  field_times: orAbsent(lead.field_times),
  collected_times: orAbsent(lead.collected_times) && JSON.stringify(lead.collected_times),
  collected_fields: orAbsent(lead.collected_fields) && JSON.stringify(lead.collected_fields),
  ingested: lead.ingested.length > 0 ? lead.ingested.map(markText) : null,
})

export const leadItem = (lead: Lead): Key & Record<string, unknown> => ({
  ...leadKey(lead.id),
  ...compact({ ...lead, ...unsaid(lead) }),
  metadata: JSON.stringify(lead.metadata),
  owner_block: ownerBlock(lead.owner, blockOf(lead.position)),
  ...changeEntry(lead),
  ...leadPlacement(lead),
})

const StoredItem = v.record(v.string(), v.unknown())

/** Strongly consistent. A caller that acts for a user must check the owner. */
export const getLead = async (id: number): Promise<Lead | undefined> => {
  const item = await getItem(StoredItem, leadKey(id))
  return item && leadFromItem(item)
}

const UNCHANGED = 'version = :version'

/** A lead of this owner. Another owner's lead counts as missing. */
export const getOwnLead = async (owner: number, id: number): Promise<Lead | undefined> => {
  const lead = await getLead(id)
  return lead?.owner === owner ? lead : undefined
}

/** The leads with these ids, by id. A caller that acts for a user must check the owner. */
export const getLeads = async (ids: readonly number[], { consistent }: { readonly consistent: boolean }): Promise<Map<number, Lead>> => {
  const items = await batchGet(StoredItem, ids.map(leadKey), { consistent })
  return new Map(items.map(leadFromItem).map((lead) => [lead.id, lead]))
}

interface Readable<T> {
  /** By id. */
  readonly leads: Map<number, T>
  /** Ids of items that cannot be parsed. */
  readonly unreadable: readonly number[]
}

const readEach = <T>(items: readonly v.InferOutput<typeof StoredItem>[], read: (item: unknown) => T): Readable<T> => {
  const leads = new Map<number, T>()
  const unreadable: number[] = []
  for (const item of items) {
    const id = parseLeadPk(`${item['pk']}`)
    try {
      leads.set(id, read(item))
    } catch (error) {
      if (!v.isValiError(error)) throw error
      unreadable.push(id)
    }
  }
  return { leads, unreadable }
}

/** Like `getLeads`, plus the ids of items that cannot be parsed as leads. Strongly consistent. */
export const getReadableLeads = async (ids: readonly number[]): Promise<Readable<Lead>> =>
  readEach(await batchGet(StoredItem, ids.map(leadKey), { consistent: true }), leadFromItem)

const WhenDue = v.pick(Lead, ['due_list', 'attempts', 'next_call_time', 'lead_type', 'position'])

/** Like `getReadableLeads`, with little of each lead: hundreds of whole leads do not fit into the memory of a function. */
export const getWhenDue = async (ids: readonly number[]): Promise<Readable<v.InferOutput<typeof WhenDue>>> =>
  readEach(await batchGet(StoredItem, ids.map(leadKey), { consistent: true, only: ['pk', ...Object.keys(WhenDue.entries)] }), (item) =>
    v.parse(WhenDue, item),
  )

/** Removes a lead from the due index, even when its item cannot be parsed. The next valid write of the lead adds it again. */
export const unlistLead = async (id: number): Promise<void> => {
  await ifConditionHolds(
    updateItem(leadKey(id), { UpdateExpression: 'REMOVE due_key, due_at', ConditionExpression: 'attribute_exists(pk)' }),
  )
}

/** Transaction write that inserts a lead. */
export const insertLead = (lead: Lead): Write => ({ put: leadItem(lead), condition: 'attribute_not_exists(pk)' })

/** Transaction write that replaces the version that was read. `next.version` is that version plus one. */
export const replaceLead = (next: Lead): Write => ({
  put: leadItem(next),
  condition: UNCHANGED,
  values: { ':version': next.version - 1 },
})

/** @returns false when the lead has changed since it was read. */
export const saveLead = (next: Lead): Promise<boolean> =>
  ifConditionHolds(putItem(leadItem(next), { ConditionExpression: UNCHANGED, ExpressionAttributeValues: { ':version': next.version - 1 } }))

const MAX_TRIES = 20

/**
 * Reads the lead, applies `change`, and writes. Starts again when another write came first. `change` returns undefined when there is
 * nothing to write.
 * @returns the current lead; undefined when there is none
 */
export const changeLead = async (id: number, change: (lead: Lead) => Omit<Lead, 'version'> | undefined): Promise<Lead | undefined> => {
  const { now } = await retryRaces({ tries: MAX_TRIES, lost: `Lead ${id} changed while it was being written,` }, async () => {
    const lead = await getLead(id)
    const changed = lead && change(lead)
    if (!lead || !changed) return { now: lead }
    const next = { ...changed, version: lead.version + 1 }
    return (await saveLead(next)) ? { now: next } : undefined
  })
  return now
}
