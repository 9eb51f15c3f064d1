import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { forgetChanged, forgetRun, markForRun } from '#shared/backlog/marks.ts'
import { planLead } from '#shared/backlog/plan-again.ts'
import { leadHolder } from '#shared/backlog/rules/holders.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { breakerKey } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { given } from '#test/support/consents.ts'
import { created } from '#test/support/lead-requests.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OWNER } from '#test/support/world.ts'

const { place, placeQueued, queued, saveType } = settingsWorld()

const demand = async (changes: Parameters<typeof saveType>[0]) => {
  await saveType(changes)
  forgetConfiguration()
}

const attempts = async (id: number) => (await getLead(id))?.attempts

describe('a consent that arrives while its lead is being held', () => {
  const heldBy = (id: number) => (command: unknown) => {
    const { Item: item } = (command as { readonly input: { readonly Item?: { readonly pk: string; readonly held_by?: string } } }).input
    return item?.pk === `LEAD#${id}` ? item.held_by : undefined
  }

  it('a consent that arrives while the end of a pause moves its lead to the lead type releases the lead', async () => {
    await demand({ consent_type: 'oral' })
    const lead = await created()
    await pause(OWNER)
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'HELD', held_by: `pause ${OWNER}` })
    await unpause(OWNER)
    const holder = heldBy(lead.id)
    let isGiven = false
    await beforeEachSend(
      async (command) => {
        if (isGiven || holder(command) !== 'lead-type 4') return
        isGiven = true
        await given(lead.phone_number, { type: 'oral' })
      },
      () => planLead(lead.id, `pause ${OWNER}`),
    )
    expect(isGiven).toBe(true)
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'CALL', held_by: null })
  })

  it('a lead that a dial holds just before it dies is released when the message is delivered again', async () => {
    await demand({ consent_type: 'oral' })
    const lead = await created()
    const messages = await queued()
    const holder = heldBy(lead.id)
    let isHeld = false
    await beforeEachSend(
      async (command) => {
        if (isHeld) throw new Error('The function is dead.')
        if (holder(command) === undefined) return
        await given(lead.phone_number, { type: 'oral' })
        isHeld = true
      },
      () => place(messages),
    ).catch(() => {})
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'HELD', held_by: 'lead-type 4' })
    await place(messages)
    await placeQueued()
    expect(await attempts(lead.id)).toBe(1)
  })

  it('a run that ends removes its own mark and none that another run needs', async () => {
    const [first, second, holder] = [NOON, NOON + 1, leadHolder(77)]
    const mark = () => getItem(v.object({ due_at: v.string() }), breakerKey(holder))
    await markForRun(holder, second)
    await markForRun(holder, first)
    await forgetRun(holder, second)
    await forgetRun(holder, first)
    expect(await mark()).toBeDefined()
    await forgetChanged(holder, NOON + 2 * MINUTE)
    await markForRun(holder, second)
    await forgetRun(holder, second)
    expect(await mark()).toBeUndefined()
  })
})
