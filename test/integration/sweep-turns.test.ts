import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { handler as sweep } from '#functions/workers/dispatch-due.ts'
import { overduePages } from '#shared/backlog/due.ts'
import type { Task } from '#shared/leads/bulk/task.ts'
import { insertTasks } from '#shared/leads/bulk/task-store.ts'
import { retryKey, TASK_KEYS, taskDueKey, taskIdOf } from '#shared/platform/keys.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { newDelivery } from '#shared/webhooks/deliveries.ts'
import { insertWatchedDeliveries } from '#shared/webhooks/delivery-store.ts'
import { allPages } from '#test/support/all-pages.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { anEvent } from '#test/support/webhook-fixtures.ts'

suiteWorld()
const sentBy = watchSent()

/** After which the sweep looks for deliveries that were written with a place in its list. */
const LISTED_AFTER = 5 * MINUTE

/** Deliveries that are due `at`, all of one shard. */
const list = (subscription: number, count: number, at: number, owner: number): Promise<void> => {
  const deliveries = Array.from({ length: count }, (_, index) =>
    newDelivery(anEvent({ event_id: `s${subscription}-${index}`, lead_id: 1000, owner }), { id: subscription }, '{}', NOON),
  )
  return insertWatchedDeliveries(deliveries, at - LISTED_AFTER)
}

const task = (owner: number, lead: number): Task => ({
  ...{ task_id: taskIdOf(randomUUID(), lead), owner, lead, accepted: 'a', patch: { external_id: 'x' } },
  ...{ status: 'queued', error: null, updated_time: NOON, expires_at: null },
})

describe('the sweep', () => {
  it('a search for overdue entries reads the oldest and some others when there are too many for one run', async () => {
    for (let minute = 1; minute <= 20; minute++) await list(minute, 1, NOON - (100 + minute) * MINUTE, 77)
    const found = async () => (await allPages(overduePages(retryKey({ lead: 1000, shard: 0 }), NOON, 5))).map(({ due_at }) => due_at)
    const oldest = (await found()).slice(0, 5)
    expect(oldest).toEqual(oldest.toSorted())
    const others = new Set<string>()
    for (let run = 0; run < 1000 && others.size < 15; run++) {
      const all = await found()
      expect(all.slice(0, 5)).toEqual(oldest)
      expect(all.length).toBeLessThanOrEqual(10)
      for (const one of all.slice(5)) others.add(one)
    }
    expect(others.size).toBe(15)
  })

  it('the sweep sends the overdue retries of an owner while another owner has more than 5,000 that wait for a later minute', async () => {
    await list(41, 5_100, NOON - 21.5 * MINUTE, 77)
    await list(42, 5, NOON - 2 * MINUTE, 78)
    setClock(NOON)
    const messages = await sentBy(() => sweep())
    const countOf = (id: number) => messages.filter(({ body }) => body.subscription === id).length
    expect([41, 42].map(countOf)).toEqual([0, 5])
  }, 120_000)

  it('the sweep sends the lost update of an owner again while another owner has more lost updates than it sends', async () => {
    const ofOneShard = (owner: number) =>
      Array.from({ length: 10_400 }, (_, lead) => task(owner, lead)).filter(({ task_id }) => taskDueKey(task_id) === TASK_KEYS[1])
    const late = ofOneShard(78).slice(0, 3)
    await insertTasks(ofOneShard(77), NOON)
    await insertTasks(late, NOON + 1)
    setClock(NOON + MINUTE)
    const messages = await sentBy(() => sweep())
    const sent = messages.flatMap(({ body }) => body.task_id ?? [])
    expect(sent).toHaveLength(125)
    expect(sent).toEqual(expect.arrayContaining(late.map(({ task_id }) => task_id)))
  }, 120_000)
})
