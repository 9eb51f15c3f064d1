import { expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { markChanged } from '#shared/backlog/marks.ts'
import { BREAKERS, breakerKey, dueAt } from '#shared/platform/keys.ts'
import { batchDelete, batchPut } from '#shared/platform/table/batches.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'

const { queued } = callWorld()

it('a sweep looks at another changed setting first, although thousands of numbers left the list of litigators before', async () => {
  const marks = Array.from({ length: 5_001 }, (_, index) => {
    const key = breakerKey(`litigator ${index}`)
    return { ...key, due_key: BREAKERS, due_at: dueAt(NOON - MINUTE, 0, 0) }
  })
  await batchPut(marks)
  await transact([markChanged('account 2', NOON)])
  setClock(NOON + MINUTE)
  await dispatchDue()
  const probes = (await queued()).filter(({ type }) => type === 'probe').map(({ agent }) => agent)
  expect(probes).toContain('account 2')
  await batchDelete(marks.map(({ pk, sk }) => ({ pk, sk })))
})

it('a sweep looks at a changed setting and an agent, although many settings changed shortly before', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `litigator ${index}`)
  for (let start = 0; start < names.length; start += 100)
    await transact(names.slice(start, start + 100).map((name) => markChanged(name, NOON)))
  await transact([markChanged('account 1', NOON + SECOND), markChanged('simulator', NOON + SECOND)])
  setClock(NOON + MINUTE)
  await dispatchDue()
  const probes = (await queued()).filter(({ type }) => type === 'probe').map(({ agent }) => agent)
  expect(probes).toEqual(expect.arrayContaining([...names, 'account 1', 'simulator']))
})
