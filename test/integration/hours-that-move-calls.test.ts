import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { placeQueued, place, queued, inCall, told, openAccount, change } = settingsWorld()

describe('account hours that move calls to a later day', () => {
  const closeToday = () => changeUserSettings(OWNER, { calling_hours: { closed_dates: ['2026-11-20'] } as never })
  const TOMORROW = expect.stringMatching(/^2026-11-21T/)

  /** One lead that is planned already when the day is closed, and one that is created after that. */
  const movedLeads = async (): Promise<number[]> => {
    const refused = await created()
    await closeToday()
    forgetConfiguration()
    await placeQueued()
    const fresh = await created()
    await placeQueued()
    expect(await leadNow(refused.id)).toMatchObject({ next_call_time: TOMORROW, next_call_time_reason: 'OUTSIDE_WINDOW' })
    expect(await leadNow(fresh.id)).toMatchObject({ next_call_time: TOMORROW, next_call_time_reason: 'FIRST_CALL' })
    return [refused.id, fresh.id]
  }
  const attemptsOf = (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await getLead(id))?.attempts))

  it('account hours that move calls to a later day release the leads within a minute after they are reverted', async () => {
    const leads = await movedLeads()
    await change(NOON + 5 * MINUTE, openAccount)
    expect(await attemptsOf(leads)).toEqual([1, 1])
  })

  it('account hours that moved calls release the leads on revert even if a message of the run is lost', async () => {
    const leads = await movedLeads()
    setClock(NOON + 5 * MINUTE)
    await openAccount()
    forgetConfiguration()
    setClock(NOON + 6 * MINUTE)
    await dispatchDue()
    await place(await queued())
    expect(await attemptsOf(leads)).toEqual([0, 0])
    await queued()
    setClock(NOON + 7 * MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(await attemptsOf(leads)).toEqual([1, 1])
  })

  it('account hours that are reverted leave callbacks at the promised time, and later calls at the cadence’s time', async () => {
    const promised = await inCall()
    const further = await inCall()
    await closeToday()
    forgetConfiguration()
    await told(promised.call, 'call.completed', { outcome: 'callback_requested', callback_time: '2026-11-21T19:00:00Z' }, 60)
    await told(further.call, 'call.completed', { outcome: 'no_answer' }, 60)
    const before = await Promise.all([leadNow(promised.lead), leadNow(further.lead)])
    await change(NOON + 5 * MINUTE, openAccount)
    expect(await Promise.all([leadNow(promised.lead), leadNow(further.lead)])).toEqual(before)
  })
})
