import { describe, expect, it } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, patch } from '#test/support/lead-requests.ts'
import { request } from '#test/support/world.ts'

callWorld()

describe('the warning about a lead whose state is not known', () => {
  it('an update gets the warning about a lead whose state is not known if it sends the time zone', async () => {
    const { id } = await created()
    const sent = async (body: object) => (await patch(id, body)).headers['X-Warnings']
    expect(await sent({ external_id: 'S-1' })).toBeUndefined()
    expect(await sent({ metadata: { timezone: 'America/Chicago' } })).toBe('no_state;field="us_state"')
    expect(await sent({ metadata: { timezone: 'America/Chicago', zip: '60601' } })).toBeUndefined()
  })
})

describe('an explanation of a lead whose state is not known', () => {
  const windowOf = async (body: Record<string, unknown>) => {
    const { id } = await created(body)
    const { body: explained } = await request(explain, { method: 'GET', path: `/api/leads/${id}/explain/`, parameters: { id: `${id}` } })
    return explained.gates.find(({ gate }: { gate: string }) => gate === 'window')
  }

  it.each([[{}], [{ phone_number: '+13055550177' }]])(
    'an explanation tells which laws are not applied to a lead whose state is not known, even if a law goes by its area code: %j',
    async (body) => {
      const remark = expect.stringMatching(
        /hours, Sundays, holidays and daily caps of its state are not applied\. Send a us_state or a zip\.$/,
      )
      expect(await windowOf({ timezone: 'America/New_York', ...body })).toMatchObject({ detail: remark, inputs: { remarks: [remark] } })
    },
  )

  it('an explanation of a lead whose state is known makes no such remark', async () => {
    expect(await windowOf({ us_state: 'NY' })).toMatchObject({ inputs: { remarks: [] } })
  })
})
