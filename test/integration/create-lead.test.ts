import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterEach, describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { handler as create } from '#functions/leads/create.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadsByEmail, leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { readPositionList } from '#shared/positions/position-list.ts'
import { countPositions } from '#shared/positions/rules/pages.ts'
import { helped } from '#test/support/helped.ts'
import { newPhone, times } from '#test/support/lead-requests.ts'
import { UNIQUE } from '#test/support/past-leads.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const world = suiteWorld()

afterEach(() => world().queues.take('CALL_QUEUE_URL'))

const post = (body: unknown, key = KEY) =>
  request(create, { method: 'POST', path: '/api/leads/', headers: { Authorization: `Token ${key}` }, body })

describe('a created lead', () => {
  it('a created lead has every field of the API, and other fields in its metadata', async () => {
    const phone_number = newPhone()
    const sent = {
      phone_number: phone_number.replace('+1', '1 '),
      email: 'Ann@Example.com',
      representative: 12,
      external_id: 'crm-1',
      us_state: 'NY',
      lead_source: 'web',
      call_schedule_start_time: '2026-11-21T10:00:00-05:00',
      metadata: { first_name: 'Ann', budget: 1.5 },
      timezone: 'America/New_York',
      budget: 'ignored, for the one inside wins',
    }
    const { status, body, headers } = await post(sent)
    expect(status).toBe(201)
    expect(headers['X-Request-Id']).toBe('request-1')
    expect(body).toEqual({
      id: expect.any(Number),
      email: 'Ann@Example.com',
      phone_number,
      metadata: {
        first_name: 'Ann',
        budget: 1.5,
        timezone: 'America/New_York',
        phone_number,
        email: 'Ann@Example.com',
        lead_source: 'web',
        external_id: 'crm-1',
        created_at: '11/20/2026 16:00',
      },
      modified_time: expect.stringMatching(/^2026-11-20T16:00:\d\d\.\d{6}\+00:00$/),
      created_time: body.modified_time,
      status: 'OPEN',
      status_detail: null,
      status_reason: 'UNKNOWN',
      lead_type: 4,
      representative: 12,
      external_id: 'crm-1',
      us_state: 'NY',
      lead_source: 'web',
      next_call_time: '2026-11-21T15:00:00.000000+00:00',
      next_call_time_reason: 'FIRST_CALL',
      received_time: body.modified_time,
      reengagements_count: 0,
      last_reengagement_time: null,
      call_schedule_start_time: '2026-11-21T15:00:00.000000+00:00',
      sms_dnc: false,
      call_dnc: false,
    })
  })

  it('a created lead is not called when its number is foreign and its time zone unknown', async () => {
    expect((await post({ phone_number: '+442071838750' })).body).toMatchObject({ status: 'OPEN', next_call_time: null })
  })
})

describe('a create with several errors', () => {
  it('a create reports all of its errors together, including an unknown lead type', async () => {
    expect(await post({ phone_number: 'x', lead_type: 9, email: 'q' })).toMatchObject({
      status: 400,
      body: {
        phone_number: [helped('The phone number entered is not valid. …')],
        email: [helped('Enter a valid email address. …')],
        lead_type: [helped('Invalid pk "9" - object does not exist. …')],
      },
    })
  })
})

describe('creates with the same phone', () => {
  it('64 creates with one phone and email at the same time make one lead', async () => {
    const body = { phone_number: newPhone(), email: 'same@example.com' }
    const answers = await times(64, (index) => post({ ...body, email: index % 2 ? body.email : body.email.toUpperCase() }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(63)
    for (const { status, body: errors } of refused) expect({ status, errors }).toEqual({ status: 400, errors: UNIQUE })
  })

  it('creates with the same phone and email all succeed for different owners or without the email', async () => {
    const body = { phone_number: newPhone(), email: 'shared@example.com' }
    expect((await post(body)).status).toBe(201)
    expect((await post(body, OTHER_KEY)).status).toBe(201)
    expect((await times(3, () => post({ phone_number: body.phone_number }))).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('creates with the same phone make at most a hundred leads, even at the same time', async () => {
    const phone_number = newPhone()
    const answers = await times(104, (index) => post({ phone_number, email: `${index}@example.com` }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    expect((await getPerson(OWNER, phone_number)).leads).toHaveLength(100)
    expect((await post({ phone_number })).body).toEqual({ phone_number: [expect.stringContaining('100 leads')] })
  })
})

describe('a lead whose first call could not be sent', () => {
  it('a lead whose first call could not be sent is created, and the sweep sends its call', async () => {
    const sqs = mockClient(SQSClient)
    sqs.on(SendMessageBatchCommand).resolves({ Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }], Successful: [] })
    const { status, body } = await post({ phone_number: newPhone(), timezone: 'America/New_York' })
    sqs.restore()
    expect(status).toBe(201)
    await world().queues.take('CALL_QUEUE_URL')
    await dispatchDue()
    const sent = (await world().queues.take('CALL_QUEUE_URL')).map((text) => JSON.parse(text))
    expect(sent).toContainEqual({ type: 'dial', lead_id: body.id, attempt: 1, due_at: Date.parse(body.next_call_time), owner: OWNER })
  })
})

describe('a create', () => {
  it('a create makes the lead searchable by email, ignoring case, and by external id', async () => {
    const { body } = await post({ phone_number: newPhone(), email: 'Found@example.com', external_id: 'crm-found' })
    expect(await leadsByEmail(OWNER, 'found@EXAMPLE.com')).toEqual([body.id])
    expect(await leadsByExternalId(OWNER, 'crm-found')).toEqual([body.id])
  })

  it('creates add one list position per lead, and none for requests that lost a race', async () => {
    const count = async () => countPositions(await readPositionList(2))
    const before = await count()
    const phones = [newPhone(), newPhone(), newPhone()]
    const answers = await times(48, (index) => post({ phone_number: phones[index % 3], email: 'one@example.com' }, OTHER_KEY))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await count()).toBe(before + 3)
  })

  it('a create applies the stop it contains to the phone', async () => {
    const phone_number = newPhone()
    const first = await post({ phone_number })
    expect((await post({ phone_number, call_dnc: true })).body).toMatchObject({ call_dnc: true, next_call_time: null })
    expect((await post({ phone_number })).body).toMatchObject({ call_dnc: true, sms_dnc: false })
    expect(first.body.call_dnc).toBe(false)
  })
})

describe('the cost of a create', () => {
  it.each<[string, number, (phone_number: string) => unknown]>([
    ['with a phone number alone', 8, (phone_number) => ({ phone_number })],
    ['with email and external id', 12, (phone_number) => ({ phone_number, email: 'a@example.com', external_id: 'crm-1' })],
  ])('a create %s costs at most %i write units', async (_, most, body) => {
    // The first in a block of ids pays for all of them.
    const costs: number[] = []
    for (let count = 0; count < 10; count++) {
      const { write } = await unitsOf(async () => expect((await post(body(newPhone()))).status).toBe(201))
      costs.push(write)
    }
    expect(costs.toSorted((a, b) => a - b)[8]).toBeLessThanOrEqual(most)
  })
})
