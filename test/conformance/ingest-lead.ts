import { type Body, json, lead, type Request, type Row } from './rows.ts'

/** In Hawaii, where it is early morning during the tests. */
const ADDRESS = { state: 'hi', zip: '96813' }
const SENT = {
  ref: '{text}',
  contact: { phone: '{formatted}', email: '{text}@example.com', name: { first: 'Ann', last: 'Lee' } },
  address: ADDRESS,
}
const METADATA = { first_name: 'Ann', last_name: 'Lee', zip: '96813' }
const SHOWN = { external_id: '{text}', email: '{text}@example.com', us_state: 'HI', metadata: METADATA }

const UNKNOWN = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'
const NOT_FOUND = { detail: 'Not found.' }
const NOT_PROVIDED = { detail: 'Authentication credentials were not provided. …' }

const ACTIONS = { create: '', upsert: 'upsert/' } as const
type Action = keyof typeof ACTIONS

const to = (action: Action, id = '{ingest}') => `POST /api/ingest-lead/${id}/${ACTIONS[action]}`

const both = (rowsOf: (action: Action) => Row[]): Row[] => (['create', 'upsert'] as const).flatMap((action) => rowsOf(action))

const refused = (action: Action, name: string, body: Body, answer: unknown, status = 400): Row => ({
  name,
  ask: to(action),
  body,
  status,
  answer,
})

const made: Request = { ask: to('create'), body: json(SENT) }

const upsert = (name: string, given: Request, sent: unknown, shown: Parameters<typeof lead>[0]): Row => ({
  name,
  given: [given],
  ask: to('upsert'),
  body: json(sent),
  status: 200,
  answer: lead({ id: '{lead}', ...SHOWN, ...shown }),
})

export const ingestLead: Row[] = [
  ...both((action) => [
    { name: 'a lead', ask: to(action), body: json(SENT), status: 201, answer: lead(SHOWN) },
    { name: 'a path without the slash', ask: to(action).slice(0, -1), body: json(SENT), status: 201, answer: lead(SHOWN) },
    {
      name: 'a nested value is kept as it is, and unmapped fields are dropped',
      ask: to(action),
      body: json({ ...SENT, utm: { source: 'web', tags: [1, null] }, phone_number: '1', metadata: { a: 1 } }),
      status: 201,
      answer: lead({ ...SHOWN, metadata: { ...METADATA, utm: { source: 'web', tags: [1, null] } } }),
    },
    {
      name: 'null and blank values are absent',
      ask: to(action),
      body: json({ ref: null, contact: { phone: '{phone}', email: ' ', name: null }, address: ADDRESS, utm: '' }),
      status: 201,
      answer: lead({ us_state: 'HI', metadata: { zip: '96813' } }),
    },
    {
      name: 'a URL-encoded form',
      ask: to(action),
      body: {
        urlencoded: {
          ref: '{text}',
          'contact[phone]': '{phone}',
          'contact[name][first]': 'Ann',
          'address[state]': 'HI',
          'address[zip]': '96813',
        },
      },
      status: 201,
      answer: lead({ external_id: '{text}', us_state: 'HI', metadata: { first_name: 'Ann', zip: '96813' } }),
    },
    {
      name: 'a multipart form',
      ask: to(action),
      body: { multipart: { 'contact.phone': '{phone}', 'utm[source]': 'web', 'address.state': 'HI', 'address.zip': '96813' } },
      status: 201,
      answer: lead({ us_state: 'HI', metadata: { zip: '96813', utm: { source: 'web' } } }),
    },
    {
      name: 'no token for a URL that needs none',
      ask: to(action, '{openIngest}'),
      body: json(SENT),
      headers: { authorization: null },
      status: 201,
      answer: lead(SHOWN),
    },
    {
      name: 'another user’s key for a URL that needs none',
      ask: to(action, '{openIngest}'),
      body: json(SENT),
      as: 'other',
      status: 201,
      answer: lead(SHOWN),
    },
    {
      name: 'no token',
      ask: to(action),
      body: json(SENT),
      headers: { authorization: null },
      status: 401,
      answer: NOT_PROVIDED,
      answerHeaders: { 'www-authenticate': 'Token' },
    },
    {
      name: 'a wrong token',
      ask: to(action),
      body: json(SENT),
      headers: { authorization: 'Token wrong' },
      status: 401,
      answer: { detail: 'Invalid token. …' },
    },
    { name: 'another user’s key', ask: to(action), body: json(SENT), as: 'other', status: 404, answer: NOT_FOUND },
    {
      name: 'another user’s key, before the body is parsed',
      ask: to(action),
      body: { raw: '{' },
      as: 'other',
      status: 404,
      answer: NOT_FOUND,
    },
    { name: 'an unknown id', ask: to(action, UNKNOWN), body: json(SENT), status: 404, answer: NOT_FOUND },
    {
      name: 'an unknown id and no token',
      ask: to(action, UNKNOWN),
      body: json(SENT),
      headers: { authorization: null },
      status: 404,
      answer: NOT_FOUND,
    },
    { name: 'an id that is no UUID', ask: to(action, '1'), body: json(SENT), status: 404, answer: NOT_FOUND },
    {
      name: 'a method that is not allowed',
      ask: to(action).replace('POST', 'PUT'),
      body: json({}),
      status: 405,
      answer: { detail: 'Method "PUT" not allowed. …' },
      answerHeaders: { allow: 'POST, OPTIONS' },
    },
    refused(action, 'an empty body', json({}), { 'contact.phone': ['This field is required.'] }),
    refused(action, 'a blank phone', json({ contact: { phone: '' } }), { 'contact.phone': ['This field is required.'] }),
    refused(action, 'several mistakes', json({ contact: { phone: '1', email: 'x' }, ref: true, address: { state: 'zz' } }), {
      'contact.phone': ['The phone number entered is not valid. …'],
      'contact.email': ['Enter a valid email address. …'],
      ref: ['Not a valid string.'],
      'address.state': ['"ZZ" is not a valid choice. …'],
    }),
    refused(action, 'values that are no text', json({ contact: { phone: { a: 1 }, email: ['x'] } }), {
      'contact.phone': ['Not a valid string.'],
      'contact.email': ['Enter a valid email address. …'],
    }),
    refused(action, 'a list', json([SENT]), { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
    refused(action, 'null', json(null), { non_field_errors: ['No data provided'] }),
    refused(
      action,
      'malformed JSON',
      { raw: '{"ref"' },
      { detail: "JSON parse error - Expecting ':' delimiter: line 1 column 7 (char 6)" },
    ),
    refused(
      action,
      'an unsupported media type',
      { raw: 'ref', type: 'text/plain' },
      { detail: 'Unsupported media type "text/plain" in request. …' },
      415,
    ),
    {
      name: 'a repeat with its Idempotency-Key',
      given: [{ ask: to(action, '{openIngest}'), body: json(SENT), headers: { authorization: null, 'Idempotency-Key': '{text}' } }],
      ask: to(action, '{openIngest}'),
      body: json(SENT),
      headers: { authorization: null, 'Idempotency-Key': '{text}' },
      status: 201,
      answer: lead({ id: '{lead}', ...SHOWN }),
      answerHeaders: { 'idempotent-replayed': 'true' },
    },
  ]),
  {
    name: 'the phone and email of an existing lead',
    given: [made],
    ask: to('create'),
    body: json(SENT),
    status: 400,
    answer: { non_field_errors: ['The fields email, phone_number, company must make a unique set. …'] },
  },
  {
    name: 'the same phone without an email makes another lead',
    given: [{ ask: to('create'), body: json({ contact: { phone: '{phone}' }, address: ADDRESS }) }],
    ask: to('create'),
    body: json({ contact: { phone: '{phone}' }, address: ADDRESS }),
    status: 201,
    answer: lead({ us_state: 'HI', metadata: { zip: '96813' } }),
  },
  upsert('the same lead again', made, SENT, {}),
  upsert(
    'a lead found by its external id',
    made,
    { ref: '{text}', contact: { name: { first: 'Bea' } } },
    { metadata: { ...METADATA, first_name: 'Bea' } },
  ),
  upsert(
    'a lead found by its phone number',
    made,
    { contact: { phone: '{digits}' }, utm: { a: 1 } },
    { metadata: { ...METADATA, utm: { a: 1 } } },
  ),
  upsert(
    'a lead found by its email',
    made,
    { contact: { email: '{text}@EXAMPLE.com', name: { last: 'May' } } },
    { email: '{text}@EXAMPLE.com', metadata: { ...METADATA, last_name: 'May' } },
  ),
  upsert(
    'a lead found by its external id before its phone number',
    made,
    { ref: '{text}', contact: { phone: '{phone2}' } },
    { phone_number: '{phone2}' },
  ),
]
