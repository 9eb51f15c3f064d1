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

const both = (rowsOf: (action: Action) => Row[]): Row[] =>
  (['create', 'upsert'] as const).flatMap((action) => rowsOf(action).map((row) => ({ ...row, name: `${action}: ${row.name}` })))

const refused = (action: Action, name: string, body: Body, answer: unknown, status = 400): Row => ({
  name,
  ask: to(action),
  body,
  status,
  answer,
})

const made: Request = { ask: to('create'), body: json(SENT) }

const upsert = (name: string, given: Request, sent: unknown, shown: Parameters<typeof lead>[0]): Row => ({
  name: `upsert: ${name}`,
  given: [given],
  ask: to('upsert'),
  body: json(sent),
  status: 200,
  answer: lead({ id: '{lead}', ...SHOWN, ...shown }),
})

export const ingestLead: Row[] = [
  ...both((action) => [
    { name: 'a lead', ask: to(action), body: json(SENT), status: 201, answer: lead(SHOWN) },
    { name: 'without the slash', ask: to(action).slice(0, -1), body: json(SENT), status: 201, answer: lead(SHOWN) },
    {
      name: 'what is nested is kept as it is, and what is not mapped is not',
      ask: to(action),
      body: json({ ...SENT, utm: { source: 'web', tags: [1, null] }, phone_number: '1', metadata: { a: 1 } }),
      status: 201,
      answer: lead({ ...SHOWN, metadata: { ...METADATA, utm: { source: 'web', tags: [1, null] } } }),
    },
    {
      name: 'what is null or blank is absent',
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
      name: 'without a token where none is asked for',
      ask: to(action, '{openIngest}'),
      body: json(SENT),
      headers: { authorization: null },
      status: 201,
      answer: lead(SHOWN),
    },
    {
      name: 'another’s key where none is asked for',
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
    { name: 'another’s key', ask: to(action), body: json(SENT), as: 'other', status: 404, answer: NOT_FOUND },
    {
      name: 'another’s key, before the body is looked at',
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
      name: 'another method',
      ask: to(action).replace('POST', 'PUT'),
      body: json({}),
      status: 405,
      answer: { detail: 'Method "PUT" not allowed. …' },
      answerHeaders: { allow: 'POST, OPTIONS' },
    },
    refused(action, 'an empty body', json({}), { 'contact.phone': ['This field is required.'] }),
    refused(action, 'a blank phone', json({ contact: { phone: '' } }), { 'contact.phone': ['This field is required.'] }),
    refused(action, 'everything that is wrong', json({ contact: { phone: '1', email: 'x' }, ref: true, address: { state: 'zz' } }), {
      'contact.phone': ['The phone number entered is not valid. …'],
      'contact.email': ['Enter a valid email address. …'],
      ref: ['Not a valid string.'],
      'address.state': ['"ZZ" is not a valid choice. …'],
    }),
    refused(action, 'what is no text', json({ contact: { phone: { a: 1 }, email: ['x'] } }), {
      'contact.phone': ['Not a valid string.'],
      'contact.email': ['Enter a valid email address. …'],
    }),
    refused(action, 'a list', json([SENT]), { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
    refused(action, 'null', json(null), { non_field_errors: ['No data provided'] }),
    refused(
      action,
      'what is no JSON',
      { raw: '{"ref"' },
      { detail: "JSON parse error - Expecting ':' delimiter: line 1 column 7 (char 6)" },
    ),
    refused(
      action,
      'a type that is not taken',
      { raw: 'ref', type: 'text/plain' },
      { detail: 'Unsupported media type "text/plain" in request. …' },
      415,
    ),
    {
      name: 'the same Idempotency-Key',
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
    name: 'create: the same phone and email',
    given: [made],
    ask: to('create'),
    body: json(SENT),
    status: 400,
    answer: { non_field_errors: ['The fields email, phone_number, company must make a unique set. …'] },
  },
  {
    name: 'create: the same phone without an email is another lead',
    given: [{ ask: to('create'), body: json({ contact: { phone: '{phone}' }, address: ADDRESS }) }],
    ask: to('create'),
    body: json({ contact: { phone: '{phone}' }, address: ADDRESS }),
    status: 201,
    answer: lead({ us_state: 'HI', metadata: { zip: '96813' } }),
  },
  upsert('the same again', made, SENT, {}),
  upsert(
    'by its external id',
    made,
    { ref: '{text}', contact: { name: { first: 'Bea' } } },
    { metadata: { ...METADATA, first_name: 'Bea' } },
  ),
  upsert('by its phone number', made, { contact: { phone: '{digits}' }, utm: { a: 1 } }, { metadata: { ...METADATA, utm: { a: 1 } } }),
  upsert(
    'by its email',
    made,
    { contact: { email: '{text}@EXAMPLE.com', name: { last: 'May' } } },
    { email: '{text}@EXAMPLE.com', metadata: { ...METADATA, last_name: 'May' } },
  ),
  upsert('its external id before its phone number', made, { ref: '{text}', contact: { phone: '{phone2}' } }, { phone_number: '{phone2}' }),
]
