import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { pauseCalls, unpauseCalls } from '#shared/backlog/pause.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkCreated } from '#test/support/bulk-creates.ts'
import { passTime } from '#test/support/clock.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { type NotingQueue, notingQueue, takeNotedCalls } from '#test/support/noted-calls.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const LINES = 2

const calls = callWorld()
const { place, keysAsked } = calls
const { end } = twoLines(calls)
let sqs: NotingQueue
let ended: Set<string>

beforeEach(async () => {
  sqs = notingQueue()
  ended = new Set()
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})
afterEach(async () => {
  await endCalls()
  sqs.restore()
})

const sent = () => takeNotedCalls(sqs)

const sendsNoted = () => sqs.commandCalls(SendMessageBatchCommand).length

const inBulk = (count: number) =>
  bulkCreated(
    Array.from({ length: count }, () => ({ phone_number: newPhone(), us_state: 'NY' })),
    OTHER_KEY,
  )

const openCalls = () => keysAsked().filter((key) => !ended.has(key))

const endCalls = async (): Promise<void> => {
  for (const key of openCalls()) {
    ended.add(key)
    await end(Number.parseInt(key, 10))
  }
}

const placeSent = async (): Promise<void> => {
  for (let messages = sent(); messages.length > 0; messages = sent()) {
    await place(messages)
    passTime(SECOND)
  }
}

/** Delivers all messages, and those that the ends of calls cause, without any sweep. */
const callAll = async (): Promise<void> => {
  await placeSent()
  for (let open = openCalls(); open.length > 0; open = openCalls()) {
    expect(open.length).toBeLessThanOrEqual(LINES)
    await endCalls()
    await placeSent()
  }
}

/** The n-th transaction with a lead that may be called is written only after `act` is done. */
const beforeLead = (nth: number, act: () => Promise<void>) => {
  let written = 0
  return async (command: unknown) => {
    const isLead = command instanceof TransactWriteCommand && JSON.stringify(command.input).includes('"due_list":"CALL"')
    if (isLead && ++written === nth) await act()
  }
}

describe('leads of a bulk request that are due at once', () => {
  it('a bulk request sends as many leads as lines are free, and all are called without a sweep', async () => {
    expect(await inBulk(30)).toHaveLength(30)
    // One more fills the lines that became free meanwhile.
    expect(sendsNoted()).toBe(LINES + 1)
    await callAll()
    expect(new Set(keysAsked()).size).toBe(30)
  })

  it('a bulk request sends no lead while all lines are in use, and the ends of the calls start its leads', async () => {
    await inBulk(LINES)
    await placeSent()
    expect(keysAsked()).toHaveLength(LINES)
    await inBulk(10)
    expect(sendsNoted()).toBe(0)
    await callAll()
    expect(new Set(keysAsked()).size).toBe(LINES + 10)
  })

  it('a call that ends while a bulk request looks at the lines leaves its line to a lead of the request', async () => {
    await inBulk(LINES)
    await placeSent()
    const endBeforeNote = async (command: unknown) => {
      if (/SET waiting_time/.test(JSON.stringify(command))) await endCalls()
    }
    await beforeEachSend(endBeforeNote, () => inBulk(10))
    expect(sendsNoted()).toBeGreaterThanOrEqual(LINES)
    await callAll()
    expect(new Set(keysAsked()).size).toBe(LINES + 10)
  })

  it('leads that a bulk request writes after its earlier ones were called are called without a sweep', async () => {
    await beforeEachSend(beforeLead(30, callAll), () => inBulk(30))
    expect(new Set(keysAsked()).size).toBe(29)
    await callAll()
    expect(new Set(keysAsked()).size).toBe(30)
  })

  it('another lead of a bulk request is sent when the message of one could not be sent', async () => {
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('The queue is busy.')).resolves({ Successful: [], Failed: [] })
    const results = await inBulk(20)
    expect(results.filter(({ enqueue_error }: { enqueue_error?: true }) => enqueue_error)).toHaveLength(1)
    // The first one failed.
    expect(sendsNoted()).toBe(1 + LINES + 1)
    await callAll()
    expect(new Set(keysAsked()).size).toBe(20)
  })

  it('the leads of a bulk request are sent although the first look at the lines fails', async () => {
    let hasFailed = false
    const fail = (command: unknown) => {
      if (hasFailed || !/SET waiting_time/.test(JSON.stringify(command))) return
      hasFailed = true
      throw new Error('The table is busy.')
    }
    await beforeEachSend(fail, () => inBulk(30))
    expect(hasFailed).toBe(true)
    await callAll()
    expect(new Set(keysAsked()).size).toBe(30)
  })

  it('a bulk request of a paused owner sends no lead, and the end of the pause calls them', async () => {
    await pauseCalls(2, { onlyExisting: false })
    await inBulk(5)
    expect(sent()).toEqual([])
    await unpauseCalls(2)
    passTime(MINUTE)
    await dispatchDue()
    await callAll()
    expect(new Set(keysAsked()).size).toBe(5)
  })

  it('leads that a bulk request writes after a pause ended are called without a sweep', async () => {
    await pauseCalls(2, { onlyExisting: false })
    await beforeEachSend(
      beforeLead(25, () => unpauseCalls(2)),
      () => inBulk(30),
    )
    await callAll()
    expect(new Set(keysAsked()).size).toBe(30)
  })
})
