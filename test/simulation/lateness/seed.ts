import * as v from 'valibot'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import type { Plan } from './plan.ts'

const AGENT = 'simulator'
export const AGENT_SECRET = `whsec_${Buffer.from('the secret of the agent').toString('base64')}`
export const keyOf = (owner: number): string => `a-key-of-${owner}`

/** Chunks are sent one after the other: leads with the same due instant stay in the order of their writes in the index. */
const CHUNK = 25
/** Chunks that wait for their answers. The engine writes one while this process makes the next one. */
const LANES = 4
const EXCHANGES = 700

/** Each lead has its own phone, in area codes of New York. */
export const requestOf = (index: number): { readonly phone_number: string } & Record<string, unknown> => ({
  phone_number: `+1${[212, 315, 518, 585][Math.floor(index / (EXCHANGES * 10_000))] ?? 607}${200 + (Math.floor(index / 10_000) % EXCHANGES)}${String(index % 10_000).padStart(4, '0')}`,
  email: `person.${index}@example.com`,
  first_name: 'Alex',
  last_name: `Example ${index}`,
  timezone: 'America/New_York',
  lead_source: 'simulation',
})

const saveOwners = async ({ owners, linesOf }: Pick<Plan, 'owners' | 'linesOf'>): Promise<void> => {
  const [{ saveUser }, { saveApiKey }, { saveLeadType }, { saveAgent }] = await Promise.all([
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/api-key-store.ts'),
    import('#shared/accounts/lead-type-store.ts'),
    import('#shared/agents/agent-store.ts'),
  ])
  await saveAgent({ id: AGENT, url: 'https://agent.example.com/calls', secrets: [AGENT_SECRET] })
  for (let id = 1; id <= owners; id++) {
    await saveUser({
      id,
      name: `Owner ${id}`,
      default_lead_type: 4,
      dnc_group: `${id}`,
      lines: linesOf(id),
      throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 },
      webhook_secrets: [],
    })
    await saveApiKey(keyOf(id), { user: id, created_time: 0, revoked_time: null })
    // A person who was not reached is called again days later, after the simulation's end.
    await saveLeadType(
      sampleLeadType({
        owner: id,
        agent: AGENT,
        cadence: { delays: [172_800], delays_by_outcome: {}, max_attempts: 8, transfer_unavailable_delay: 1800 },
      }),
    )
  }
}

const advance = async (key: { pk: string; sk: string }, name: string, count: number): Promise<void> => {
  const { updateItem } = await import('#shared/platform/table/table.ts')
  await updateItem(key, {
    UpdateExpression: 'ADD #name :count',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':count': count },
  })
}

/**
 * Writes owners, the agent, and leads with their first call due, as a create before the start would have done. The lead at index n of the
 * plan has the id n + 1.
 * @throws Error when a due instant is not lawful
 */
export const seedPlan = async (plan: Plan): Promise<void> => {
  const [{ newLead }, { nextCall }, { callingPolicy }, { getUser }, { leadItem }, { batchPut }, keys] = await Promise.all([
    import('#shared/leads/rules/create/new-lead.ts'),
    import('#shared/calling/rules/next-call.ts'),
    import('#shared/calling/calling-policy.ts'),
    import('#shared/accounts/user-store.ts'),
    import('#shared/leads/lead-store.ts'),
    import('#shared/platform/table/batches.ts'),
    import('#shared/platform/keys.ts'),
  ])
  await saveOwners(plan)
  const policy = await callingPolicy(await getUser(1))
  const positions = new Map<number, number>()
  const itemOf = ({ owner, due }: Plan['leads'][number], index: number) => {
    const position = (positions.get(owner) ?? 0) + 1
    positions.set(owner, position)
    const input = v.parse(CreateLead, requestOf(index))
    const base = { id: index + 1, position, owner, leadType: 4, phone: { call_dnc: false, sms_dnc: false }, now: plan.start, policy }
    const lead = newLead(input, base)
    const next = nextCall(lead, due, 'FIRST_CALL', policy)
    if (next.next_call_time !== due) throw new Error(`Nobody may be called at ${new Date(due).toISOString()}.`)
    return leadItem({ ...lead, ...next })
  }
  const chunks = Array.from({ length: Math.ceil(plan.leads.length / CHUNK) }, (_, number) => number * CHUNK)
  // Only a few chunks are in memory.
  await inLanes(LANES, chunks, (start) =>
    batchPut(plan.leads.slice(start, start + CHUNK).map((lead, offset) => itemOf(lead, start + offset))),
  )
  await advance(keys.idsKey, 'next', plan.leads.length)
  for (const [owner, last] of positions) await advance(keys.positionsKey(owner), 'last', last)
}
