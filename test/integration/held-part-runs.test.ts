import { describe, expect, it } from '@jest/globals'
import { closeBreaker } from '#shared/agents/breaker-store.ts'
import { markedParts, markLeft } from '#shared/backlog/marks.ts'
import { now } from '#shared/platform/clock.ts'
import { breakerKey, dueAt, heldKey, MARKED_PARTS } from '#shared/platform/keys.ts'
import { batchDelete, batchPut } from '#shared/platform/table/batches.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { fillList, heldLeads } from '#test/support/held-leads.ts'
import { NOON } from '#test/support/samples.ts'
import { sharedHolders } from '#test/support/shared-holders.ts'
import { OWNER } from '#test/support/world.ts'

const { agent, placeEach, sweep, startRuns, countHeld, agentIsDown, agentIsBack, emergencyEnds } = sharedHolders()

const PART = `emergency NY#${OWNER}`

/** Marks parts of other owners, which have no leads, during a run. */
const withMarks = async (count: number, run: () => Promise<unknown>): Promise<void> => {
  const keys = Array.from({ length: count }, (_, index) => breakerKey(`registry national#${1000 + index}`))
  await batchPut(keys.map((key) => ({ ...key, due_key: MARKED_PARTS, due_at: dueAt(NOON, 0, 0), turn_time: NOON + HOUR })))
  await run()
  await batchDelete(keys)
}

describe('a run through the leads of one owner', () => {
  it('the sweep begins the run again when its message is lost, and the mark goes at the end', async () => {
    await fillList(500, heldKey(PART))
    const ids = await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    const [first] = await startRuns()
    expect(first!.body).toMatchObject({ type: 'retry-held', agent: PART, after: null })
    expect(await placeEach([first!])).toHaveLength(1)
    // The message for the last lead goes astray.
    expect(await countHeld(ids)).toBe(1)
    expect(await markedParts(10)).toEqual([PART])
    setClock(NOON + 2 * MINUTE)
    const again = (await sweep()).filter(({ body }) => body.agent === PART)
    await placeEach(await placeEach(again))
    expect(await countHeld(ids)).toBe(0)
    expect(await markedParts(10)).toEqual([])
  })

  it('a lead that is held during the run is found by the run of the next look', async () => {
    await fillList(501, heldKey(PART))
    await emergencyEnds()
    let next = await startRuns()
    await withMarks(239, async () => {
      next = await placeEach(next)
    })
    // A function that still used the emergency has held a lead ahead of those that are left.
    const late = await heldLeads(1, { held_by: 'emergency NY', next_call_time: NOON - HOUR })
    setClock(NOON + 2 * MINUTE)
    // The run is not over, so the look only marks the part again.
    expect(await startRuns()).toEqual([])
    expect(await placeEach(next)).toEqual([])
    expect(await countHeld(late)).toBe(1)
    expect(await markedParts(10)).toEqual([PART])
    setClock(NOON + 3 * MINUTE)
    await placeEach((await sweep()).filter(({ body }) => body.agent === PART))
    expect(await countHeld(late)).toBe(0)
  })

  it('runs through more parts pause for longer, and the sweep begins no other run during a pause', async () => {
    await fillList(1000, heldKey(PART))
    const ids = await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    let next = await startRuns()
    await withMarks(7, async () => {
      next = await placeEach(next)
      expect(next.map(({ delaySeconds }) => delaySeconds)).toEqual([2])
    })
    setClock(NOON + MINUTE + 2 * SECOND)
    await withMarks(239, async () => {
      next = await placeEach(next)
      expect(next.map(({ delaySeconds }) => delaySeconds)).toEqual([60])
    })
    setClock(NOON + 2 * MINUTE)
    const looks = (await sweep()).filter(({ body }) => body.agent === PART)
    expect(looks).toHaveLength(1)
    await placeEach(looks)
    expect(await countHeld(ids)).toBe(1)
    setClock(NOON + 2 * MINUTE + 2 * SECOND)
    expect(await placeEach(next)).toEqual([])
    expect(await countHeld(ids)).toBe(0)
  })

  it('a run plans all leads whose lead type has left a down agent, also after the note of the agent is removed', async () => {
    const { id } = agent()
    await fillList(500, heldKey(`${id}#${OWNER}`))
    const ids = await heldLeads(1, { held_by: id })
    await agentIsDown(NOON + HOUR)
    await transact([markLeft(id, NOON)])
    setClock(NOON + 2 * MINUTE)
    const next = await placeEach(await startRuns())
    expect(next).toHaveLength(1)
    setClock(NOON + 2 * MINUTE + SECOND)
    await placeEach(next)
    expect(await countHeld(ids)).toBe(0)
  })

  it('a run ends when its agent is down again, and another one begins when the agent is back', async () => {
    const { id } = agent()
    await fillList(500, heldKey(`${id}#${OWNER}`))
    const ids = await heldLeads(1, { held_by: id })
    await agentIsBack()
    const next = await placeEach(await startRuns())
    await agentIsDown(NOON + HOUR)
    setClock(NOON + MINUTE + SECOND)
    expect(await placeEach(next)).toEqual([])
    expect(await countHeld(ids)).toBe(1)
    expect(await markedParts(10)).toEqual([])
    await closeBreaker(id, now())
    setClock(NOON + 3 * MINUTE)
    await placeEach(await placeEach(await startRuns()))
    expect(await countHeld(ids)).toBe(0)
  })
})
