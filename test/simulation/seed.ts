import type { Lead } from '#shared/leads/lead.ts'
import { sampleLead } from '#test/support/samples.ts'

export interface Seed {
  readonly owner: number
  readonly leads: number
  /** Empty positions, spread evenly. Default: 0. */
  readonly holes?: number
  /** Fields of the lead with an index from 0. Default: all leads are alike. */
  readonly vary?: (index: number) => Partial<Lead>
  /** Called with the number of leads written so far. */
  readonly progress?: (written: number) => void
}

export interface Seeded {
  readonly firstId: number
  readonly firstPosition: number
}

const CHUNK = 2000
const CREATED = Date.parse('2026-11-01T12:00:00Z')

/** A customer's lead after its calls: about 700 bytes, with nothing due. */
const lead = (owner: number, id: number, position: number): Lead =>
  sampleLead({
    id,
    owner,
    position,
    phone_number: `+1212${String(2_000_000 + (id % 7_999_999)).padStart(7, '0')}`,
    email: `person.${id}@example.com`,
    metadata: {
      first_name: 'Alex',
      last_name: `Example ${id}`,
      timezone: 'America/New_York',
      budget: id % 1000,
      note: 'Asked for a call.',
    },
    status: 'CLOSED',
    status_detail: 'warm_transfer',
    status_reason: 'CHAT',
    external_id: `crm-${id}`,
    us_state: 'NY',
    lead_source: 'seed',
    created_time: CREATED + position,
    next_call_time: null,
    next_call_time_reason: null,
    due_list: null,
    attempts: 1,
    round_attempts: 1,
  })

/**
 * Writes an owner's leads directly into the environment's table, after the existing ones. Only the list knows them: they have no person, no
 * pointers and no calls.
 */
export const seedLeads = async ({ owner, leads, holes = 0, vary = () => ({}), progress = () => undefined }: Seed): Promise<Seeded> => {
  const [{ updateItem }, { batchPut }, keys, { leadItem }, { addHole }] = await Promise.all([
    import('#shared/platform/table/table.ts'),
    import('#shared/platform/table/batches.ts'),
    import('#shared/platform/keys.ts'),
    import('#shared/leads/lead-store.ts'),
    import('#shared/positions/holes.ts'),
  ])
  const advance = async (key: { pk: string; sk: string }, name: string): Promise<number> => {
    const updated = await updateItem(key, {
      UpdateExpression: 'ADD #name :count',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':count': leads },
      ReturnValues: 'UPDATED_NEW',
    })
    return (updated as Record<string, number>)[name]! - leads + 1
  }
  const firstId = await advance(keys.idsKey, 'next')
  const firstPosition = await advance(keys.positionsKey(owner), 'last')
  const empty = new Set(Array.from({ length: holes }, (_, index) => Math.floor(((index + 0.5) * leads) / holes)))
  for (let start = 0; start < leads; start += CHUNK) {
    const offsets = Array.from({ length: Math.min(CHUNK, leads - start) }, (_, index) => start + index)
    const filled = offsets.filter((offset) => !empty.has(offset))
    await batchPut(filled.map((offset) => leadItem({ ...lead(owner, firstId + offset, firstPosition + offset), ...vary(offset) })))
    for (const offset of offsets.filter((other) => empty.has(other))) await addHole(owner, firstPosition + offset)
    progress(start + offsets.length)
  }
  return { firstId, firstPosition }
}
