import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { callKeyOf, watchKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'

const { queued, inCall } = callWorld()

let tool: Awaited<ReturnType<typeof startOps>>
beforeAll(async () => {
  tool = await startOps()
})
afterAll(() => tool.stop())

/** A call in progress that an earlier version put into one of its four partitions. */
const formerCall = async (): Promise<string> => {
  const { lead, call } = await inCall()
  const partition = watchKey((lead + 1) % 4)
  expect(partition).not.toBe(watchKey(lead))
  await updateItem(callKeyOf(call)!, { UpdateExpression: 'SET due_key = :key', ExpressionAttributeValues: { ':key': partition } })
  return call
}

describe('a call in progress in a partition of an earlier version', () => {
  it('the sweep looks at a call in progress in a partition of an earlier version', async () => {
    const call = await formerCall()
    await queued()
    setClock(NOON + 10 * 60_000)
    await dispatchDue()
    expect(await queued()).toContainEqual(expect.objectContaining({ type: 'watch', call_id: call }))
  })

  it('check finds nothing wrong with a call in progress in a partition of an earlier version', async () => {
    setClock(NOON)
    await formerCall()
    const { code, out } = await tool.ops(['check', '--json', '--again-after', '0'])
    expect({ code, findings: JSON.parse(out).findings }).toEqual({ code: 0, findings: [] })
  })
})
