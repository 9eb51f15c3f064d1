import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { DAY, SECOND } from '#shared/platform/values/durations.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { type NotingQueue, notingQueue, takeNotedCalls } from '#test/support/noted-calls.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, ingested } from '#test/support/uploads.ts'
import { agentReport, KEY, OWNER, request } from '#test/support/world.ts'

/** The calling hours begin. */
const EIGHT = Date.parse('2026-11-20T13:00:00Z')
const LINES = 2

const { world } = uploadWorld()
const { place, keysAsked } = agentCalls(world)
let sqs: NotingQueue

beforeAll(async () => {
  const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
  await saveUser({ id: OWNER, name: 'One', default_lead_type: 4, dnc_group: '1', lines: LINES, throttle, webhook_secrets: [] })
})
beforeEach(async () => {
  sqs = notingQueue()
  world().agent.requests.length = 0
  await updateItem(linesKey(OWNER), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})

afterEach(() => sqs.restore())

const sent = () => takeNotedCalls(sqs)

const inBulk = (count: number) => {
  const leads = Array.from({ length: count }, () => ({ phone_number: newPhone(), us_state: 'NY' }))
  const headers = { Authorization: `Token ${KEY}` }
  return request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', headers, body: { leads } })
}

/** Places the messages at eight, and those that the ends of calls cause, without any sweep. */
const callAll = async (messages: readonly unknown[]): Promise<void> => {
  await place(messages)
  const ended = new Set<string>()
  for (let open = keysAsked(); open.length > 0; open = keysAsked().filter((key) => !ended.has(key))) {
    expect(open.length).toBeLessThanOrEqual(LINES)
    for (const key of open) {
      ended.add(key)
      await request(report, agentReport(world().agentSecret, key, 'call.completed', { outcome: 'not_interested' }))
    }
    for (let caused = sent(); caused.length > 0; caused = sent()) {
      passTime(SECOND)
      await place(caused)
    }
  }
}

describe('leads that arrive shortly before they become due together', () => {
  it('the leads of a file that arrives before eight cause two messages, and all are called without a sweep', async () => {
    setClock(EIGHT - 90 * SECOND)
    const rows = Array.from({ length: 30 }, (_, row) => `id${row},Ann,${newPhone()},,NY,`)
    expect(await ingested(csv(rows))).toMatchObject({ created: 30 })
    const messages = sent()
    expect(messages.map(({ fill_lines_of }) => fill_lines_of)).toEqual([undefined, OWNER])
    setClock(EIGHT)
    await callAll(messages)
    expect(new Set(keysAsked()).size).toBe(30)
  })

  it('the leads of a bulk request that arrives before eight cause two messages, and all are called without a sweep', async () => {
    setClock(EIGHT + DAY - 90 * SECOND)
    expect(await inBulk(20)).toMatchObject({ status: 200 })
    const messages = sent()
    expect(messages).toHaveLength(2)
    setClock(EIGHT + DAY)
    await callAll(messages)
    expect(new Set(keysAsked()).size).toBe(20)
  })

  it('rows that make many leads due cause no more messages than lines are free, and all leads are called without a sweep', async () => {
    setClock(EIGHT + 3 * DAY - 90 * SECOND)
    const rows = Array.from({ length: 30 }, (_, row) => ({ id: `move${row}`, phone: newPhone() }))
    await ingested(csv(rows.map(({ id, phone }) => `${id},Ann,${phone},,CA,`)))
    setClock(EIGHT + 3 * DAY + SECOND)
    expect(sent()).toEqual([])
    expect(await ingested(csv(rows.map(({ id, phone }) => `${id},Ann,${phone},,NY,`)))).toMatchObject({ updated: 30 })
    const messages = sent()
    expect(messages.length).toBeLessThanOrEqual(LINES + 1)
    await callAll(messages)
    expect(new Set(keysAsked()).size).toBe(30)
  })

  it('another lead of a bulk request is sent when the message of one could not be sent', async () => {
    setClock(EIGHT + 2 * DAY - 90 * SECOND)
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('The queue is busy.')).resolves({ Successful: [], Failed: [] })
    await inBulk(20)
    // The first one failed.
    expect(sent()).toHaveLength(3)
  })
})
