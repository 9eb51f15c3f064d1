import { afterEach, describe, expect, it } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { handler as schedule } from '#functions/leads/schedule-call.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, leadNow } from '#test/support/lead-requests.ts'
import { request } from '#test/support/world.ts'

const { world, place, queued, tell } = callWorld()

const inZone = (zone: string): void => {
  process.env['OUTPUT_TIMEZONE'] = zone
}
afterEach(() => {
  delete process.env['OUTPUT_TIMEZONE']
})

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?<offset>[+-]\d\d:\d\d)$/

/** Offsets of all datetimes in an answer, those of fields called `local_times` aside. */
const offsetsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [DATETIME.exec(value)?.groups?.['offset'] ?? []].flat()
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => (name === 'local_times' ? [] : offsetsIn(part)))
}
const distinct = (value: unknown) => [...new Set(offsetsIn(value))]

describe('datetimes that the service returns', () => {
  it('the service returns datetimes in UTC by default', async () => {
    const lead = await created()
    expect(distinct(lead)).toEqual(['+00:00'])
    expect(lead.metadata.created_at).toBe('11/20/2026 16:00')
  })

  it('leads, explanations and scheduled calls have datetimes in the deployment’s zone, also in their texts', async () => {
    inZone('Asia/Kathmandu')
    const lead = await created()
    expect(distinct(lead)).toEqual(['+05:45'])
    expect(lead.metadata.created_at).toBe('11/20/2026 21:45')
    const path = { path: `/api/leads/${lead.id}/explain/`, parameters: { id: `${lead.id}` } }
    const { body } = await request(explain, { method: 'GET', ...path })
    expect(distinct(body)).toEqual(['+05:45'])
    const order = { method: 'POST', path: path.path, parameters: path.parameters, body: { call_time: '2026-11-20T19:00:00Z' } }
    expect((await request(schedule, order)).body).toMatchObject({
      next_call_time: '2026-11-21T00:45:00.000000+05:45',
      detail: expect.stringContaining('2026-11-21T00:45:00.000000+05:45'),
    })
    inZone('America/New_York')
    expect(distinct(await leadNow(lead.id))).toEqual(['-05:00'])
  })

  it('requests to a voice agent have datetimes in the deployment’s zone', async () => {
    await created()
    inZone('America/St_Johns')
    await place(await queued())
    const asked = JSON.parse(`${world().agent.requests.at(-1)?.body}`)
    expect(distinct(asked)).toEqual(['-03:30'])
    inZone('Asia/Kathmandu')
    await tell(asked.call_id, 'call.answered')
    expect(distinct(await leadNow(asked.lead.id))).toEqual(['+05:45'])
  })

  it('the service converts datetimes from any offset to the deployment’s zone', async () => {
    inZone('America/New_York')
    const { call_schedule_start_time } = await created({ call_schedule_start_time: '2026-11-24T09:00:00+05:45' })
    expect(call_schedule_start_time).toBe('2026-11-23T22:15:00.000000-05:00')
  })
})
