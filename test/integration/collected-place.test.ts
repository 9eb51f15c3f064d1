import { describe, expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, patched } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'

const HOUR = 60 * MINUTE
/** 2026-11-20, half past ten in the evening in New York, half past five in the afternoon in Honolulu. */
const LATE = Date.parse('2026-11-21T03:30:00Z')
const HAWAII = [{ zip: '96813' }, { state: 'HI', zip: '96813' }]

const { place, queued, told, keysAsked } = callWorld()

/** A lead in New York whose first call fell silent, and whose next one is planned. */
const planned = async () => {
  const { id } = await created({ timezone: undefined, us_state: 'NY', metadata: { zip: '10001' } })
  await place(await queued())
  setClock(NOON + 11 * MINUTE)
  await place([{ type: 'watch', call_id: `${id}-1` }])
  await queued()
  return (await getLead(id))!
}

const dialAt = async (id: number, instant: number): Promise<void> => {
  setClock(instant)
  const lead = (await getLead(id))!
  await place([{ type: 'dial', lead_id: id, attempt: lead.attempts + 1, due_at: lead.next_call_time }])
}

describe('a place that an agent collects', () => {
  it.each(HAWAII)('a place that an agent collects does not extend the hours of a call already planned: %j', async (collected) => {
    const { id } = await planned()
    await told(`${id}-1`, 'call.data_collected', { collected }, 700)
    await dialAt(id, LATE)
    expect(keysAsked()).toEqual([`${id}-1`])
  })

  it('a place that an agent collects narrows the hours of a call that is already planned', async () => {
    const { id } = await planned()
    await told(`${id}-1`, 'call.data_collected', { collected: HAWAII[0] }, 700)
    // Noon in New York, seven in the morning in Honolulu.
    await dialAt(id, NOON + HOUR)
    expect(keysAsked()).toEqual([`${id}-1`])
    expect((await getLead(id))?.next_call_time).toBe(Date.parse('2026-11-20T18:00:00Z'))
  })

  it('a place that an agent collects extends the hours once the call is planned again', async () => {
    const { id } = await planned()
    await told(`${id}-1`, 'call.data_collected', { collected: HAWAII[0] }, 700)
    await dialAt(id, NOON + HOUR)
    await dialAt(id, LATE)
    expect(keysAsked()).toEqual([`${id}-1`, `${id}-2`])
  })

  it('a place that an agent collects sets the hours of the call that is planned after the completion', async () => {
    const { id } = await created({ timezone: undefined, us_state: 'NY', metadata: { zip: '10001' } })
    await place(await queued())
    await told(`${id}-1`, 'call.data_collected', { collected: HAWAII[0] })
    await told(`${id}-1`, 'call.completed', { outcome: 'completed' }, 60)
    expect((await getLead(id))?.next_call_time).toBe(Date.parse('2026-11-20T18:00:00Z'))
  })

  it('a place that a client sets takes effect on a planned call at once', async () => {
    const { id } = await planned()
    await patched(id, { us_state: 'HI', metadata: { zip: '96813' } })
    await dialAt(id, LATE)
    expect(keysAsked()).toEqual([`${id}-1`, `${id}-2`])
  })
})
