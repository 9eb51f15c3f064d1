import { expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { markChanged } from '#shared/backlog/marks.ts'
import { isSetting } from '#shared/backlog/rules/holders.ts'
import { BREAKERS, breakerKey, dueAt, markKey } from '#shared/platform/keys.ts'
import { batchDelete, batchPut } from '#shared/platform/table/batches.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'

const { queued } = callWorld()
const sent = watchSent()

/** `BREAKERS`: an earlier version has written the marks. */
const PARTITIONS = [
  ['the partition of agents', () => BREAKERS],
  ['their own partitions', markKey],
] as const

it.each(PARTITIONS)('a sweep looks at another changed setting before thousands of litigators with marks in %s', async (_, partitionOf) => {
  const marks = Array.from({ length: 5_001 }, (_mark, index) => {
    const name = `litigator ${index}`
    return { ...breakerKey(name), due_key: partitionOf(name), due_at: dueAt(NOON - MINUTE, 0, 0) }
  })
  await batchPut(marks)
  await transact([markChanged('account 2', NOON)])
  setClock(NOON + MINUTE)
  const messages = await sent(() => dispatchDue())
  await batchDelete(marks.map(({ pk, sk }) => ({ pk, sk })))
  const settings = messages.filter(({ body }) => body.type === 'probe' && isSetting(body.agent)).map(({ body }) => body.agent)
  expect(settings).toHaveLength(5_000)
  expect(settings).toContain('account 2')
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
