import { describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as explain } from '#functions/leads/explain.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, newPhone, patch } from '#test/support/lead-requests.ts'
import { request } from '#test/support/world.ts'

callWorld()

describe('the warning about a ZIP code of another state', () => {
  it.each([[{ us_state: 'NY' }], [{ metadata: { zip: '94110' } }]])(
    'an update gets the warning about a ZIP code of another state, whichever of the two it sends: %j',
    async (body) => {
      const { id } = await created({ us_state: 'CA', zip: '10001' })
      await patch(id, { us_state: 'NY', metadata: { zip: '94110' } })
      expect((await patch(id, body)).headers['X-Warnings']).toBe('zip_in_other_state;field="metadata.zip";hint="CA"')
      expect((await patch(id, { external_id: 'Z-1' })).headers['X-Warnings']).toBeUndefined()
    },
  )
})

describe('the warning about a time zone outside the state of the lead', () => {
  const WARNING = 'timezone_outside_state;field="metadata.timezone";hint="NY"'

  it.each([[{ us_state: 'NY' }], [{ metadata: { timezone: 'America/Los_Angeles' } }], [{ metadata: { zip: '10001' } }]])(
    'an update gets the warning about a time zone outside the state, whichever of the two it sends: %j',
    async (body) => {
      const { id } = await created({ us_state: 'NY', zip: '10001', timezone: 'America/Los_Angeles' })
      expect((await patch(id, body)).headers['X-Warnings']).toBe(WARNING)
      expect((await patch(id, { external_id: 'Z-2' })).headers['X-Warnings']).toBeUndefined()
    },
  )

  it.each([
    [{ us_state: 'NY', timezone: 'America/Los_Angeles' }, WARNING],
    [{ zip: '10001', timezone: 'US/Pacific' }, WARNING],
    [{ us_state: 'MI', timezone: 'America/Chicago' }, undefined],
    [{ us_state: 'AE', timezone: 'America/Los_Angeles' }, undefined],
  ])('a created lead gets the warning only if the time zone is none of its state: %j', async (lead, warning) => {
    const { headers } = await request(create, { method: 'POST', path: '/api/leads/', body: { phone_number: newPhone(), ...lead } })
    expect(headers['X-Warnings']).toBe(warning)
  })

  it('an explanation says it once, in the detail of the calling hours', async () => {
    const { id } = await created({ us_state: 'NY', timezone: 'America/Los_Angeles' })
    const { body } = await request(explain, { method: 'GET', path: `/api/leads/${id}/explain/`, parameters: { id: `${id}` } })
    expect(body.remarks).toBeUndefined()
    const { detail } = body.gates.find(({ gate }: { gate: string }) => gate === 'window')
    expect(detail).toContain('the rules of NY apply by the clock of America/Los_Angeles.')
  })
})
