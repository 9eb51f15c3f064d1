import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as callingTimes } from '#functions/leads/calling-times.ts'
import { handler as explain } from '#functions/leads/explain.ts'
import { components } from '#lib/openapi/schemas.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { send } from '#test/support/api-event.ts'
import { created, patched } from '#test/support/lead-requests.ts'
import { KEY } from '#test/support/world.ts'

callWorld()

const asked = (id: number, query: Record<string, string> | null = null, key = KEY) =>
  send(callingTimes, {
    method: 'GET',
    path: `/api/leads/${id}/calling-times/`,
    params: { id: `${id}` },
    query,
    headers: { Authorization: `Token ${key}` },
  })

const timesOf = async (id: number, query: Record<string, string> | null = null) => {
  const { status, json } = await asked(id, query)
  expect(status).toBe(200)
  expect(v.safeParse(components.CallingTimes, json).issues).toBeUndefined()
  return json
}

const explained = async (id: number, at: string) => {
  const path = `/api/leads/${id}/explain/`
  return (await send(explain, { method: 'GET', path, params: { id: `${id}` }, query: { at }, headers: { Authorization: `Token ${KEY}` } }))
    .json
}

describe('GET /api/leads/{id}/calling-times/', () => {
  it('the calling times of a lead cover 14 days, and begin and end where explain says', async () => {
    const { id } = await created({ timezone: 'America/New_York' })
    const { lead_id, from, until, timezones, times, blocked_by } = await timesOf(id)
    expect({ lead_id, timezones, blocked_by }).toEqual({ lead_id: id, timezones: ['America/New_York'], blocked_by: null })
    expect(Date.parse(until) - Date.parse(from)).toBe(14 * 24 * 3_600_000)
    expect(times.length).toBeGreaterThan(10)
    const [, second] = times
    expect(await explained(id, second.from)).toMatchObject({ callable: true })
    expect(await explained(id, second.until)).toMatchObject({ callable: false, next_callable_time: times[2].from })
  })

  it('the calling times of a cancelled lead name what must change', async () => {
    const { id } = await created({ timezone: 'America/New_York' })
    await patched(id, { status: 'CANCELLED' })
    expect((await timesOf(id)).blocked_by).toEqual({ gate: 'status', detail: 'Leads in status CANCELLED are not called.' })
  })

  it('the calling times cover as many days as were asked for, up to 31', async () => {
    const { id } = await created({ timezone: 'America/New_York' })
    const { from, until } = await timesOf(id, { days: '1' })
    expect(Date.parse(until) - Date.parse(from)).toBe(24 * 3_600_000)
    for (const days of ['0', '32', 'two'])
      expect(await asked(id, { days })).toMatchObject({ status: 400, json: { days: [expect.any(String)] } })
  })

  it('the calling times of a missing lead are not found', async () => {
    expect(await asked(2_000_000_000)).toMatchObject({ status: 404 })
  })
})
