import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime } from '#test/support/clock.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'

const calls = callWorld()
const { world, queued, place, placeQueued, keysAsked } = calls
const { dueLead, end } = twoLines(calls)

describe('an end of a call that fails after it has freed its line', () => {
  it('gives the line to the lead that waits', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const waiting = await dueLead()
    world().agent.requests.length = 0
    let isFreed = false
    const fail = (command: unknown) => {
      const text = JSON.stringify(command)
      if (isFreed && text.includes('"PHONE#')) throw new Error('The table did not answer.')
      isFreed ||= text.includes('DELETE calls :call')
    }
    await beforeEachSend(fail, () => end(inCall[0] ?? 0))
    expect(isFreed).toBe(true)
    await placeQueued()
    expect(keysAsked()).toEqual([`${waiting}-1`])
    for (const lead of [...inCall, waiting]) await end(lead)
    await placeQueued()
  })
})

describe('a fill whose message the queue does not take', () => {
  it('does not keep the next end of a call from giving its line to the lead that waits', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const waiting = await dueLead()
    // As if a moment ago, so many leads were sent that the next end of a call queues a fill.
    const fill_time = now() + 2 * SECOND
    await updateItem(linesKey(2), { UpdateExpression: 'SET fill_time = :at', ExpressionAttributeValues: { ':at': fill_time } })
    await whileQueueIsMissing('CALL_QUEUE_URL', () => end(inCall[0] ?? 0))
    world().agent.requests.length = 0
    await end(inCall[1] ?? 0)
    await placeQueued()
    expect(keysAsked()).toEqual([`${waiting}-1`])
    await end(waiting)
    await placeQueued()
  })
})

describe('a queued fill that fails', () => {
  it('fills the lines when its message is delivered again', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const waiting = [await dueLead(), await dueLead(), await dueLead()]
    // As after many ends of calls: the next fill is queued.
    const fill = { type: 'fill', owner: 2, fill_time: now() + 12 * SECOND }
    await updateItem(linesKey(2), { UpdateExpression: 'SET fill_time = :at', ExpressionAttributeValues: { ':at': fill.fill_time } })
    for (const id of inCall) await end(id)
    expect(await queued()).toEqual([])
    world().agent.requests.length = 0
    passTime(SECOND)
    let failures = 1
    const fail = (command: unknown) => {
      if (command instanceof QueryCommand && failures-- > 0) throw new Error('The table did not answer.')
    }
    expect(await beforeEachSend(fail, () => place([fill]))).toEqual([0])
    passTime(10 * SECOND)
    expect(await place([fill])).toEqual([])
    await placeQueued()
    expect(keysAsked().toSorted()).toEqual(
      waiting
        .slice(0, 2)
        .map((id) => `${id}-1`)
        .toSorted(),
    )
  })
})
