import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { handler as me } from '#functions/users/me.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import {
  addGroups,
  addLine,
  freeLines,
  getLines,
  groupForInbound,
  releaseLine,
  seeAllLines,
  seeLines,
  takeLine,
} from '#shared/calling/line-store.ts'
import { lineGroupKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { eventually } from '#test/support/eventually.ts'
import { created, times } from '#test/support/lead-requests.ts'
import { OTHER_KEY, request } from '#test/support/world.ts'

const { placeQueued, tell, keysAsked } = callWorld()

const inUse = async (id: number): Promise<number> => (await seeAllLines({ id, lines: 0 }, await getLines(id))).inUse

/** Takes a line as a dial does. @returns the group; undefined when no line is free */
const take = async (owner: { id: number; lines: number }, call: string): Promise<number | undefined> => {
  for (;;) {
    const lines = await getLines(owner.id)
    const seen = await seeLines(owner, lines)
    if (seen.inUse >= seen.limit) return undefined
    if (!(await addGroups(owner, lines, seen.group))) continue
    if ((await transact([takeLine(owner.id, call, { ...seen, fence: lines.fence })])).committed) return seen.group
  }
}

/** The lines as a dial reads them. Others may take lines before it does. */
const view = async (owner: { id: number; lines: number }) => {
  const lines = await getLines(owner.id)
  return { ...(await seeLines(owner, lines)), fence: lines.fence }
}

const callsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}-1`)

describe('the lines of an owner', () => {
  it.each([1, 2, 40, 41, 100])('all of %i lines are taken, and never one too many, when more calls take one at once', async (limit) => {
    const owner = { id: 500 + limit, lines: limit }
    const taken = await Promise.all(callsOf(limit + 15).map((call) => take(owner, call)))
    expect(taken.filter((group) => group !== undefined)).toHaveLength(limit)
    expect(await inUse(owner.id)).toBe(limit)
    expect(await freeLines(owner, await getLines(owner.id))).toEqual([])
  })

  it('a line is free again after its call, however often the end is repeated', async () => {
    const owner = { id: 700, lines: 90 }
    const calls = callsOf(90)
    const groups = await Promise.all(calls.map((call) => take(owner, call)))
    for (const [index, call] of calls.slice(0, 30).entries()) {
      for (let time = 0; time < 2; time++) await releaseLine({ owner: owner.id, call_id: call, line_group: groups[index] ?? null })
    }
    expect(await inUse(owner.id)).toBe(60)
    expect(await freeLines(owner, await getLines(owner.id))).toHaveLength(30)
  })

  it.each([
    [50, 90],
    [50, 80],
    [60, 120],
  ])('no line is free after a limit of %i replaced one of %i, until enough calls have ended', async (limit, before) => {
    const owner = { id: 710 + before, lines: before }
    const calls = callsOf(before)
    const groups = await Promise.all(calls.map((call) => take(owner, call)))
    const lowered = { ...owner, lines: limit }
    const end = (call: string, index: number) => releaseLine({ owner: owner.id, call_id: call, line_group: groups[index] ?? null })
    for (const [index, call] of calls.slice(0, before - limit).entries()) {
      expect(await take(lowered, `${before + index + 1}-1`)).toBeUndefined()
      expect(await freeLines(lowered, await getLines(owner.id))).toEqual([])
      await end(call, index)
    }
    expect(await take(lowered, '999-1')).toBeUndefined()
    await end(calls.at(-1) ?? '', before - 1)
    expect(await freeLines(lowered, await getLines(owner.id))).toHaveLength(1)
    expect(await take(lowered, '999-1')).toBeDefined()
  })

  it('dials that take a line at once never take one too many while a group has more calls than lines', async () => {
    const owner = { id: 704, lines: 80 }
    const calls = callsOf(80)
    const groups = await Promise.all(calls.map((call) => take(owner, call)))
    const lowered = { ...owner, lines: 50 }
    const inFirst = calls.filter((_, index) => groups[index] === 0)
    const inSecond = calls.filter((_, index) => groups[index] === 1)
    // 49 calls are left, of which 30 are in the second group. That group has ten lines now.
    const ended = [...inFirst.slice(0, 21), ...inSecond.slice(0, 10)]
    for (const call of ended) await releaseLine({ owner: 704, call_id: call, line_group: inFirst.includes(call) ? null : 1 })
    const taken = await Promise.all(callsOf(10).map((call) => take(lowered, `9${call}`)))
    expect(taken.filter((group) => group !== undefined)).toHaveLength(1)
    expect(await inUse(704)).toBe(50)
  })

  it('dials that read at different moments never take one line too many while a group has more calls than lines', async () => {
    const Step = fc.oneof({ arbitrary: fc.constant('read'), weight: 2 }, { arbitrary: fc.constant('take'), weight: 4 }, fc.nat(2))
    let id = 10_000
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 8, maxLength: 20 }), async (steps) => {
        const owner = { id: id++, lines: 100 }
        // The third group has 20 lines.
        const left = [39, 31, 28].map((count, group) => callsOf(count).map((call) => `${group}${call}`))
        await addGroups(owner, await getLines(owner.id), 2)
        for (const [group, calls] of left.entries()) {
          const values = { ':calls': new Set(calls) }
          await updateItem(lineGroupKey(owner.id, group), { UpdateExpression: 'SET calls = :calls', ExpressionAttributeValues: values })
        }
        const views = await times(6, () => view(owner))
        for (const [index, step] of steps.entries()) {
          if (step === 'read') views.push(await view(owner))
          else if (step === 'take') {
            const [seen] = views.splice(index % Math.max(1, views.length), 1)
            if (seen && seen.inUse < seen.limit) await transact([takeLine(owner.id, `9${index}-1`, seen)])
            expect(await inUse(owner.id)).toBeLessThanOrEqual(100)
          } else await releaseLine({ owner: owner.id, call_id: left[step]?.pop() ?? '0-1', line_group: step || null })
        }
      }),
      { numRuns: 20 },
    )
  })

  it('no further call starts while inbound calls take more lines than an owner has', async () => {
    const owner = { id: 703, lines: 100 }
    const calls = callsOf(90)
    const groups = await Promise.all(calls.map((call) => take(owner, call)))
    for (let caller = 0; caller < 30; caller++) {
      const group = await groupForInbound(owner)
      await transact([addLine(703, `${1000 + caller}-1`, group)])
    }
    for (const [index, call] of calls.slice(0, 21).entries()) {
      expect(await take(owner, `${2000 + index}-1`)).toBeUndefined()
      await releaseLine({ owner: 703, call_id: call, line_group: groups[index] ?? null })
    }
    expect(await inUse(703)).toBe(99)
    expect(await take(owner, '3000-1')).toBeDefined()
    expect(await take(owner, '3001-1')).toBeUndefined()
  })

  it('an owner with few calls takes all lines in one item', async () => {
    const owner = { id: 702, lines: 1000 }
    for (const call of callsOf(10)) expect(await take(owner, call)).toBe(0)
    expect(await getLines(702)).toMatchObject({ groups: 1 })
  })
})

describe('an owner with more leads than lines, and lines in two groups', () => {
  it('an owner with more leads than lines has a call on each line, and gives each line that becomes free to another lead, even when calls end at once', async () => {
    const rest = { name: 'Other', default_lead_type: 4, dnc_group: '2', throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 } }
    await saveUser({ id: 2, ...rest, lines: 45, webhook_secrets: [] })
    await times(60, () => created({}, OTHER_KEY))
    await placeQueued()
    expect(new Set(keysAsked()).size).toBe(45)
    const headers = { Authorization: `Token ${OTHER_KEY}` }
    const { body } = await request(me, { method: 'GET', path: '/api/users/me/', headers })
    expect(body).toMatchObject({ lines: { limit: 45, in_use: 45 } })
    const calls = [...new Set(keysAsked())]
    const groups = new Set((await Promise.all(calls.map(getCall))).map((call) => call?.line_group))
    expect(groups).toEqual(new Set([null, 1]))
    await Promise.all(calls.slice(0, 12).map((call) => tell(call, 'call.completed', { outcome: 'not_interested' })))
    // Five lines are filled at once, and the others by one message a second later.
    const messages: unknown[] = []
    await eventually(async () => {
      messages.push(...(await placeQueued()))
      return new Set(keysAsked()).size === 57
    })
    expect(messages.length).toBeLessThanOrEqual(12 + 4)
    expect(await inUse(2)).toBe(45)
  })
})
