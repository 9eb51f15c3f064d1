import { HONOLULU, ID, json, lead, NEW, type Request, type Row } from './rows.ts'

const KEY = { 'Idempotency-Key': '{text}' }
const REPLAYED = { 'idempotent-replayed': 'true' }
const NEW_ONE = { 'idempotent-replayed': null }

const create: Request = { ask: 'POST /api/leads/', body: json(NEW), headers: KEY }

const again = (name: string, request: Request, status: number, answer: unknown): Row => ({
  name,
  ...request,
  given: [{ ...request, status }],
  status,
  answer,
  answerHeaders: REPLAYED,
})

const UNUSABLE = { detail: 'Idempotency-Key must have between 1 and 255 characters.' }

export const idempotency: Row[] = [
  { ...create, name: 'a key: the first time', status: 201, answer: lead(), answerHeaders: NEW_ONE },
  again('again: the same lead', create, 201, lead({ id: '{lead}' })),
  again('again: a refusal', { ...create, body: json({ phone_number: 'x' }) }, 400, {
    phone_number: ['The phone number entered is not valid. …'],
  }),
  again('again: malformed JSON', { ...create, body: { raw: '{' } }, 400, {
    detail: 'JSON parse error - Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  }),
  again('again: a form', { ...create, body: { urlencoded: { phone_number: '{phone}', timezone: HONOLULU } } }, 201, lead({ id: '{lead}' })),
  again(
    'again: a multipart form, whose boundary is another',
    { ...create, body: { multipart: { phone_number: '{phone}', timezone: HONOLULU } } },
    201,
    lead({ id: '{lead}' }),
  ),
  again('again: many leads', { ask: 'POST /api/leads/bulk-create/', headers: KEY, body: json({ leads: [NEW, 'x'] }) }, 200, {
    results: [
      { id: '{lead}', action: 'created', phone_number: '{phone}', external_id: null },
      { id: null, action: 'error', error: 'Each lead must be a JSON object.' },
    ],
  }),
  again(
    'again: a subscription',
    { ask: 'POST /api/webhooks/', headers: KEY, body: json({ url: 'https://example.com/', trigger: 'CALL_DNC' }) },
    201,
    {
      id: '{lead}',
      url: 'https://example.com/',
      trigger: ['CALL_DNC'],
      method: 'POST',
      filter_condition: '',
    },
  ),
  again('a key of 255 characters', { ...create, headers: { 'Idempotency-Key': `{phone}${'k'.repeat(243)}` } }, 201, lead({ id: '{lead}' })),
  {
    ...create,
    name: 'another body',
    given: [create],
    body: json({ ...NEW, lead_source: 'a' }),
    status: 422,
    answer: { detail: 'This Idempotency-Key was used with another request body.' },
    answerHeaders: NEW_ONE,
  },
  { ...create, name: 'a key that is empty', headers: { 'Idempotency-Key': '' }, status: 400, answer: UNUSABLE },
  { ...create, name: 'a key of 256 characters', headers: { 'Idempotency-Key': 'k'.repeat(256) }, status: 400, answer: UNUSABLE },
  {
    ...create,
    name: 'the same key of another user',
    given: [create],
    as: 'other',
    status: 201,
    answer: lead({ id: ID, lead_type: '{otherLeadType}' }),
    answerHeaders: NEW_ONE,
  },
  {
    name: 'the same key for another path',
    given: [create],
    ask: 'POST /api/leads/bulk-create/',
    headers: KEY,
    body: json(NEW),
    status: 400,
    answer: { leads: ['The body must contain a `leads` list.'] },
    answerHeaders: NEW_ONE,
  },
  {
    ...create,
    name: 'no key: a lead each time',
    given: [{ ...create, headers: {} }],
    headers: {},
    status: 201,
    answer: lead(),
    answerHeaders: NEW_ONE,
  },
  {
    name: 'a key of an update: not looked at',
    given: [create, { ask: 'PATCH /api/leads/{lead}/', headers: KEY, body: json({ lead_source: 'a' }) }],
    ask: 'PATCH /api/leads/{lead}/',
    headers: KEY,
    body: json({ lead_source: 'b' }),
    status: 200,
    answer: lead({ id: '{lead}', lead_source: 'b' }),
    answerHeaders: NEW_ONE,
  },
  {
    ...create,
    name: 'a wrong key of the user: before the other one is looked at',
    headers: { ...KEY, authorization: 'Token wrong' },
    given: [create],
    status: 401,
    answer: { detail: 'Invalid token. …' },
    answerHeaders: NEW_ONE,
  },
  {
    ...create,
    name: 'after an unsupported media type: not used up',
    given: [{ ...create, body: { raw: 'x', type: 'text/plain' }, status: 415 }],
    status: 201,
    answer: lead(),
    answerHeaders: NEW_ONE,
  },
]
