import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { handler as lookUp } from '#functions/dnc/retrieve.ts'
import { handler as createUpload } from '#functions/ingestion/upload.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as updateByMatch } from '#functions/leads/update-by-match.ts'
import { request, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const renamed = (name: string, field = 'phone_number') => `This field is required. You sent \`${name}\`. Rename it to \`${field}\`.`

const PHONE = '(212) 555-0123'

describe('a lead whose phone number has another name', () => {
  it.each(['phone', 'phoneNumber', 'PhoneNumber', 'Phone Number', 'phone_nubmer', 'mobile', 'Cell Phone', 'telephone'])(
    'a lead that sends its phone number as %s is refused with the right name, alone and in bulk',
    async (name) => {
      const lead = { first_name: 'Ann', email: 'ann@example.com', [name]: PHONE }
      const one = await request(create, { method: 'POST', path: '/api/leads/', body: lead })
      expect(one).toMatchObject({ status: 400, body: { phone_number: [renamed(name)] } })
      const many = await request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads: [lead] } })
      expect(many.body.results).toEqual([{ id: null, action: 'error', error: `phone_number: ${renamed(name)}` }])
      const match = await request(updateByMatch, { method: 'PUT', path: '/api/leads/update/', body: lead })
      expect(match).toMatchObject({ status: 400, body: { phone_number: [renamed(name)] } })
    },
  )

  it('a lead form whose phone number has another name is refused with the right name', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await request(create, { method: 'POST', path: '/api/leads/', headers, body: 'phone=2125550123&us_state=' })
    expect(answer).toMatchObject({ status: 400, body: { phone_number: [renamed('phone')] } })
  })

  it.each(['first_name', 'home', 'number_of_rooms'])(
    'a phone number in the key %s is not suggested as the missing phone_number',
    async (name) => {
      const answer = await request(create, { method: 'POST', path: '/api/leads/', body: { [name]: PHONE } })
      expect(answer).toMatchObject({ status: 400, body: { phone_number: ['This field is required.'] } })
    },
  )
})

describe('an update in bulk whose id has another name', () => {
  it.each(['lead_id', 'ID'])('a bulk update whose id is sent as %s is refused with the right name', async (name) => {
    const leads = [{ [name]: 5, external_id: 'A-1' }]
    const { body } = await request(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', body: { leads } })
    expect(body.results).toEqual([{ id: null, action: 'error', error: `id: ${renamed(name, 'id')}` }])
  })

  it('a bulk update without an id is not told to rename its external id', async () => {
    const leads = [{ external_id: 'A-1' }]
    const { body } = await request(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', body: { leads } })
    expect(body.results).toEqual([{ id: null, action: 'error', error: 'id: This field is required.' }])
  })
})

describe('a look-up on the do-not-contact list whose parameter has another name', () => {
  it('a look-up on the do-not-contact list whose parameter has another name is refused with the right name', async () => {
    const answer = await request(lookUp, { method: 'GET', path: '/api/dnc/?phone=2125550123' })
    expect(answer).toMatchObject({ status: 400, body: { phone_number: [renamed('phone')] } })
  })
})

describe('a name that an upload cannot have', () => {
  it('a name that an upload cannot have is refused with the characters that it may hold', async () => {
    const body = { source: 'daily leads', filename: 'märz (1).csv' }
    expect(await request(createUpload, { method: 'POST', path: '/api/ingestion/upload/', body })).toMatchObject({
      status: 400,
      body: {
        source: [
          'This value does not match the required pattern. The name of a source holds only English letters, digits, _ and -, such as ' +
            'daily-leads. You sent "daily leads".',
        ],
        filename: [
          'This value does not match the required pattern. A file name begins with an English letter or a digit. It holds only these, ' +
            'spaces, dots, _ and -, such as leads-2026-11.csv. You sent "märz (1).csv".',
        ],
      },
    })
  })
})
