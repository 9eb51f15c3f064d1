import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { agentsToLookAt } from '#shared/backlog/marks.ts'
import { getLead, leadItem, unlistLead } from '#shared/leads/lead-store.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { setClock } from '#test/support/clock.ts'
import { writeUnits } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { unitsOf } from '#test/support/units.ts'
import { consumeAll, OWNER, request } from '#test/support/world.ts'

const { world, queued, placeQueued } = callWorld()
const sent = watchSent()
let nextPhone = 1000
let type = 100

const agent = (id = `agent-${type}`) => ({ id, url: world().agent.url, secrets: [world().agentSecret] })
const saveType = (changes: object = {}) => saveLeadType(sampleLeadType({ id: type, owner: OWNER, agent: agent().id, ...changes }))

beforeEach(async () => {
  setClock(NOON)
  // No lead of an earlier test waits for a line.
  await updateItem(linesKey(OWNER), { UpdateExpression: 'REMOVE waiting_time, fill_time' })
  type++
  await saveAgent(agent())
  await world().queues.renew('CALL_QUEUE_URL')
  world().agent.requests.length = 0
})

const dueLeads = async (count: number, body: object = {}): Promise<number[]> => {
  const ids: number[] = []
  for (let lead = 0; lead < count; lead++) {
    const phone_number = `+1212555${nextPhone++}`
    const made = { phone_number, timezone: 'America/New_York', lead_type: type, ...body }
    ids.push((await request(create, { method: 'POST', path: '/api/leads/', body: made })).body.id)
  }
  return ids
}

const patch = async (id: number, body: unknown) =>
  (await request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })).body

const listsOf = async (ids: readonly number[]) => (await Promise.all(ids.map(getLead))).map((lead) => lead?.due_list)
const attemptsOf = async (ids: readonly number[]) => (await Promise.all(ids.map(getLead))).map((lead) => lead?.attempts)
const each = <T>(ids: readonly number[], value: T): T[] => ids.map(() => value)

const sweep = async (minutes: number): Promise<unknown[]> => {
  setClock(NOON + minutes * MINUTE)
  await dispatchDue()
  return placeQueued()
}

const giveUp = async (until = NOON + 60 * MINUTE): Promise<void> => {
  for (let failure = 0; failure < 5; failure++) await countFailure(agent(), 'It answered 503.')
  await openBreaker(agent().id, await getBreaker(agent().id), { openings: 1, open_until: until, reason: 'It failed.', owner: null })
}

describe('a lead type that does not allow a call', () => {
  it.each<[string, object, object, object, number]>([
    ['is active again', { active: false }, { active: true }, {}, 3],
    [
      'allows calls abroad',
      { international: false },
      { international: true },
      { phone_number: '+442071838750', timezone: 'America/New_York' },
      // It also passes its line on.
      5,
    ],
  ])('a lead type holds its leads until it %s', async (_, off, on, body, units) => {
    await saveType(off)
    const ids = await dueLeads(1, body)
    const messages = await queued()
    // The lead, and its move from one partition of the due index to another.
    expect(await writeUnits(() => consumeAll(placeCall, messages))).toBeLessThanOrEqual(units)
    const held = await getLead(ids[0]!)
    expect(held).toMatchObject({ status: 'OPEN', due_list: 'HELD', held_by: `lead-type ${type}`, next_call_time_reason: 'FIRST_CALL' })
    await consumeAll(placeCall, messages)
    await sweep(5)
    expect(await getLead(ids[0]!)).toEqual(held)
    await saveType(on)
    forgetConfiguration()
    await sweep(6)
    expect(await attemptsOf(ids)).toEqual([1])
    expect(world().agent.requests).toHaveLength(1)
    await sweep(8)
    await sweep(9)
    expect((await agentsToLookAt(NOON + 60 * MINUTE, 100)).map(({ agent: holder }) => holder)).not.toContain(`lead-type ${type}`)
  })

  it('a lead held by its inactive lead type is called when it gets another lead type', async () => {
    await saveType({ active: false })
    const off = type
    const [id = 0] = await dueLeads(1)
    await placeQueued()
    type++
    await saveAgent(agent())
    await saveType()
    expect((await patch(id, { lead_type: type })).next_call_time).not.toBeNull()
    await placeQueued()
    expect(await attemptsOf([id])).toEqual([1])
    expect(off).not.toBe(type)
  })

  it('a lead type that becomes active releases all of its leads in one run of messages', async () => {
    await saveType({ active: false })
    const ids = await dueLeads(30)
    await placeQueued()
    await saveType()
    forgetConfiguration()
    setClock(NOON + MINUTE)
    await dispatchDue()
    await dispatchDue()
    const all = await placeQueued()
    expect(await attemptsOf(ids)).toEqual(each(ids, 1))
    expect(all.filter((message) => JSON.stringify(message).includes('"dial"'))).toHaveLength(30)
  })
})

describe('a lead type without a working agent', () => {
  it('a lead type without an agent holds its leads until the agent exists', async () => {
    await saveType({ agent: `late-${type}` })
    const ids = await dueLeads(2)
    await placeQueued()
    expect(await listsOf(ids)).toEqual(['HELD', 'HELD'])
    expect(await attemptsOf(ids)).toEqual([0, 0])
    await saveAgent(agent(`late-${type}`))
    await sweep(1)
    expect(await attemptsOf(ids)).toEqual([1, 1])
  })

  it('a lead type releases 500 of its leads a second when its missing agent appears', async () => {
    await saveType({ agent: `late-${type}` })
    const [first = 0] = await dueLeads(1)
    await placeQueued()
    const lead = await getLead(first)
    expect(lead).toMatchObject({ due_list: 'HELD', held_by: `late-${type}` })
    // As if made one by one, which would take its time.
    const ids = Array.from({ length: 510 }, (_, index) => 2_000_000 + 1000 * type + index)
    await batchPut(ids.map((id) => leadItem({ ...lead!, id, position: id })))
    await saveAgent(agent(`late-${type}`))
    forgetConfiguration()
    const runs = async (message: unknown) =>
      (await sent(() => consumeAll(placeCall, [message]))).filter(({ body }) => body.type === 'retry-held')
    const run = { type: 'retry-held', agent: `late-${type}#${OWNER}`, began: expect.any(Number), turn: expect.any(Number) }
    const begun = await runs({ type: 'probe', agent: `late-${type}` })
    expect(begun).toMatchObject([{ body: { ...run, after: null }, delaySeconds: 0 }])
    const further = await runs(begun[0]!.body)
    expect((await listsOf([first, ...ids])).filter((list) => list === 'HELD')).toHaveLength(11)
    const after = { lead: expect.any(Number), due_at: expect.any(String) }
    expect(further).toMatchObject([{ body: { ...run, after }, delaySeconds: 1 }])
    expect(await runs(further[0]!.body)).toEqual([])
    expect((await listsOf([first, ...ids])).filter((list) => list === 'HELD')).toEqual([])
    const unlistAll = async () => {
      for (const id of [first, ...ids]) await unlistLead(id)
    }
    await unlistAll()
    await placeQueued()
    // Their phone is busy, so the dials that were queued have listed some of them again.
    await unlistAll()
  })

  it('a lead type that gets another agent releases all of its leads, even behind leads of another type', async () => {
    await saveType()
    const stays = type
    await giveUp()
    const down = agent().id
    const staying = await dueLeads(4)
    await placeQueued()
    type++
    await saveType({ agent: down })
    const leaving = await dueLeads(8)
    await placeQueued()
    expect(await listsOf([...staying, ...leaving])).toEqual(each([...staying, ...leaving], 'HELD'))
    await saveAgent(agent())
    await saveType()
    forgetConfiguration()
    await sweep(1)
    expect(await attemptsOf(leaving)).toEqual(each(leaving, 1))
    expect(await listsOf(staying)).toEqual(each(staying, 'HELD'))
    await sweep(2)
    await sweep(3)
    expect(await sweep(4)).not.toContainEqual(expect.objectContaining({ type: 'dial' }))
    expect(stays).not.toBe(type)
  })
})

describe('the probes of an agent after its pause', () => {
  it('the leads that probe an agent after its pause are found without reading all held leads', async () => {
    await saveType()
    await giveUp(NOON + MINUTE)
    const ids = await dueLeads(120)
    await placeQueued()
    expect(await listsOf(ids)).toEqual(each(ids, 'HELD'))
    setClock(NOON + 2 * MINUTE)
    expect((await unitsOf(() => consumeAll(placeCall, [{ type: 'probe', agent: agent().id }]))).read).toBeLessThan(10)
    expect((await queued()).filter(({ type: kind }) => kind === 'dial')).toHaveLength(3)
  })
})
