import { describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { DAY, HOUR, SECOND } from '#shared/platform/values/durations.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { agentReport, OTHER_KEY, request } from '#test/support/world.ts'

const EIGHT = Date.parse('2026-11-23T13:00:00Z')

const { world, queued, place, placeQueued, keysAsked } = callWorld()
const sent = watchSent()

describe('leads of one owner that are due at the same time', () => {
  it.each([
    [0, EIGHT],
    [2, EIGHT + DAY],
  ])('both lines of their owner are used although %i of the first three leads may not be called', async (stopped, eight) => {
    setClock(eight - HOUR)
    for (let lead = 0; lead < 8; lead++) {
      await created({}, OTHER_KEY)
      passTime(1)
    }
    await queued()
    setClock(eight - 30 * SECOND)
    const messages = (await sent(dispatchDue)).map(({ body }) => body).filter(({ type }) => type === 'dial')
    await queued()
    expect(messages).toHaveLength(3)
    for (const { lead_id } of messages.slice(0, stopped)) {
      const { phone_number, next_call_time } = (await getLead(lead_id))!
      expect(next_call_time).toBe(eight)
      await raiseDnc(await phonePk('2', phone_number), ['call'], {
        accepted: nextSequence(),
        owner: 1,
        origin: { means: 'api' },
        listed: true,
      })
    }
    setClock(eight)
    for (const message of messages) await place([message])
    await placeQueued()
    const asked = keysAsked()
    for (let key = 0; key < keysAsked().length; key++) {
      await request(report, agentReport(world().agentSecret, keysAsked()[key]!, 'call.completed', { outcome: 'not_interested' }))
      await placeQueued()
    }
    expect(asked).toHaveLength(2)
  })
})
