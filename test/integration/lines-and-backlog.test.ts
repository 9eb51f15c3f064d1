import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { getLines, pauseLinesUpTo } from '#shared/calling/line-store.ts'
import { getLead, unlistLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { heldLeads, unlistHeld } from '#test/support/held-leads.ts'
import { created } from '#test/support/lead-requests.ts'
import { type NotingQueue, notingQueue, takeNotedCalls } from '#test/support/noted-calls.ts'
import { NOON } from '#test/support/samples.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

/** 21:10 in New York, 18:10 in Los Angeles. */
const EVENING = Date.parse('2026-11-21T02:10:00Z')

const calls = callWorld()
const { place, keysAsked } = calls
const { end } = twoLines(calls)
let sqs: NotingQueue

beforeEach(async () => {
  sqs = notingQueue()
  for (const owner of [OWNER, 2])
    await updateItem(linesKey(owner), { UpdateExpression: 'REMOVE waiting_time, fill_time, refused, sent_until, paused_upto' })
})
afterEach(async () => {
  for (const call of keysAsked()) await end(Number.parseInt(call, 10))
  sqs.restore()
  await unlistHeld()
})

/** Due leads in New York of the other owner. */
const inFront = (count: number) => heldLeads(count, { due_list: 'CALL', held_by: null }, { key: OTHER_KEY })

const setLines = async (lines: number): Promise<void> => {
  await changeUserSettings(2, { lines })
  forgetConfiguration()
}

/** The messages that were sent, each with the time at which the queue gives it. */
const sentMessages = () => {
  const entries = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? [])
  sqs.resetHistory()
  return entries
    .map(({ MessageBody = '', DelaySeconds = 0 }) => ({ at: now() + DelaySeconds * SECOND, body: JSON.parse(MessageBody) }))
    .filter(({ body }) => ['dial', 'fill'].includes(body.type))
}

const dialsSent = (): number => takeNotedCalls(sqs).filter(({ type }) => type === 'dial').length

describe('an owner whose first leads are refused', () => {
  it.each([
    [2, 60],
    [10, 200],
  ])('on %i lines, a lead is called within ten seconds although the hours of %i leads before it are over', async (lines, count) => {
    await setLines(lines)
    setClock(NOON)
    await inFront(count)
    setClock(EVENING)
    const { id } = await created({ us_state: 'CA', phone_number: `+121355501${lines + 60}`, timezone: 'America/Los_Angeles' }, OTHER_KEY)
    expect((await getLead(id))?.next_call_time).toBeLessThanOrEqual(now())
    sqs.resetHistory()
    passTime(30 * SECOND)
    await dispatchDue()
    let waiting = sentMessages()
    // A message takes a tenth of a second.
    for (let step = 0; step < 100 && !keysAsked().includes(`${id}-1`); step++) {
      passTime(SECOND / 10)
      const { true: given = [], false: later = [] } = Object.groupBy(waiting, ({ at }) => `${at <= now()}`)
      if (given.length > 0) await place(given.map(({ body }) => body))
      waiting = [...later, ...sentMessages()]
    }
    expect(keysAsked()).toContain(`${id}-1`)
  })

  it('a fill sends two leads more for each refused one, and the next fill none', async () => {
    await setLines(2)
    setClock(NOON)
    await inFront(30)
    const fill = { type: 'fill', owner: 2, fill_time: now() + 12 * SECOND }
    await updateItem(linesKey(2), {
      UpdateExpression: 'SET fill_time = :at, waiting_time = :now, refused = :refused',
      ExpressionAttributeValues: { ':at': fill.fill_time, ':now': now(), ':refused': 5 },
    })
    sqs.resetHistory()
    await place([fill])
    expect(dialsSent()).toBe(2 + 2 * 5)
    passTime(10 * SECOND)
    const next = { ...fill, fill_time: (await getLines(2)).fill_time }
    await place([next])
    expect(dialsSent()).toBe(2)
  })
})

describe('an owner with 1,000 free lines', () => {
  it.each([500, 620, 640])('all of %i leads that are due are sent within two seconds of a sweep', async (count) => {
    setClock(NOON)
    await heldLeads(count, { due_list: 'CALL', held_by: null })
    setClock(NOON + 2 * MINUTE)
    sqs.resetHistory()
    await dispatchDue()
    const sent = new Set<number>()
    const note = async () => {
      const messages = takeNotedCalls(sqs)
      for (const { type, lead_id } of messages) {
        if (type !== 'dial') continue
        sent.add(lead_id)
        // As its dial does.
        await unlistLead(lead_id)
      }
      return messages.filter(({ type }) => type === 'fill')
    }
    for (let second = 0; second < 2; second++) {
      const fills = await note()
      passTime(SECOND)
      await place(fills)
    }
    await note()
    expect(sent.size).toBe(count)
  })
})

describe('a pause of existing leads', () => {
  it('no lead is sent while the pause covers all leads, however many are due', async () => {
    setClock(NOON)
    const leads = await inFront(600)
    await pauseLinesUpTo(2, Math.max(...leads))
    setClock(NOON + 2 * MINUTE)
    sqs.resetHistory()
    await dispatchDue()
    expect(dialsSent()).toBe(0)
  })
})
