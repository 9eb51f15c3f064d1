import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { breakerKey } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { created, leadNow, times, writeUnits } from '#test/support/lead-requests.ts'
import { pause, pausedWorld, unpause } from '#test/support/pauses.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, OWNER } from '#test/support/world.ts'

const { queued, called, work, workAll } = pausedWorld()

describe('the end of a pause', () => {
  it('the end of a pause survives the loss of its messages: the sweep finishes it and then sends no more', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    await queued()
    setClock(NOON + MINUTE)
    await eventually(async () => {
      await dispatchDue()
      await consumeAll(placeCall, await queued())
      return called().length === 1
    })
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
    setClock(NOON + 3 * MINUTE)
    await dispatchDue()
    await workAll()
    expect(await getItem(v.unknown(), breakerKey(`pause ${OWNER}`))).not.toHaveProperty('due_key')
    await eventually(async () => {
      await dispatchDue()
      return (await queued()).every(({ agent }) => agent !== `pause ${OWNER}`)
    })
  })

  it('a repeated message about the end of a pause has no effect', async () => {
    await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    const messages = await queued()
    const release = messages.find(({ type }) => type === 'retry-held')
    await work(messages)
    await workAll()
    expect(await writeUnits(() => work([release, release]))).toBe(0)
  })

  it('the end of a pause continues until every paused lead is released', async () => {
    await pause(OWNER)
    const leads = await times(12, () => created())
    await workAll()
    await unpause(OWNER)
    await eventually(async () => {
      await workAll()
      return called().length === leads.length
    })
  })

  it('the end of a pause leaves leads held when another pause covers them meanwhile', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    const messages = await queued()
    await pause(OWNER, { only_existing_leads: true })
    await work(messages)
    expect((await queued()).filter(({ lead_id }) => lead_id === lead.id)).toEqual([])
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'HELD', held_by: `pause ${OWNER}` })
    await unpause(OWNER)
    await workAll()
    expect(called()).toHaveLength(1)
  })

  it('the end of a pause releases a lead that was being held at the same moment', async () => {
    const lead = await created()
    const message = (await queued()).find(({ lead_id }) => lead_id === lead.id)
    await pause(OWNER)
    // It finds the pause, and is slow to hold the lead: by then the pause is over, and its leads have been sent on.
    const slow = work([message])
    await unpause(OWNER)
    await work(await queued())
    await slow
    await workAll()
    expect(called()).toHaveLength(1)
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
  })
})
