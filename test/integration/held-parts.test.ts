import { describe, expect, it } from '@jest/globals'
import { markedParts } from '#shared/backlog/marks.ts'
import { now } from '#shared/platform/clock.ts'
import { breakerKey, dueAt, heldKey, leadKey, ownerPlacement, userKey } from '#shared/platform/keys.ts'
import { batchDelete, batchPut } from '#shared/platform/table/batches.ts'
import { HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { fillList, heldLeads } from '#test/support/held-leads.ts'
import { NOON } from '#test/support/samples.ts'
import { type Sent, sharedHolders } from '#test/support/shared-holders.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { agent, placeEach, sweep, startRuns, countHeld, agentIsBack, emergencyEnds, registryChanges } = sharedHolders()

/** Things that hold leads of all owners: their names, and how each lets its leads go. */
const HOLDERS: readonly [what: string, nameOf: () => string, letGo: () => Promise<void>][] = [
  ['an agent that is back', () => agent().id, agentIsBack],
  ['an emergency that has ended', () => 'emergency NY', emergencyEnds],
  ['a do-not-call list that has changed', () => 'registry national', registryChanges],
]

const PART = `emergency NY#${OWNER}`

describe('a holder that all owners share', () => {
  it.each(HOLDERS)('the held leads of one owner do not delay those of another: %s', async (_, nameOf, letGo) => {
    const held_by = nameOf()
    await fillList(1000, heldKey(`${held_by}#${OWNER}`))
    const [last = 0] = await heldLeads(1, { held_by })
    const [one = 0] = await heldLeads(1, { held_by }, { key: OTHER_KEY })
    await letGo()
    const next = await placeEach(await startRuns())
    expect(await countHeld([one])).toBe(0)
    expect(await countHeld([last])).toBe(1)
    await placeEach(await placeEach(next))
    expect(await countHeld([last])).toBe(0)
  })

  it.each(HOLDERS)('the leads that an earlier version held in one list are released with the others: %s', async (_, nameOf, letGo) => {
    const held_by = nameOf()
    const options = [{}, { key: OTHER_KEY }, { due_key: heldKey(held_by) }, { key: OTHER_KEY, due_key: heldKey(held_by) }]
    const leads = []
    for (const option of options) leads.push(...(await heldLeads(2, { held_by }, option)))
    await letGo()
    await placeEach(await startRuns())
    expect(await countHeld(leads)).toBe(0)
  })

  it('runs that begin together are spread over some seconds, those with few leads first', async () => {
    const owners = [11, 12, 13, 14, 15]
    await batchPut(owners.map((owner) => ({ ...userKey(owner), ...ownerPlacement(owner) })))
    const keys = owners.flatMap((owner) => Array.from({ length: 501 }, (_, index) => ({ owner, ...leadKey(owner * 1_000_000 + index) })))
    await batchPut(keys.map(({ owner, ...key }) => ({ ...key, due_key: `HELD#emergency NY#${owner}`, due_at: dueAt(NOON, 1, owner) })))
    await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    const begun = await startRuns()
    await batchDelete([
      ...keys.map(({ pk, sk }) => ({ pk, sk })),
      ...owners.map(userKey),
      ...begun.map(({ body }) => breakerKey(body.agent)),
    ])
    expect(begun.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 0, 0, 0, 0, 1])
    expect(begun[0]!.body).toMatchObject({ agent: PART })
  })

  it('an agent keeps its mark for a minute after it is back, in case a lead is held late, and its parts keep theirs', async () => {
    const { id } = agent()
    const isLookedAt = async () => (await sweep()).some(({ body }) => body.type === 'probe' && body.agent === id)
    await agentIsBack()
    await startRuns()
    expect(await isLookedAt()).toBe(true)
    const late = await heldLeads(1, { held_by: id })
    setClock(NOON + 3 * MINUTE)
    await startRuns()
    expect(await isLookedAt()).toBe(false)
    expect(await markedParts(10)).toEqual([`${id}#${OWNER}`])
    // The message of the run went astray.
    setClock(NOON + 4 * MINUTE)
    await placeEach(await sweep())
    expect(await countHeld(late)).toBe(0)
    expect(await markedParts(10)).toEqual([])
  })

  it('the parts of many owners are started some at a time, and every one of them', async () => {
    const owners = Array.from({ length: 250 }, (_, index) => 1000 + index)
    await batchPut(owners.map((owner) => ({ ...userKey(owner), ...ownerPlacement(owner) })))
    const keys = owners.map((owner) => ({ owner, ...leadKey(7_000_000 + owner) }))
    await batchPut(keys.map(({ owner, ...key }) => ({ ...key, due_key: `HELD#emergency NY#${owner}`, due_at: dueAt(NOON, 1, owner) })))
    await emergencyEnds()
    const begun: Sent = []
    let messages = await startRuns()
    const sizes = []
    while (messages.length > 0) {
      const further = messages.filter(({ body }) => body.agent === 'emergency NY')
      begun.push(...messages.filter(({ body }) => body.agent.startsWith('emergency NY#')))
      sizes.push(messages.length - further.length)
      setClock(now() + SECOND)
      messages = await placeEach(further)
    }
    await batchDelete([
      ...keys.map(({ pk, sk }) => ({ pk, sk })),
      ...owners.map(userKey),
      ...begun.map(({ body }) => breakerKey(body.agent)),
    ])
    expect(new Set(begun.map(({ body }) => body.agent))).toEqual(new Set(owners.map((owner) => `emergency NY#${owner}`)))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(240)
  })

  it('a turn that was taken before the clock was set back does not keep a run from its part', async () => {
    const ids = await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    const runs = await startRuns()
    setClock(NOON - HOUR)
    await placeEach(runs.map((run) => ({ ...run, body: { ...run.body, turn: undefined } })))
    expect(await countHeld(ids)).toBe(0)
  })
})
