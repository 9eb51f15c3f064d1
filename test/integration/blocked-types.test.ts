import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { allToLookAt } from '#shared/backlog/marks.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { DAY, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { passTime } from '#test/support/clock.ts'
import { type NotingQueue, notingQueue } from '#test/support/noted-calls.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { twoLines } from '#test/support/two-lines.ts'

const calls = callWorld()
const { place, keysAsked } = calls
const { madeLead, end } = twoLines(calls)
let sqs: NotingQueue

beforeEach(async () => {
  sqs = notingQueue()
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})
afterEach(() => sqs.restore())

const saveType = (changes: Partial<LeadType> = {}) => saveLeadType(sampleLeadType({ owner: 2, ...changes }))

/** The messages that were sent since the last look with at most this delay. @param seconds the delay */
const takeSent = (seconds: number): unknown[] => {
  const commands = sqs.commandCalls(SendMessageBatchCommand)
  sqs.resetHistory()
  return commands
    .flatMap(({ args }) => args[0].input.Entries ?? [])
    .filter(({ DelaySeconds = 0 }) => DelaySeconds <= seconds)
    .map(({ MessageBody }) => JSON.parse(MessageBody ?? ''))
    .filter(({ type }) => type !== undefined)
}

describe('due leads that stay in their list while their lead type is blocked', () => {
  it.each([
    ['is inactive', { active: false }],
    ['names an agent that does not exist', { agent: 'nobody' }],
  ])('when a lead type %s and is changed just before a sweep, its due leads are called without another sweep', async (_, blocked) => {
    const lead = await madeLead()
    await saveType(blocked)
    forgetConfiguration()
    passTime(2 * MINUTE)
    sqs.resetHistory()
    await dispatchDue()
    expect(await getLead(lead)).toMatchObject({ due_list: 'CALL', attempts: 0 })
    sqs.resetHistory()
    passTime(58 * SECOND)
    await saveType()
    // The sweep still uses the lead type that it read before.
    passTime(2 * SECOND)
    await dispatchDue()
    let messages = takeSent(10)
    passTime(10 * SECOND)
    forgetConfiguration()
    for (; messages.length > 0; messages = takeSent(10)) {
      await place(messages)
      passTime(SECOND)
    }
    expect(keysAsked()).toEqual([`${lead}-1`])
    await end(lead)
    sqs.resetHistory()
    passTime(2 * MINUTE)
    await dispatchDue()
    await place(takeSent(10))
    expect(await allToLookAt(now() + DAY, 100)).toEqual([])
  })
})
