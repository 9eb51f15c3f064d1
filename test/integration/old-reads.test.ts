import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { handler as schedule } from '#functions/leads/schedule-call.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getLead, unlistLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { leadKey, linesKey } from '#shared/platform/keys.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime } from '#test/support/clock.ts'
import { linesAsStored, withOldLines } from '#test/support/old-reads.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY, request } from '#test/support/world.ts'

const calls = callWorld()
const { world, queued, place, placeQueued, keysAsked } = calls
const { madeLead, dueLead, end } = twoLines(calls)

describe('an old read of the lines', () => {
  it('does not keep a waiting lead from the line of a call that has ended', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const waiting = [await dueLead(), await dueLead(), await dueLead()]
    passTime(3 * SECOND)
    const old = await linesAsStored(2)
    world().agent.requests.length = 0
    await end(inCall[0]!)
    expect(await withOldLines(2, old, 1, placeQueued)).toBe(1)
    expect(keysAsked()).toEqual([`${waiting[0]}-1`])
    for (const id of [...inCall, ...waiting]) {
      await end(id)
      await placeQueued()
    }
  })

  it('does not keep a refused lead from passing the free line on, when both of its reads miss the note that leads wait', async () => {
    const inCall = await dueLead()
    const refused = await madeLead()
    const behind = await madeLead()
    await raiseDnc(await phonePk('2', (await getLead(refused))!.phone_number), ['call'], {
      accepted: nextSequence(),
      owner: 1,
      origin: { means: 'api' },
      listed: true,
    })
    await queued()
    passTime(MINUTE)
    let old: Record<string, unknown> | undefined
    await beforeEachSend(async (command) => {
      if (old || !(command instanceof UpdateCommand) || !command.input.UpdateExpression?.startsWith('SET waiting_time')) return
      old = {}
      old = await linesAsStored(2)
    }, dispatchDue)
    expect(await withOldLines(2, old!, 2, placeQueued)).toBe(2)
    expect(keysAsked()).toContain(`${behind}-1`)
    for (const id of [inCall, behind]) await end(id)
  })

  it('does not keep a refused lead from passing the free line on, when it shows a fill as queued that has begun', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const waiting = [await dueLead(), await dueLead()]
    await end(inCall[0]!)
    const messages = await queued()
    // As if another message had called the lead.
    await unlistLead(waiting[0]!)
    await updateItem(leadKey(waiting[0]!), { UpdateExpression: 'SET attempts = :one', ExpressionAttributeValues: { ':one': 1 } })
    const old = { ...(await linesAsStored(2)), fill_time: now() + 10 * SECOND }
    await updateItem(linesKey(2), { UpdateExpression: 'REMOVE fill_time' })
    world().agent.requests.length = 0
    expect(await withOldLines(2, old, 1, () => place(messages))).toBe(1)
    await placeQueued()
    expect(keysAsked()).toEqual([`${waiting[1]}-1`])
    for (const id of [inCall[1]!, waiting[1]!]) await end(id)
  })

  it('does not refuse a call that is ordered after the end of a pause', async () => {
    const id = await madeLead()
    await pause(2, undefined, OTHER_KEY)
    const old = await linesAsStored(2)
    expect(await unpause(2, undefined, OTHER_KEY)).toMatchObject({ status: 202 })
    await withOldLines(2, old, 1, async () => {
      const path = `/api/leads/${id}/schedule-call/`
      const headers = { Authorization: `Token ${OTHER_KEY}` }
      const answer = await request(schedule, { method: 'POST', path, parameters: { id: `${id}` }, headers, body: {} })
      expect(answer).toMatchObject({ status: 200, body: { scheduled: true } })
    })
  })
})
