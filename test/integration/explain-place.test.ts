import { describe, expect, it } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { send } from '#test/support/api-event.ts'
import { created } from '#test/support/lead-requests.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY } from '#test/support/world.ts'

suiteWorld()

const explained = async (lead: Record<string, unknown>, at: string) => {
  const { id } = await created(lead)
  const path = `/api/leads/${id}/explain/`
  const { status, json } = await send(explain, {
    method: 'GET',
    path,
    params: { id: `${id}` },
    query: { at },
    headers: { Authorization: `Token ${KEY}` },
  })
  expect(status).toBe(200)
  return { ...json, window: json.gates.find(({ gate }: { gate: string }) => gate === 'window') }
}

const NIGHT = '2026-11-20T05:00:00Z'
const DAY = '2026-11-20T18:00:00Z'
const SUMMER = '2026-07-20T18:00:00Z'

describe('a time zone outside the lead’s state', () => {
  const stray = (zone: string, state: string, source: string) =>
    `timezone: ${zone} is not in ${state}, the state from ${source}: the rules of ${state} apply by the clock of ${zone}.`

  it.each([
    [{ timezone: 'America/Los_Angeles', us_state: 'FL' }, stray('America/Los_Angeles', 'FL', 'us_state')],
    [{ timezone: 'US/Pacific', state: 'Alabama' }, stray('America/Los_Angeles', 'AL', 'state')],
    [{ timezone: 'America/Chicago', zip: '10001' }, stray('America/Chicago', 'NY', 'zip')],
    [{ timezone: 'Europe/London', us_state: 'NY' }, stray('Europe/London', 'NY', 'us_state')],
    [{ timezone: 'MST', us_state: 'NY' }, stray('America/Denver and America/Phoenix', 'NY', 'us_state').replace('is not in', 'are not in')],
  ])('an explanation remarks on a time zone outside the lead’s state, whether or not a call is allowed: %j', async (lead, remark) => {
    for (const at of [DAY, NIGHT]) {
      const { window } = await explained(lead, at)
      expect(window.detail).toContain(` ${remark}`)
      expect(window.inputs.remarks).toContain(remark)
    }
  })

  it('an explanation remarks on a time zone outside the lead’s state even if its clock shows the same time', async () => {
    const { window } = await explained({ timezone: 'America/Phoenix', us_state: 'CA' }, SUMMER)
    expect(window.detail).toContain(stray('America/Phoenix', 'CA', 'us_state'))
  })

  it('a time zone outside the lead’s state leaves the rules of the state in force', async () => {
    const { location, timezones, window } = await explained({ timezone: 'America/Los_Angeles', us_state: 'AL' }, '2026-11-26T20:00:00Z')
    expect({ state: location.state, timezones }).toEqual({ state: 'AL', timezones: ['America/Los_Angeles'] })
    expect(window.inputs.closed).toEqual([{ rule: 'AL', timezone: 'America/Los_Angeles', reason: 'HOLIDAY' }])
  })

  it.each([
    { timezone: 'America/Chicago', us_state: 'FL' },
    { timezone: 'America/New_York', us_state: 'MI' },
    { timezone: 'America/Indiana/Vevay', us_state: 'IN' },
    { timezone: 'America/Kentucky/Louisville', us_state: 'KY' },
    { timezone: 'EST', us_state: 'NY' },
    { timezone: 'MST', us_state: 'AZ' },
    { timezone: 'America/Los_Angeles', us_state: 'AE' },
    { timezone: '', us_state: 'FL' },
  ])('an explanation makes no remark on the time zone of the lead %j', async (lead) => {
    for (const at of [DAY, SUMMER]) {
      const { window } = await explained(lead, at)
      expect(window.detail).not.toMatch(/by the clock of/)
      expect(window.inputs.remarks).toEqual([])
    }
  })
})
