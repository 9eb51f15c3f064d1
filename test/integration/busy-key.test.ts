import { randomUUID } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { handler as applyUpdates } from '#functions/workers/apply-updates.ts'
import { insertTasks } from '#shared/leads/bulk/task-store.ts'
import { now } from '#shared/platform/clock.ts'
import { emailPointerKey, taskIdOf } from '#shared/platform/keys.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdates } from '#test/support/bulk-updates.ts'
import { withHotKey } from '#test/support/hot-key.ts'
import { created } from '#test/support/lead-requests.ts'
import { batchOf } from '#test/support/webhook-fixtures.ts'
import { OWNER } from '#test/support/world.ts'

const { world } = callWorld()
const { queued, accepted } = bulkUpdates(world)

/** More than begin in the ten seconds for which each waits, at the pace after a refusal. */
const COUNT = 400
const EMAIL = 'none@example.com'

it('bulk updates of others are applied, although one customer gives so many leads the same email that its key is busy', async () => {
  const others = Array.from({ length: COUNT }, (_, index) => ({
    ...{ task_id: taskIdOf(randomUUID(), 5000 + index), owner: OWNER + 1, lead: 5000 + index, accepted: nextSequence() },
    ...{ status: 'queued' as const, error: null, patch: { lead_source: 'New' }, updated_time: now(), expires_at: null },
  }))
  await insertTasks(others, now())

  const { id } = await created()
  await accepted([{ id, email: EMAIL }])
  const own = await queued()
  await withHotKey(emailPointerKey(OWNER, EMAIL, 0).pk, async () => {
    expect((await applyUpdates(batchOf(own))).batchItemFailures).toHaveLength(1)
  })

  expect(await applyUpdates(batchOf(others.map(({ task_id }) => ({ task_id }))))).toEqual({ batchItemFailures: [] })
})
