import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { damageAt } from '#lib/ops/check/confirm.ts'
import { readDueLeads } from '#shared/backlog/due-leads.ts'
import { addGroups, getLines } from '#shared/calling/line-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime } from '#test/support/clock.ts'
import { created, times } from '#test/support/lead-requests.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { inCall, told, keysAsked, placeQueued } = callWorld()

describe('a read of due leads', () => {
  it('a read of due leads reads no metadata, which would fill the memory of its function', async () => {
    await times(3, () => created({ note: 'x'.repeat(1000) }))
    const read: unknown[] = []
    const due = await beforeEachSend(
      async (command) => {
        if (command instanceof BatchGetCommand) read.push(...Object.values(command.input.RequestItems ?? {}))
      },
      () => readDueLeads({ id: OWNER, paused_upto: 0 }, 3, 3, now() + MINUTE),
    )
    expect(due.ready).toHaveLength(3)
    const names = { '#0': 'pk', '#1': 'due_list', '#2': 'attempts', '#3': 'next_call_time', '#4': 'lead_type', '#5': 'position' }
    expect(read).toEqual([expect.objectContaining({ ProjectionExpression: '#0, #1, #2, #3, #4, #5', ExpressionAttributeNames: names })])
  })
})

describe('leads that are released while no line is free', () => {
  it('leads that are released while no line is free cause no dial, and each end of a call sends one of them', async () => {
    const [first] = await times(2, () => created({}, OTHER_KEY))
    await placeQueued()
    const called = keysAsked().length
    await pause(2, {}, OTHER_KEY)
    const waiting = await times(20, () => created({}, OTHER_KEY))
    await placeQueued()
    for (const { id } of waiting) expect(await getLead(id)).toMatchObject({ due_list: 'HELD' })
    await unpause(2, undefined, OTHER_KEY)
    const messages = await placeQueued()
    expect(messages.filter((message) => JSON.stringify(message).includes('"dial"'))).toEqual([])
    for (const { id } of waiting) expect(await getLead(id)).toMatchObject({ due_list: 'CALL' })
    // Until then, no lead that was sent counts as under way.
    passTime(MINUTE)
    await told(`${first?.id}-1`, 'call.completed', { outcome: 'not_interested' })
    await placeQueued()
    expect(keysAsked()).toHaveLength(called + 1)
  })
})

describe('the check of a line', () => {
  it('the check of a line whose call goes on costs the same with any number of lines', async () => {
    const { call } = await inCall()
    const check = async () => {
      expect(await damageAt({ kind: 'line-held', where: `${OWNER}/${call}` })).toBeUndefined()
    }
    const { read } = await unitsOf(check)
    expect(await addGroups({ id: OWNER, lines: 10_000 }, await getLines(OWNER), 249)).toBe(true)
    expect((await unitsOf(check)).read).toBe(read)
  })
})
