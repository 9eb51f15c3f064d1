import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { pauseHolder } from '#shared/backlog/rules/holders.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { dial } from '#shared/calling/dial.ts'
import { changeLead, getLead, leadItem } from '#shared/leads/lead-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { getItem, putItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { callWorld, hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { world, queued, place } = callWorld()

const newLead = async (): Promise<{ id: number; message: unknown }> => {
  const { id } = await created()
  return { id, message: (await queued()).find(({ lead_id }) => lead_id === id) }
}

const spoil = (id: number) =>
  updateItem(leadKey(id), {
    UpdateExpression: 'SET #status = :none',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':none': 'NONE' },
  })

/** The sweep's messages about a lead. */
const sentOf = async (lead: number): Promise<unknown[]> => {
  setClock(NOON + 3 * MINUTE)
  await dispatchDue()
  return (await queued()).filter(({ lead_id }) => lead_id === lead)
}

describe('a lead that cannot be processed', () => {
  it('a lead with an invalid item leaves its list when the message of the sweep is handled', async () => {
    const { id } = await newLead()
    await spoil(id)
    expect(await place(await sentOf(id))).toEqual([])
    expect(await sentOf(id)).toEqual([])
    expect(await getItem(v.unknown(), leadKey(id))).not.toHaveProperty('due_key')
  })

  it('a message about a lead with an invalid item takes the lead off its list', async () => {
    const { id, message } = await newLead()
    await spoil(id)
    expect(await place([message])).toEqual([])
    expect(await getItem(v.unknown(), leadKey(id))).not.toHaveProperty('due_key')
  })

  it('a lead leaves its list when its owner is missing, and returns once its item is written again', async () => {
    const { id, message } = await newLead()
    const lead = (await getLead(id))!
    await putItem(leadItem({ ...lead, owner: 77 }))
    expect(await place([message])).toEqual([])
    expect(await sentOf(id)).toEqual([])
    await putItem(leadItem(lead))
    expect(await sentOf(id)).toHaveLength(1)
  })

  it('an unreadable lead does not block the leads that wait for a line behind it', async () => {
    const [spoiled, fine] = [await newLead(), await newLead()]
    await spoil(spoiled.id)
    setClock(NOON + MINUTE)
    await dispatchDue()
    await place(await queued())
    expect(await getLead(fine.id)).toMatchObject({ attempts: 1 })
  })

  it('an unreadable lead does not block the paused leads behind it', async () => {
    const [spoiled, fine] = [await newLead(), await newLead()]
    for (const { id } of [spoiled, fine]) await changeLead(id, (lead) => ({ ...lead, due_list: 'HELD', held_by: pauseHolder(OWNER) }))
    await spoil(spoiled.id)
    expect(await place([{ type: 'retry-held', agent: pauseHolder(OWNER), began: NOON, after: null }])).toEqual([])
    expect((await getLead(fine.id))?.due_list).toBe('CALL')
  })
})

describe('a call of an erased lead', () => {
  it('the call of an erased lead is finished without asking the agent, and frees its phone and line', async () => {
    const { id } = await newLead()
    const dialled = await dial((await getLead(id))!)
    if (typeof dialled === 'string') throw new Error(dialled)
    const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb')
    const { client } = await import('#shared/platform/table/client.ts')
    await client.send(new DeleteCommand({ TableName: process.env['TABLE_NAME'], Key: leadKey(id) }))
    setClock(NOON + MINUTE)
    await place([{ type: 'watch', call_id: `${id}-1` }])
    expect(await getCall(`${id}-1`)).toMatchObject({ unknown_time: NOON + MINUTE, refused_time: null })
    expect(await hasLine(`${id}-1`)).toBe(false)
    expect(world().agent.requests).toEqual([])
    // The phone may ring until the call counts as silent.
    expect(await getPhone(dialled.call.phone_key)).toMatchObject({ current_call: `${id}-1` })
    setClock(NOON + 15 * MINUTE)
    await place([{ type: 'watch', call_id: `${id}-1` }])
    expect(await getCall(`${id}-1`)).toMatchObject({ settled_time: NOON + 15 * MINUTE })
    expect(await getPhone(dialled.call.phone_key)).toMatchObject({ current_call: null })
  })
})
