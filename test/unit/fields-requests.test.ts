import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { fieldErrors } from '#shared/http/fields/field.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { CreateSubscription } from '#shared/webhooks/api/create-subscription.ts'
import { helped } from '#test/support/helped.ts'

const parse = (schema: v.GenericSchema, body: unknown): unknown => {
  const result = v.safeParse(schema, body)
  return result.success ? result.output : { errors: fieldErrors(result.issues) }
}

const PHONE = '+12125550001'
const lead = (body: object) => parse(CreateLead, { phone_number: PHONE, ...body })

describe('CreateLead', () => {
  it('CreateLead coerces every field', () => {
    const body = {
      phone_number: '(212) 555-0001',
      email: ' jo@example.com ',
      metadata: { first_name: 'Jo' },
      status: 'NEW',
      lead_type: '12',
      representative: 3.0,
      external_id: 99,
      us_state: 'NY',
      lead_source: ' site ',
      call_schedule_start_time: '2026-11-20T16:00:00',
      min_reengagement_days: '0',
      call_dnc: 'on',
      sms_dnc: false,
    }
    expect(parse(CreateLead, body)).toStrictEqual({
      ...{ phone_number: PHONE, email: 'jo@example.com', metadata: { first_name: 'Jo' }, status: 'NEW', lead_type: 12, representative: 3 },
      ...{ external_id: '99', us_state: 'NY', lead_source: 'site', call_schedule_start_time: Date.parse('2026-11-20T16:00:00Z') },
      ...{ min_reengagement_days: 0, call_dnc: true, sms_dnc: false },
    })
  })

  it('CreateLead requires only a phone number, and adds no defaults', () => {
    expect(lead({})).toStrictEqual({ phone_number: PHONE })
    expect(parse(CreateLead, {})).toEqual({ errors: { phone_number: ['This field is required.'] } })
  })

  it('CreateLead accepts null, or blank text as null, in nullable fields only', () => {
    const nulls = { email: null, metadata: null, lead_type: null, representative: null, external_id: null, us_state: null }
    expect(lead({ ...nulls, call_schedule_start_time: null })).toStrictEqual({
      phone_number: PHONE,
      ...nulls,
      call_schedule_start_time: null,
    })
    const blanks = { email: '', lead_type: ' ', external_id: '', us_state: '' }
    expect(lead(blanks)).toStrictEqual({ phone_number: PHONE, email: null, lead_type: null, external_id: null, us_state: null })
    const errors = Object.fromEntries(
      ['phone_number', 'status', 'lead_source', 'min_reengagement_days', 'sms_dnc', 'call_dnc'].map((name) => [
        name,
        ['This field may not be null.'],
      ]),
    )
    expect(lead(Object.fromEntries(Object.keys(errors).map((name) => [name, null])))).toEqual({ errors })
  })

  it('CreateLead reports every failing field', () => {
    const long = 'x'.repeat(256)
    const body = {
      email: 'x',
      metadata: [],
      status: 'open',
      lead_type: 'x',
      representative: 0,
      external_id: long,
      us_state: 'XX',
      lead_source: long,
    }
    expect(
      parse(CreateLead, { ...body, phone_number: '', call_schedule_start_time: 'x', min_reengagement_days: -1, call_dnc: 'x' }),
    ).toEqual({
      errors: {
        phone_number: ['This field may not be blank.'],
        email: [helped('Enter a valid email address. …')],
        metadata: ['Expected a dictionary of items but got type "list".'],
        status: [helped('"open" is not a valid choice. …')],
        lead_type: [helped('Incorrect type. Expected pk value, received str. …')],
        representative: ['Ensure this value is greater than or equal to 1.'],
        external_id: ['Ensure this field has no more than 255 characters.'],
        us_state: [helped('"XX" is not a valid choice. …')],
        lead_source: ['Ensure this field has no more than 255 characters.'],
        call_schedule_start_time: [expect.stringMatching(/^Datetime has wrong format/)],
        min_reengagement_days: ['Ensure this value is greater than or equal to 0.'],
        call_dnc: [helped('Must be a valid boolean. …')],
      },
    })
  })

  it('CreateLead moves unknown keys into the metadata, unless the metadata has the same key', () => {
    expect(lead({ zip: '10001', metadata: { zip: '90210', a: 1 }, first_name: null })).toMatchObject({
      metadata: { zip: '90210', a: 1, first_name: null },
    })
    expect(lead({ zip: '10001', metadata: null })).toMatchObject({ metadata: { zip: '10001' } })
    expect(lead({ zip: '10001' })).toMatchObject({ metadata: { zip: '10001' } })
    expect(lead({ zip: '10001', metadata: 'x' })).toEqual({ errors: { metadata: ['Expected a dictionary of items but got type "str".'] } })
  })

  it('CreateLead drops read-only fields, and metadata keys that repeat a field', () => {
    const readOnly = ['id', 'modified_time', 'created_time', 'status_detail', 'status_reason', 'next_call_time', 'next_call_time_reason']
    const others = ['received_time', 'reengagements_count', 'last_reengagement_time', 'reengagement_count', 'reengagement_time']
    expect(lead(Object.fromEntries([...readOnly, ...others].map((key) => [key, 'x'])))).toStrictEqual({ phone_number: PHONE })
    const echoes = { phone_number: 'x', email: 'x', lead_source: 'x', external_id: 'x', created_at: 'x', id: 'kept' }
    expect(lead({ created_at: 'y', metadata: echoes })).toStrictEqual({ phone_number: PHONE, metadata: { id: 'kept' } })
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'CreateLead treats a key named %s as plain data',
    (key) => {
      for (const body of [
        `{"phone_number":"${PHONE}","${key}":{"status":"x"}}`,
        `{"phone_number":"${PHONE}","metadata":{"${key}":{"status":"x"}}}`,
      ]) {
        const { metadata } = v.parse(CreateLead, JSON.parse(body))
        expect(JSON.stringify(metadata)).toBe(`{"${key}":{"status":"x"}}`)
        expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
      }
      expect(JSON.stringify(parse(CreateLead, JSON.parse(`{"${key}":{"phone_number":"${PHONE}"}}`)))).toContain('This field is required.')
    },
  )

  it('CreateLead limits the size of the metadata after adding the unknown keys', () => {
    const half = 'x'.repeat(60_000)
    expect(lead({ a: half, metadata: { b: half } })).toEqual({
      errors: { metadata: ['Ensure this field has no more than 102400 bytes of JSON.'] },
    })
  })
})

describe('CreateSubscription', () => {
  const url = 'https://example.com/hook'

  it.each([undefined, null, '', ' ', 'POST'])('CreateSubscription reads method %j as POST, and a single trigger as a list', (method) => {
    const body = { url, trigger: 'CALL_COMPLETE', ...(method !== undefined && { method }), id: 5 }
    expect(parse(CreateSubscription, body)).toStrictEqual({ url, trigger: ['CALL_COMPLETE'], method: 'POST', filter_condition: '' })
  })

  it('CreateSubscription removes repeated triggers', () => {
    const trigger = ['SMS_DNC', 'CALL_DNC', 'SMS_DNC']
    expect(parse(CreateSubscription, { url, trigger, method: 'GET', filter_condition: ' ', headers: {} })).toStrictEqual({
      ...{ url, trigger: ['SMS_DNC', 'CALL_DNC'], method: 'GET', filter_condition: '', headers: {} },
    })
  })

  it('CreateSubscription reports every failing field', () => {
    expect(parse(CreateSubscription, {})).toEqual({ errors: { url: ['This field is required.'], trigger: ['This field is required.'] } })
    const body = { url: 'x', trigger: ['X', 'LEAD_LOST'], method: 'post', filter_condition: 'has(a)', headers: { Host: 'b' } }
    expect(parse(CreateSubscription, body)).toEqual({
      errors: {
        url: [helped('Enter a valid URL. …')],
        trigger: [helped('"X" is not a valid choice. …')],
        method: [helped('"post" is not a valid choice. …')],
        filter_condition: ['Unexpected "a" at position 5. Expected a path in quotes.'],
        headers: ['Host: This header may not be set.'],
      },
    })
    expect(parse(CreateSubscription, { url: '', trigger: [], filter_condition: null, headers: 'x' })).toEqual({
      errors: {
        url: ['This field may not be blank.'],
        trigger: ['This list may not be empty.'],
        filter_condition: ['This field may not be null.'],
        headers: ['Expected a dictionary of items but got type "str".'],
      },
    })
  })
})
