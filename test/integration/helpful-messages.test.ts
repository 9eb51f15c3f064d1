import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { handler as createUpload } from '#functions/ingestion/upload.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as subscribe } from '#functions/webhooks/create.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { writeUnits } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { aSource } from '#test/support/uploads.ts'
import { KEY, OTHER_KEY, OWNER, request, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let next = 1000

beforeAll(async () => {
  world = await startWorld()
  const { reengagement } = sampleLeadType()
  await saveLeadType(sampleLeadType({ id: 4, owner: OWNER, name: 'Solar panels', reengagement: { ...reengagement, enabled: false } }))
  await saveLeadType(sampleLeadType({ id: 5, owner: OWNER, name: 'Roofing' }))
  for (let id = 20; id < 32; id++) await saveLeadType(sampleLeadType({ id, owner: 2, name: `Type ${id}` }))
})
afterAll(() => world.stop())

const newPhone = () => `+1212555${next++}`

type Fields = Readonly<Record<string, unknown>>

const post = (fields: Fields, headers = {}) =>
  request(create, { method: 'POST', path: '/api/leads/', headers, body: { phone_number: newPhone(), ...fields } })

const made = async (fields: Fields) => {
  const { status, body } = await post(fields)
  expect(status).toBe(201)
  return body
}

const patched = (id: number, body: Fields) =>
  request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })

const FORMS =
  'Send a North American number with its area code, such as (212) 555-0123. Any other number begins with + and its country code, such as +442079460958.'

describe('a refused phone number', () => {
  it.each([
    ['5550001', 'The area code is missing.'],
    ['030 1234567', 'The country code is missing.'],
    ['442079460958', 'The country code is missing.'],
    ['0044 20 7946 0958', 'Write + instead of 00.'],
    ['555-12', 'It has too few digits.'],
    ['1'.repeat(16), 'It has too many digits.'],
    ['(999) 555-0001', 'The area code 999 is not assigned.'],
    ['+1 999 555 0001', 'The area code 999 is not assigned.'],
    ['212 155 0001', 'After the area code, the next digit cannot be 0 or 1.'],
    ['+1 212 555 01', 'A North American number has 10 digits after the 1.'],
    ['+44 12', 'The country code 44 has no such numbers.'],
    ['(212) 555-0001, (212) 555-0002', 'Send one number, without an extension.'],
    ['call me', 'It has no digits.'],
  ])('the refusal of the phone number %s says why, and which forms are accepted', async (phone_number, why) => {
    const { status, body } = await post({ phone_number })
    expect({ status, body }).toEqual({
      status: 400,
      body: { phone_number: [`The phone number entered is not valid. ${why} ${FORMS}`] },
    })
  })
})

describe('a refused choice', () => {
  it.each([
    ['New York', 'Did you mean NY?'],
    ['ny', 'Did you mean NY?'],
    ['Californa', 'Did you mean CA?'],
    ['XX', 'Send the two-letter code of a state, such as NY.'],
  ])('the refusal of the state %s suggests the code of a state', async (us_state, help) => {
    const { status, body } = await post({ us_state })
    expect({ status, body }).toEqual({ status: 400, body: { us_state: [`"${us_state}" is not a valid choice. ${help}`] } })
  })

  it('the refusal of a status suggests the nearest status, or lists all', async () => {
    expect((await post({ status: 'CANCELED' })).body).toEqual({ status: ['"CANCELED" is not a valid choice. Did you mean CANCELLED?'] })
    expect((await post({ status: 'DONE' })).body).toEqual({
      status: [
        '"DONE" is not a valid choice. The choices are UNKNOWN, NEW, OPEN, CALLBACK_TO_TRANSFER, CLOSED, CLOSED_INCOMPLETE, LOST, SCHEDULE_COMPLETED, OUT_OF_TERRITORY, BAD_NUMBER and CANCELLED.',
      ],
    })
  })

  it('the refusal of a trigger of a subscription suggests the nearest trigger', async () => {
    const body = { url: 'https://example.com/hook', trigger: ['LEAD_CREATE', 'call_ended'] }
    const answer = await request(subscribe, { method: 'POST', path: '/api/webhooks/', body })
    expect(answer.body).toEqual({
      trigger: [
        '"LEAD_CREATE" is not a valid choice. Did you mean LEAD_CREATED?',
        '"call_ended" is not a valid choice. Did you mean CALL_ENDED?',
      ],
    })
  })
})

describe('a refused email, number, flag or datetime', () => {
  it('the refusal of an email, number, flag or datetime quotes it, with the form that is expected', async () => {
    const { body } = await post({
      email: 'ann@example',
      representative: 'Bob',
      call_dnc: 'maybe',
      call_schedule_start_time: 'tomorrow',
      min_reengagement_days: [],
    })
    expect(body).toEqual({
      email: ['Enter a valid email address. An example is ann@example.com.'],
      representative: ['A valid integer is required. Send a whole number, such as 12. You sent "Bob".'],
      call_schedule_start_time: [
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]. ' +
          'An example is 2026-11-20T16:00:00Z. You sent "tomorrow".',
      ],
      min_reengagement_days: ['A valid integer is required. Send a whole number, such as 12. You sent a list.'],
      call_dnc: ['Must be a valid boolean. Send true or false. You sent "maybe".'],
    })
  })

  it('the refusal of a long value quotes only its beginning', async () => {
    const { body } = await post({ representative: 'x'.repeat(900) })
    expect(body.representative).toEqual([`A valid integer is required. Send a whole number, such as 12. You sent "${'x'.repeat(50)}…".`])
  })
})

describe('a second lead with the same phone and email', () => {
  const same = async (fields: Fields = {}) => {
    const person = { phone_number: newPhone(), email: 'ann@example.com' }
    const { id } = await made({ ...person, ...fields })
    return { person, id }
  }
  const UNIQUE = 'The fields email, phone_number, company must make a unique set.'

  it('the refusal of a second lead with the same phone and email names the lead that exists and what to do', async () => {
    const { person, id } = await same()
    expect((await post(person)).body).toEqual({
      non_field_errors: [
        `${UNIQUE} Lead ${id} has this phone number and email. Update that lead. ` +
          'To reopen it once it is closed or cancelled, create it with min_reengagement_days.',
      ],
    })
  })

  it.each([
    [{}, 0, 'its status is OPEN'],
    [{ status: 'CLOSED' }, 30, 'it was created or reopened less than 30 days ago'],
    [{ status: 'CLOSED', call_dnc: true }, 0, 'its person must not be called'],
  ])(
    'the refusal of a second lead with the same phone and email tells why the first is not reopened: %j',
    async (fields, min_reengagement_days, why) => {
      const { person, id } = await same(fields)
      expect((await post({ ...person, min_reengagement_days })).body).toEqual({
        non_field_errors: [`${UNIQUE} Lead ${id} has this phone number and email. It is not reopened: ${why}. Update that lead.`],
      })
    },
  )

  it('the refusal of an update that takes the email of another lead names that lead', async () => {
    const { person, id } = await same()
    const other = await made({ phone_number: person.phone_number })
    expect((await patched(other.id, { email: person.email })).body).toEqual({
      non_field_errors: [`${UNIQUE} Lead ${id} has this phone number and email. Update that lead.`],
    })
  })

  it('the refusal of a second lead with the same phone and email costs no write and no further read', async () => {
    const { person } = await same()
    await post(person)
    expect(await writeUnits(() => post(person))).toBe(0)
    const again = await unitsOf(() => post(person))
    const created = await unitsOf(() => made({ ...person, phone_number: newPhone() }))
    expect(again.read).toBeLessThanOrEqual(created.read)
  })
})

describe('an unknown lead type', () => {
  const OWN = 'Your lead types: 5 "Roofing" and 4 "Solar panels".'

  it.each([
    [9, `Invalid pk "9" - object does not exist. ${OWN}`],
    [0, `Invalid pk "0" - object does not exist. ${OWN}`],
    ['garden', `Incorrect type. Expected pk value, received str. You sent "garden". ${OWN}`],
    [true, `Incorrect type. Expected pk value, received bool. You sent true. ${OWN}`],
    [
      'solar',
      'Incorrect type. Expected pk value, received str. You sent "solar". A lead type is named by its id. Did you mean 4 "Solar panels"?',
    ],
    [
      'ROOFIN',
      'Incorrect type. Expected pk value, received str. You sent "ROOFIN". A lead type is named by its id. Did you mean 5 "Roofing"?',
    ],
  ])('the refusal of the unknown lead type %j names the lead types of the caller', async (lead_type, message) => {
    const lead = await made({})
    expect(await post({ lead_type })).toMatchObject({ status: 400, body: { lead_type: [message] } })
    expect(await patched(lead.id, { lead_type })).toMatchObject({ status: 400, body: { lead_type: [message] } })
    const error = `lead_type: ${message}`
    const many = { method: 'PATCH', path: '/api/leads/bulk-update/', body: { leads: [{ id: lead.id, lead_type }] } }
    expect((await request(bulkUpdate, many)).body.results).toEqual([{ id: null, action: 'error', error }])
    const news = { method: 'POST', path: '/api/leads/bulk-create/', body: { leads: [{ phone_number: newPhone(), lead_type }] } }
    expect((await request(bulkCreate, news)).body.results).toEqual([{ id: null, action: 'error', error }])
  })

  it('the refusal of an unknown lead type names at most ten lead types, and none of another user', async () => {
    const { body } = await post({ lead_type: 5 }, { Authorization: `Token ${OTHER_KEY}` })
    const ten = Array.from({ length: 10 }, (_, place) => `${31 - place} "Type ${31 - place}"`)
    expect(body).toEqual({ lead_type: [`Invalid pk "5" - object does not exist. Your lead types: ${ten.join(', ')} and 3 more.`] })
  })

  it('the refusal of an unknown lead type costs one query for all items of a bulk request', async () => {
    const leads = Array.from({ length: 20 }, () => ({ phone_number: newPhone(), lead_type: 'garden' }))
    const { read } = await unitsOf(() => request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads } }))
    expect(read).toBeLessThan(20)
  })
})

describe('an unknown or absent source', () => {
  const upload = (source?: string, key = KEY) =>
    request(createUpload, {
      method: 'POST',
      path: '/api/ingestion/upload/',
      headers: { Authorization: `Token ${key}` },
      body: { source, filename: 'leads.csv' },
    })

  it('the refusal of an unknown or absent source names the sources of the caller', async () => {
    await aSource()
    expect((await upload('nothing')).body).toEqual({ source: ['Object with name=nothing does not exist. Your sources: demo.'] })
    expect((await upload()).body).toEqual({ source: ['This field is required. Your sources: demo.'] })
    expect((await upload('Demo')).body).toEqual({ source: ['Object with name=Demo does not exist. Did you mean demo?'] })
  })

  it('the refusal of an unknown source says so when the caller has no sources', async () => {
    expect((await upload('demo', OTHER_KEY)).body).toEqual({
      source: ['Object with name=demo does not exist. You have no sources. The operator of the service creates them.'],
    })
  })
})
