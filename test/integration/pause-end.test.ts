import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { parkedKey } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { created, leadNow, times, writeUnits } from '#test/support/lead-requests.ts'
import { pause, pausedWorld, unpause } from '#test/support/pauses.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, OWNER } from '#test/support/world.ts'

const { queued, called, work, workAll } = pausedWorld()

describe('the end of a pause', () => {
  it('survives the loss of its message: the sweep finishes it and then sends no more', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    await queued()
    await dispatchDue()
    expect((await queued()).filter(({ type }) => type === 'unpark')).toEqual([])
    setClock(NOON + MINUTE)
    await eventually(async () => {
      await dispatchDue()
      await consumeAll(placeCall, await queued())
      return called().length === 1
    })
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
    setClock(NOON + 2 * MINUTE)
    await dispatchDue()
    await consumeAll(placeCall, await queued())
    expect(await getItem(v.unknown(), parkedKey(OWNER))).not.toHaveProperty('due_key')
    await eventually(async () => {
      await dispatchDue()
      return (await queued()).every(({ type }) => type !== 'unpark')
    })
  })

  it('ignores repeated and outdated messages', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    // Messages of an earlier pause may still come.
    const first = (await queued()).find(({ type, turn }) => type === 'unpark' && turn === NOON)
    expect(first).toBeDefined()
    passTime(1000)
    await work([first])
    expect((await getLead(lead.id))?.due_list).toBe('CALL')
    const taken: { type: string }[] = []
    await eventually(async () => {
      taken.push(...(await queued()))
      return taken.some(({ type }) => type === 'unpark')
    })
    // The same once more, and one of a sweep long ago.
    expect(await writeUnits(() => work([first, first, { ...first, turn: NOON - MINUTE }]))).toBe(0)
    expect((await queued()).filter(({ type }) => type === 'unpark')).toEqual([])
  })

  it('continues until every parked lead is released', async () => {
    await pause(OWNER)
    const leads = await times(12, () => created())
    await workAll()
    await unpause(OWNER)
    const types = new Set<string>()
    await eventually(async () => {
      const messages = await queued()
      for (const { type } of messages) types.add(type)
      await work(messages)
      return called().length === leads.length
    })
    expect([...types]).toEqual(expect.arrayContaining(['unpark', 'dial']))
    await eventually(async () => (await queued()).some(({ type }) => type === 'unpark'))
  })

  it('leaves leads parked when another pause covers them meanwhile', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    const messages = await queued()
    await pause(OWNER, { only_existing_leads: true })
    await work(messages)
    expect((await queued()).filter(({ lead_id }) => lead_id === lead.id)).toEqual([])
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'PARKED' })
    await unpause(OWNER)
    await workAll()
    expect(called()).toHaveLength(1)
  })

  it('releases a lead that was being parked at the same moment', async () => {
    const lead = await created()
    const message = (await queued()).find(({ lead_id }) => lead_id === lead.id)
    await pause(OWNER)
    // It finds the pause, and is slow to park the lead: by then the pause is over, and its leads have been sent on.
    const slow = work([message])
    await unpause(OWNER)
    await work(await queued())
    await slow
    await workAll()
    expect(called()).toHaveLength(1)
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
  })
})
