import { describe, expect, it } from '@jest/globals'
import { handler as updateByMatch } from '#functions/leads/update-by-match.ts'
import { helped } from '#test/support/helped.ts'
import { created, leadNow, newPhone, patched } from '#test/support/lead-requests.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY, OTHER_KEY, request } from '#test/support/world.ts'

suiteWorld()

const match = (method: 'PUT' | 'PATCH', body: unknown, key = KEY) =>
  request(updateByMatch, { method, path: '/api/leads/update/', headers: { Authorization: `Token ${key}` }, body })

describe('an update by phone and email', () => {
  it.each(['PUT', 'PATCH'] as const)('an update by phone and email finds the lead in any notation and case: %s', async (method) => {
    const lead = await created({ email: `Match${method}@example.com` })
    const { status, body } = await match(method, {
      ...{ phone_number: lead.phone_number.replace('+1', '1-'), email: `match${method}@EXAMPLE.com` },
      ...{ external_id: 'crm-7', status: 'LOST', colour: 'red' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: lead.id, email: lead.email, external_id: 'crm-7', status: 'LOST', metadata: { colour: 'red' } })
    expect(await leadNow(lead.id)).toEqual(body)
  })

  it('an update by phone and email changes the newest match, and without an email only leads that have none', async () => {
    const phone_number = newPhone()
    const elsewhere = await created()
    const leads = [
      await created({ phone_number }),
      await created({ phone_number }),
      await created({ phone_number, email: 'has@example.com' }),
    ]
    await patched(elsewhere.id, { phone_number })
    for (const body of [{ phone_number }, { phone_number, email: null }, { phone_number, email: '' }]) {
      expect((await match('PUT', { ...body, lead_source: 'm' })).body.id).toBe(leads[1].id)
    }
  })

  it('an update by phone and email finds no lead with another email or owner, and requires a phone number', async () => {
    const lead = await created({ email: 'only@example.com' })
    const { phone_number } = lead
    const missing = await match('PUT', { phone_number: newPhone(), status: 'LOST' })
    expect(missing.status).toBe(404)
    expect(await match('PUT', { phone_number, status: 'LOST' })).toEqual(missing)
    expect(await match('PUT', { phone_number, email: 'other@example.com', status: 'LOST' })).toEqual(missing)
    expect(await match('PUT', { phone_number, email: lead.email, status: 'LOST' }, OTHER_KEY)).toEqual(missing)
    expect((await match('PUT', { email: lead.email })).body).toEqual({ phone_number: ['This field is required.'] })
    expect((await match('PATCH', { phone_number: 'x', status: 'x' })).body).toEqual({
      phone_number: [helped('The phone number entered is not valid. …')],
      status: [helped('"x" is not a valid choice. …')],
    })
    expect(await leadNow(lead.id)).toEqual(lead)
  })
})
