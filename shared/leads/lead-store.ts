import * as v from 'valibot'
import { blockOf, dueAt, dueKey, heldKey, type Key, leadKey, ownerBlock, parseLeadPk } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { compact } from '../platform/table/client.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, putItem, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { Lead } from './lead.ts'

const JsonText = v.pipe(v.string(), v.parseJson())

/** `upload row outcome`: every byte of an item is paid for with each write of it. */
const RowMarkText = v.pipe(
  v.string(),
  v.transform((text) => {
    const [upload, row, outcome] = text.split(' ')
    return { upload, row: Number(row), outcome }
  }),
)

/**
 * In the table what has keys of a client's or an agent's choice is JSON text, and a lead's places in the indexes are attributes that
 * follow from the rest.
 */
const StoredLead = v.object({
  metadata: JsonText,
  collected_times: v.optional(JsonText, '{}'),
  collected_fields: v.optional(JsonText, '{}'),
  ingested: v.optional(v.array(RowMarkText), []),
})

export const leadFromItem = (item: unknown): Lead =>
  v.parse(Lead, { ...v.parse(v.record(v.string(), v.unknown()), item), ...v.parse(StoredLead, item) })

const Marked = v.object({ ingested: StoredLead.entries.ingested })

/** Rows of uploaded files that wrote the lead; also of an item that cannot be read as a lead. */
export const rowsTakenIn = (item: unknown): readonly { readonly upload: string; readonly row: number }[] => {
  const read = v.safeParse(Marked, item)
  return read.success ? read.output.ingested.flatMap(({ upload, row }) => (upload ? [{ upload, row }] : [])) : []
}

const due = (lead: Lead) =>
  lead.due_list !== null &&
  lead.next_call_time !== null && {
    due_key: lead.due_list === 'HELD' ? heldKey(lead.held_by ?? '') : dueKey(lead.due_list, lead.owner, lead.id),
    due_at: dueAt(lead.next_call_time, lead.attempts + 1, lead.owner),
  }

const orAbsent = <T extends object>(map: T): T | null => (Object.keys(map).length > 0 ? map : null)

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
  ingested: lead.ingested.length > 0 ? lead.ingested.map(({ upload, row, outcome }) => `${upload} ${row} ${outcome}`) : null,
})

export const leadItem = (lead: Lead): Key & Record<string, unknown> => ({
  ...leadKey(lead.id),
  ...compact({ ...lead, ...unsaid(lead) }),
  metadata: JSON.stringify(lead.metadata),
  owner_block: ownerBlock(lead.owner, blockOf(lead.position)),
  ...due(lead),
})

const StoredItem = v.record(v.string(), v.unknown())

/** Strongly consistent; whoever asks for a user compares the owner. */
export const getLead = async (id: number): Promise<Lead | undefined> => {
  const item = await getItem(StoredItem, leadKey(id))
  return item && leadFromItem(item)
}

const UNCHANGED = 'version = :version'

/** A lead of this owner; another's is like a missing one. */
export const getOwnLead = async (owner: number, id: number): Promise<Lead | undefined> => {
  const lead = await getLead(id)
  return lead?.owner === owner ? lead : undefined
}

/** Those of the ids that are leads, by id. Whoever asks for a user compares the owner. */
export const getLeads = async (ids: readonly number[], { consistent }: { readonly consistent: boolean }): Promise<Map<number, Lead>> => {
  const items = await batchGet(StoredItem, ids.map(leadKey), { consistent })
  return new Map(items.map(leadFromItem).map((lead) => [lead.id, lead]))
}

/** As `getLeads`, and the ids of those whose items are none of a lead any more. Strongly consistent. */
export const getReadableLeads = async (
  ids: readonly number[],
): Promise<{ readonly leads: Map<number, Lead>; readonly unreadable: readonly number[] }> => {
  const leads = new Map<number, Lead>()
  const unreadable: number[] = []
  for (const item of await batchGet(StoredItem, ids.map(leadKey), { consistent: true })) {
    const id = parseLeadPk(`${item['pk']}`)
    try {
      leads.set(id, leadFromItem(item))
    } catch (error) {
      if (!v.isValiError(error)) throw error
      unreadable.push(id)
    }
  }
  return { leads, unreadable }
}

/** Takes a lead off the due index as it is, whatever that is. The next write of it that is one puts it back. */
export const unlistLead = async (id: number): Promise<void> => {
  await ifConditionHolds(
    updateItem(leadKey(id), { UpdateExpression: 'REMOVE due_key, due_at', ConditionExpression: 'attribute_exists(pk)' }),
  )
}

/** A write of a transaction that inserts a lead. */
export const insertLead = (lead: Lead): Write => ({ put: leadItem(lead), condition: 'attribute_not_exists(pk)' })

/** A write of a transaction that replaces the version of a lead that was read. `next.version` is one more than that. */
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
 * Reads the lead, lets `change` decide, and writes: again from the start when somebody else wrote meanwhile.
 * `change` answers undefined when there is nothing to write.
 * @returns the lead as it is now; undefined when there is none
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
