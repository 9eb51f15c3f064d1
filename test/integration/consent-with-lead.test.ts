import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { consentsOf } from '#test/support/consents.ts'
import { created, newPhone, writeUnits } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

callWorld()
beforeEach(() => setClock(NOON))

const CONSENT = { type: 'written', time: '2026-11-20T15:30:00Z', proof_url: 'https://example.com/17' }

const ask = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  request(create, { method: 'POST', path: '/api/leads/', headers, body: { timezone: 'America/New_York', ...body } })

describe('a consent that is sent with a lead', () => {
  it('a consent that is sent with a lead is recorded once, however often the request is repeated', async () => {
    const phone_number = newPhone()
    const headers = { 'Idempotency-Key': phone_number }
    expect(await ask({ phone_number, consent: CONSENT }, headers)).toMatchObject({ status: 201, body: { metadata: {} } })
    expect(await ask({ phone_number, consent: CONSENT }, headers)).toMatchObject({ status: 201 })
    expect(await ask({ phone_number, consent: CONSENT, email: 'ann@example.com' })).toMatchObject({ status: 201 })
    const { count, results } = await consentsOf(phone_number)
    expect(count).toBe(1)
    expect(results[0]).toMatchObject({ kind: 'given', type: 'written', proof_url: CONSENT.proof_url, received_by: OWNER })
  })

  it('a consent that is sent with a lead in a bulk request is recorded, and a bad one fails only its own lead', async () => {
    const [good, bad] = [newPhone(), newPhone()]
    const leads = [
      { phone_number: good, consent: CONSENT },
      { phone_number: bad, consent: { ...CONSENT, type: 'spoken' } },
    ]
    const answer = await request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads } })
    expect(answer.body.results).toMatchObject([{ action: 'created' }, { action: 'error', error: expect.stringContaining('consent') }])
    expect(await consentsOf(good)).toMatchObject({ count: 1 })
    expect(await consentsOf(bad)).toMatchObject({ count: 0 })
  })

  it.each([
    [{ type: 'written' }, ['time: This field is required.']],
    [{ ...CONSENT, type: 'written_seller' }, ['seller: This field is required.']],
    [{ ...CONSENT, proof: 1 }, [expect.stringContaining('proof: Unknown field.')]],
    [{ ...CONSENT, time: '2027-01-01T00:00:00Z' }, [expect.stringContaining('time: This time is in the future.')]],
  ])('a lead with the consent %j is refused', async (consent, messages) => {
    const phone_number = newPhone()
    expect(await ask({ phone_number, consent })).toMatchObject({ status: 400, body: { consent: messages } })
    expect(await consentsOf(phone_number)).toMatchObject({ count: 0 })
  })

  it.each([['yes'], [true], [17], [{ tcpa: true, ip: '10.0.0.1' }], [{}]])(
    'the value %j under the name consent is metadata, as before',
    async (consent) => {
      const lead = await created({ consent })
      expect(lead.metadata).toMatchObject({ consent })
      expect(await consentsOf(lead.phone_number)).toMatchObject({ count: 0 })
    },
  )

  it('a consent adds its own writes to those of the lead, and a repeated one adds none', async () => {
    const phone = newPhone()
    const units = (email: string, consent?: object) => writeUnits(() => ask({ phone_number: phone, email, ...(consent && { consent }) }))
    const first = await units('a@example.com', CONSENT)
    const plain = await units('b@example.com')
    expect(await units('c@example.com', CONSENT)).toBe(plain)
    expect(first).toBeGreaterThan(plain)
  })
})
