import { expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { markChanged } from '#shared/backlog/marks.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'

const { queued } = callWorld()

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
