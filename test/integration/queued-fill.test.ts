import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { fillAfterCall, fillAfterLast } from '#shared/backlog/fill-lines.ts'
import { getLines } from '#shared/calling/line-store.ts'
import { now } from '#shared/platform/clock.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { type NotingQueue, notingQueue } from '#test/support/noted-calls.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const OWNER = 2
const KEY = { pk: `LINES#${OWNER}`, sk: 'LINES' }
const FILL = { type: 'fill', owner: OWNER, fill_time: expect.any(Number) }

const { place } = callWorld()
let sqs: NotingQueue

beforeEach(async () => {
  sqs = notingQueue()
  await updateItem(KEY, { UpdateExpression: 'REMOVE fill_time' })
})
afterEach(() => sqs.restore())

const sent = () => {
  const commands = sqs.commandCalls(SendMessageBatchCommand)
  sqs.resetHistory()
  return commands.flatMap(({ args }) => (args[0].input.Entries ?? []).map(({ MessageBody }) => JSON.parse(MessageBody ?? '')))
}

/** Sends the write that sets `fill_time` twice. */
const repeatFill = async (command: unknown, send: () => Promise<unknown>) =>
  command instanceof UpdateCommand && command.input.UpdateExpression?.startsWith('SET fill_time = :next') && send()

/** Ends twenty calls while leads wait. @returns the messages that are sent */
const endCalls = async () => {
  sqs.resetHistory()
  for (let call = 0; call < 20; call++) {
    await updateItem(KEY, { UpdateExpression: 'SET waiting_time = :at', ExpressionAttributeValues: { ':at': now() } })
    await fillAfterCall(OWNER, await getLines(OWNER))
  }
  return sent()
}

/** Calls end for a minute. Each message for a fill is handled some seconds after it was sent. @returns the number of messages, and of leads that they sent */
const fillsHandledAfter = async (seconds: number) => {
  const fills: { due: number; body: unknown }[] = []
  let [handled, leads] = [0, 0]
  for (let second = 0; second < 60; second++) {
    const queued = (await endCalls()).filter(({ type }) => type === 'fill')
    fills.push(...queued.map((body) => ({ due: now() + seconds * SECOND, body })))
    for (; fills[0] && fills[0].due <= now(); fills.shift()) {
      handled++
      await place([fills[0].body])
      leads += sent().filter(({ type }) => type === 'dial').length
    }
    passTime(SECOND)
  }
  return { handled, leads }
}

describe('a queued fill', () => {
  it('a fill that waits behind other messages is queued once, and the next one from its begin on', async () => {
    const [fill] = await endCalls()
    expect(fill).toEqual(FILL)
    passTime(5 * SECOND)
    expect(await endCalls()).toEqual([])
    await place([fill])
    expect(await endCalls()).toEqual([FILL])
  })

  it('a fill that is delivered twice queues only one further fill', async () => {
    const [fill] = await endCalls()
    await place([fill])
    passTime(SECOND)
    const [next] = await endCalls()
    await place([fill])
    expect(await endCalls()).toEqual([])
    await place([next])
    expect(await endCalls()).toEqual([FILL])
  })

  it('a queued fill that has not begun after ten seconds counts as lost', async () => {
    expect(await endCalls()).toEqual([FILL])
    passTime(11 * SECOND)
    expect(await endCalls()).toEqual([FILL])
  })

  it('a fill that is queued stays so for a function whose clock is behind', async () => {
    const [fill] = await endCalls()
    expect(fill).toEqual(FILL)
    passTime(-50)
    expect(await endCalls()).toEqual([])
    passTime(SECOND)
    await created({}, OTHER_KEY)
    sqs.resetHistory()
    await place([fill])
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'dial' }))
  })

  it('a fill is queued although the table’s answer to its write is lost, and the write is repeated', async () => {
    await beforeEachSend(repeatFill, () => fillAfterLast(OWNER, {}))
    expect(sent()).toEqual([FILL])
  })

  it('a queued fill begins although the table’s answer to its first write is lost, and the write is repeated', async () => {
    const [fill] = await endCalls()
    await created({}, OTHER_KEY)
    passTime(SECOND)
    sqs.resetHistory()
    await beforeEachSend(repeatFill, () => place([fill]))
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'dial' }))
  })

  it.each([2, 15, 40])('each queued fill sends leads when it is handled %i seconds late', async (seconds) => {
    await created({}, OTHER_KEY)
    const { handled, leads } = await fillsHandledAfter(seconds)
    expect(handled).toBeGreaterThan(1)
    expect(leads).toBeGreaterThanOrEqual(handled - 1)
  })

  it('calls that end fill lines two seconds after a queued fill has failed', async () => {
    await created({}, OTHER_KEY)
    const fill = (await endCalls()).find(({ type }) => type === 'fill')
    passTime(SECOND)
    sqs.on(SendMessageBatchCommand).rejects(new Error('The queue is busy.'))
    expect(await place([fill])).toEqual([0])
    sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] })
    passTime(2 * SECOND)
    expect(await endCalls()).toContainEqual(expect.objectContaining({ type: 'dial' }))
  })
})
