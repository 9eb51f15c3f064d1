import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { dial } from '#shared/operations/dial.ts'
import { getCall } from '#shared/storage/calls.ts'
import { markUnparking, markWaiting, waitingOwners } from '#shared/storage/due.ts'
import { leadKey } from '#shared/storage/keys.ts'
import { changeLead, getLead, leadItem } from '#shared/storage/leads.ts'
import { getLines } from '#shared/storage/lines.ts'
import { getPhone } from '#shared/storage/phones.ts'
import { putItem, updateItem } from '#shared/storage/table.ts'
import { transact } from '#shared/storage/transactions.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

const MINUTE = 60_000

let world: Awaited<ReturnType<typeof startWorld>>
let nextPhone = 1000

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  setClock(NOON)
  await world.queues.take('CALL_QUEUE_URL')
  world.agent.requests.length = 0
})

const queued = async () => (await world.queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body))

const newLead = async (): Promise<{ id: number; message: unknown }> => {
  const body = { phone_number: `+1212555${nextPhone++}`, timezone: 'America/New_York' }
  const made = await request(create, { method: 'POST', path: '/api/leads/', body })
  return { id: made.body.id, message: (await queued()).find(({ lead_id }) => lead_id === made.body.id) }
}

const spoil = (id: number) =>
  updateItem(leadKey(id), {
    UpdateExpression: 'SET #status = :none',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':none': 'NONE' },
  })

const moveTo = (id: number, due_list: 'WAIT' | 'PARKED') => changeLead(id, (lead) => ({ ...lead, due_list }))

/** What the sweep sends of a lead. */
const sentOf = async (lead: number): Promise<unknown[]> => {
  setClock(NOON + 3 * MINUTE)
  await dispatchDue()
  return (await queued()).filter(({ lead_id }) => lead_id === lead)
}

describe('a lead that cannot be called as it stands', () => {
  it('since its item is none of a lead, goes off the list', async () => {
    const { id, message } = await newLead()
    await spoil(id)
    expect(await sentOf(id)).toHaveLength(1)
    expect(await consumeAll(placeCall, [message])).toEqual([])
    expect(await sentOf(id)).toEqual([])
  })

  it('since its owner is missing, goes off the list, and comes back when it is written', async () => {
    const { id, message } = await newLead()
    const lead = (await getLead(id))!
    await putItem(leadItem({ ...lead, owner: 77 }))
    expect(await consumeAll(placeCall, [message])).toEqual([])
    expect(await sentOf(id)).toEqual([])
    await putItem(leadItem(lead))
    expect(await sentOf(id)).toHaveLength(1)
  })

  it('keeps nobody waiting who waits behind it', async () => {
    const [spoiled, fine] = [await newLead(), await newLead()]
    for (const { id } of [spoiled, fine]) await moveTo(id, 'WAIT')
    await markWaiting(OWNER, NOON)
    await spoil(spoiled.id)
    setClock(NOON + MINUTE)
    await dispatchDue()
    await consumeAll(placeCall, await queued())
    expect(await getLead(fine.id)).toMatchObject({ attempts: 1 })
  })

  it('nor who was parked behind it', async () => {
    const [spoiled, fine] = [await newLead(), await newLead()]
    for (const { id } of [spoiled, fine]) await moveTo(id, 'PARKED')
    await spoil(spoiled.id)
    await transact([markUnparking(OWNER, NOON)])
    expect(await consumeAll(placeCall, [{ type: 'unpark', owner: OWNER, turn: NOON }])).toEqual([])
    expect((await getLead(fine.id))?.due_list).toBe('CALL')
  })
})

describe('a call that nobody has asked for, of a lead that was erased', () => {
  it('is settled, and frees its phone and its line', async () => {
    const { id } = await newLead()
    const dialled = await dial((await getLead(id))!)
    if (typeof dialled === 'string') throw new Error(dialled)
    const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb')
    const { client } = await import('#shared/storage/client.ts')
    await client.send(new DeleteCommand({ TableName: process.env['TABLE_NAME'], Key: leadKey(id) }))
    setClock(NOON + MINUTE)
    await consumeAll(placeCall, [{ type: 'watch', call_id: `${id}-1` }])
    expect(await getCall(`${id}-1`)).toMatchObject({ settled_time: expect.any(Number), refused_time: expect.any(Number) })
    expect((await getLines(OWNER)).calls.has(`${id}-1`)).toBe(false)
    expect(await getPhone(dialled.call.phone_key)).toMatchObject({ current_call: null })
    expect(world.agent.requests).toEqual([])
  })
})

describe('owners with leads that wait', () => {
  it('stand behind the others once the sweep has been with them', async () => {
    for (const [owner, at] of [
      [901, NOON - 9 * MINUTE],
      [902, NOON - 8 * MINUTE],
    ] as const)
      await markWaiting(owner, at)
    const { drainWaiting } = await import('#shared/operations/waiting.ts')
    await drainWaiting(901)
    const owners = await waitingOwners(NOON + MINUTE, 500)
    expect(owners.indexOf(901)).toBeGreaterThan(owners.indexOf(902))
  })
})
