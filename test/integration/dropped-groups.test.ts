import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import {
  addGroups,
  addLine,
  callsOnLines,
  getLines,
  groupForInbound,
  pauseLines,
  releaseLine,
  seeLines,
  takeLine,
} from '#shared/calling/line-store.ts'
import { lineGroupKey } from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

suiteWorld()

/** Calls in each group of an owner's lines. */
const fill = (owner: number, counts: readonly number[]): Promise<void> =>
  batchPut(
    counts.map((count, group) => ({
      ...lineGroupKey(owner, group),
      ...(count > 0 && { calls: new Set(Array.from({ length: count }, (_, call) => `${group}00${call}-1`)) }),
      ...(group === 0 && { groups: counts.length }),
    })),
  )

/** The lines as a dial sees them. */
const view = async (owner: { id: number; lines: number }, wanted?: number) => {
  const lines = await getLines(owner.id)
  return { ...(await seeLines(owner, lines, wanted)), fence: lines.fence, lines }
}
const take = async (owner: { id: number; lines: number }, call: string, seen: Awaited<ReturnType<typeof view>>): Promise<boolean> =>
  seen.inUse < seen.limit &&
  (await addGroups(owner, seen.lines, seen.group)) &&
  (await transact([takeLine(owner.id, call, seen)])).committed

/** How often a dial reads all groups, and how many transactions it makes to look. */
const looks = async (owner: { id: number; lines: number }): Promise<[queries: number, transactions: number]> => {
  let [queries, transactions] = [0, 0]
  await beforeEachSend(
    (command) => {
      if (command instanceof QueryCommand) queries++
      if (command instanceof TransactWriteCommand) transactions++
    },
    () => view(owner),
  )
  return [queries, transactions]
}

describe('groups of lines beyond a lowered limit', () => {
  it('a dial drops groups without calls beyond a lowered limit, so that later dials do not read all groups', async () => {
    await fill(1, [30, 30, 30, 0])
    expect((await looks({ id: 1, lines: 120 }))[1]).toBe(1)
    expect(await getLines(1)).toMatchObject({ groups: 3, fence: 1 })
    for (let dial = 0; dial < 5; dial++) expect(await looks({ id: 1, lines: 120 })).toEqual([0, 0])
  })

  it('a group beyond a lowered limit is kept until its calls have ended', async () => {
    await fill(2, [30, 0, 1])
    const owner = { id: 2, lines: 60 }
    expect((await looks(owner))[1]).toBe(0)
    expect(await callsOnLines(2, await getLines(2))).toHaveLength(31)
    await releaseLine({ owner: 2, call_id: '2000-1', line_group: 2 })
    expect((await looks(owner))[1]).toBe(1)
    expect(await getLines(2)).toMatchObject({ groups: 2 })
  })

  it('hundreds of groups without calls are dropped by several dials', async () => {
    await fill(3, [5, ...Array.from({ length: 249 }, () => 0)])
    const owner = { id: 3, lines: 30 }
    const groups: number[] = []
    for (let dial = 0; dial < 4; dial++) {
      await view(owner)
      groups.push((await getLines(3)).groups)
    }
    expect(groups).toEqual([151, 52, 1, 1])
  })

  it('neither a dial nor an inbound call that read before takes a line of a dropped group', async () => {
    const before = { id: 4, lines: 120 }
    await fill(4, [40, 40, 0])
    const seen = await view(before, 2)
    const inbound = await groupForInbound(before)
    expect([seen.group, inbound.group]).toEqual([2, 2])
    await view({ id: 4, lines: 80 })
    expect(await getLines(4)).toMatchObject({ groups: 2 })
    expect(await take(before, '1-1', seen)).toBe(false)
    expect((await transact([addLine(4, '2-1', inbound)])).committed).toBe(false)
    expect(await callsOnLines(4, await getLines(4))).toHaveLength(80)
    // After a raise of the limit, the group is there again.
    expect(await take(before, '3-1', await view(before, 2))).toBe(true)
    expect(await callsOnLines(4, await getLines(4))).toHaveLength(81)
  })

  it('a group is not dropped when a dial takes its first line at the same moment', async () => {
    const before = { id: 5, lines: 120 }
    await fill(5, [40, 40, 0])
    const seen = await view(before, 2)
    let isTaken = false
    await beforeEachSend(
      async (command) => {
        if (isTaken || !(command instanceof TransactWriteCommand)) return
        isTaken = true
        expect(await take(before, '1-1', seen)).toBe(true)
      },
      () => view({ id: 5, lines: 80 }),
    )
    expect(await getLines(5)).toMatchObject({ groups: 3, fence: 0 })
    expect(await callsOnLines(5, await getLines(5))).toHaveLength(81)
  })

  it('a pause reaches a group that was dropped and added again', async () => {
    const owner = { id: 6, lines: 120 }
    await fill(6, [40, 40, 0])
    await view({ id: 6, lines: 80 })
    const early = await view(owner, 2)
    const late = await view(owner, 2)
    expect(await take(owner, '1-1', early)).toBe(true)
    await pauseLines(6)
    expect(await take(owner, '2-1', late)).toBe(false)
    expect(await take(owner, '3-1', { ...late, group: 1, most: 41 })).toBe(false)
  })
})
