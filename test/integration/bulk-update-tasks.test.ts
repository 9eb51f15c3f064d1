import { describe, expect, it } from '@jest/globals'
import { handler as applyUpdates } from '#functions/workers/apply-updates.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { updateLead } from '#shared/leads/update-lead.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdates, taskNow, withoutQueue } from '#test/support/bulk-updates.ts'
import { setClock } from '#test/support/clock.ts'
import { helped } from '#test/support/helped.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, OTHER_KEY, OWNER } from '#test/support/world.ts'

const { world } = callWorld()
const { queued, accepted, work } = bulkUpdates(world)

const ORDERS: [string, (messages: string[]) => string[]][] = [
  ['in order', (messages) => messages],
  ['backwards', (messages) => messages.toReversed()],
  ['twice each', (messages) => [...messages, ...messages]],
]

describe.each(ORDERS)('updates of one lead in one request, processed %s', (_, order) => {
  it('updates of one lead in one bulk request take effect in the order of the request', async () => {
    const { id } = await created()
    await accepted([
      { id, lead_source: 'first', external_id: 'one', a: 1 },
      { id, lead_source: 'second', status: 'CANCELLED', a: 2, b: 2 },
      { id, external_id: 'three', status: 'OPEN', b: 3 },
    ])
    // One at a time, for a batch is handled all at once.
    for (const message of order(await queued())) await consumeAll(applyUpdates, [message])
    expect(await leadNow(id)).toMatchObject({ lead_source: 'second', external_id: 'three', status: 'OPEN', metadata: { a: 2, b: 3 } })
  })

  it('updates of one lead in one bulk request leave the lead stopped when the stop comes last', async () => {
    const { id } = await created()
    await accepted([
      { id, status: 'OPEN' },
      { id, status: 'LOST' },
    ])
    await work(order)
    expect(await leadNow(id)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('updates of a bulk request do not overwrite a change made after they were accepted', async () => {
    const { id } = await created()
    await accepted([{ id, lead_source: 'queued', external_id: 'queued' }])
    await updateLead(OWNER, id, { lead_source: 'newer' }, { cause: 'MANUAL', accepted: nextSequence() })
    await work(order)
    expect(await leadNow(id)).toMatchObject({ lead_source: 'newer', external_id: 'queued' })
  })
})

describe('the worker for bulk updates', () => {
  it('the worker for bulk updates applies many updates of one lead at the same time without losing one', async () => {
    const { id } = await created()
    await accepted(Array.from({ length: 10 }, (_, index) => ({ id, [`key_${index}`]: index })))
    await work()
    const { metadata } = await leadNow(id)
    for (let index = 0; index < 10; index++) expect(metadata[`key_${index}`]).toBe(index)
  })

  it('the worker for bulk updates marks a task as failed with the reason when the lead refuses the update', async () => {
    const phone_number = newPhone()
    await created({ phone_number, email: 'taken@example.com' })
    const { id } = await created({ phone_number, email: 'free@example.com' })
    const [{ task_id }] = await accepted([{ id, email: 'Taken@example.com' }])
    await work((messages) => [...messages, ...messages])
    expect((await taskNow(task_id)).body).toMatchObject({
      status: 'failed',
      error: helped('non_field_errors: The fields email, phone_number, company must make a unique set. …'),
    })
    expect((await leadNow(id)).email).toBe('free@example.com')
  })

  it('the worker for bulk updates returns a message to the queue only when the table fails', async () => {
    const { id } = await created()
    const [{ task_id }] = await accepted([{ id, lead_source: 'later' }])
    const [message] = await queued()
    const table = process.env['TABLE_NAME']
    process.env['TABLE_NAME'] = 'no-such-table'
    expect(await consumeAll(applyUpdates, [message])).toEqual([0])
    process.env['TABLE_NAME'] = table
    expect((await taskNow(task_id)).body.status).toBe('queued')
    expect(await consumeAll(applyUpdates, ['not json', message, { task_id: 'none' }])).toEqual([0])
    expect((await taskNow(task_id)).body.status).toBe('applied')
  })
})

describe('lost messages of bulk updates', () => {
  it('the sweep sends lost messages of bulk updates again after a minute, at growing intervals, until the task is done', async () => {
    const { id } = await created()
    const [{ task_id }] = await withoutQueue(() => accepted([{ id, lead_source: 'late' }]))
    const sweepAt = async (instant: number) => {
      setClock(instant)
      await dispatchDue()
      const sent = await queued()
      return sent.map((text) => JSON.parse(text))
    }
    expect(await sweepAt(NOON + MINUTE / 2)).toEqual([])
    expect(await sweepAt(NOON + 2 * MINUTE)).toEqual([{ task_id }])
    expect(await sweepAt(NOON + 3 * MINUTE)).toEqual([])
    expect(await sweepAt(NOON + 5 * MINUTE)).toEqual([{ task_id }])
    expect(await consumeAll(applyUpdates, [{ task_id }])).toEqual([])
    expect((await leadNow(id)).lead_source).toBe('late')
    expect(await sweepAt(NOON + 3 * DAY)).toEqual([])
  })
})

describe('a task', () => {
  it('a task of a bulk update answers 404 to other users, like an unknown task', async () => {
    const { id } = await created()
    const [{ task_id }] = await accepted([{ id, lead_source: 'x' }])
    const missing = { status: 404, body: { detail: 'Not found.' } }
    expect(await taskNow(task_id, OTHER_KEY)).toMatchObject(missing)
    for (const other of ['00000000-0000-4000-8000-000000000000', 'x', '7', '', `${task_id}0`]) {
      expect(await taskNow(other)).toMatchObject(missing)
    }
  })

  it('a task of a bulk update is kept while it is queued and for seven days after it is applied', async () => {
    const { id } = await created()
    const [{ task_id }] = await accepted([{ id, lead_source: 'x' }])
    setClock(NOON + 10 * DAY)
    expect((await taskNow(task_id)).body.status).toBe('queued')
    await work()
    setClock(NOON + 17 * DAY - MINUTE)
    expect((await taskNow(task_id)).body.status).toBe('applied')
    setClock(NOON + 17 * DAY + MINUTE)
    expect((await taskNow(task_id)).status).toBe(404)
  })
})

describe('a bulk update of a thousand items', () => {
  it('a bulk update of a thousand items, including stops, is accepted in one request', async () => {
    const leads: { id: number }[] = []
    for (let round = 0; round < 10; round++) leads.push(...(await Promise.all(Array.from({ length: 20 }, () => created()))))
    const items = Array.from({ length: 1000 }, (_, index) => ({
      id: leads[index % leads.length]!.id,
      lead_source: `source ${index}`,
      ...(index >= 800 && { status: 'CANCELLED' }),
    }))
    const written = consumedUnits.write
    const results = await accepted(items)
    expect(results.map(({ id }: { id: number }) => id)).toEqual(items.map(({ id }) => id))
    expect(new Set(results.map(({ task_id }: { task_id: string }) => task_id)).size).toBe(1000)
    // A task and its place in the index, and for each stop the lead with its places.
    expect(consumedUnits.write - written).toBeLessThan(1000 * 2 + 200 * 8)
    await work((messages) => messages.toReversed())
    for (const [index, { id }] of leads.entries())
      expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', lead_source: `source ${800 + index}` })
  })
})
