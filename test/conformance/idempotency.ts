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
  { ...create, name: 'the first request with a key', status: 201, answer: lead(), answerHeaders: NEW_ONE },
  again('a repeat returns the same lead', create, 201, lead({ id: '{lead}' })),
  again('a repeat of a refused create', { ...create, body: json({ phone_number: 'x' }) }, 400, {
    phone_number: ['The phone number entered is not valid. …'],
  }),
  again('a repeat with malformed JSON', { ...create, body: { raw: '{' } }, 400, {
    detail: 'JSON parse error - Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  }),
  again(
    'a repeat of a form',
    { ...create, body: { urlencoded: { phone_number: '{phone}', timezone: HONOLULU } } },
    201,
    lead({ id: '{lead}' }),
  ),
  again(
    'a repeat of a multipart form with another boundary',
    { ...create, body: { multipart: { phone_number: '{phone}', timezone: HONOLULU } } },
    201,
    lead({ id: '{lead}' }),
  ),
  again('a repeat of a bulk create', { ask: 'POST /api/leads/bulk-create/', headers: KEY, body: json({ leads: [NEW, 'x'] }) }, 200, {
    results: [
      { id: '{lead}', action: 'created', phone_number: '{phone}', external_id: null },
      { id: null, action: 'error', error: 'Each lead must be a JSON object.' },
    ],
  }),
  again(
    'a repeat returns the same subscription',
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
  again(
    'a repeat with a key of 255 characters',
    { ...create, headers: { 'Idempotency-Key': `{phone}${'k'.repeat(243)}` } },
    201,
    lead({ id: '{lead}' }),
  ),
  {
    ...create,
    name: 'a used key with another body',
    given: [create],
    body: json({ ...NEW, lead_source: 'a' }),
    status: 422,
    answer: { detail: 'This Idempotency-Key was used with another request body.' },
    answerHeaders: NEW_ONE,
  },
  { ...create, name: 'an empty key', headers: { 'Idempotency-Key': '' }, status: 400, answer: UNUSABLE },
  { ...create, name: 'a key of 256 characters', headers: { 'Idempotency-Key': 'k'.repeat(256) }, status: 400, answer: UNUSABLE },
  {
    ...create,
    name: 'a key that another user has used',
    given: [create],
    as: 'other',
    status: 201,
    answer: lead({ id: ID, lead_type: '{otherLeadType}' }),
    answerHeaders: NEW_ONE,
  },
  {
    name: 'a key that was used for another path',
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
    name: 'a second request without a key makes another lead',
    given: [{ ...create, headers: {} }],
    headers: {},
    status: 201,
    answer: lead(),
    answerHeaders: NEW_ONE,
  },
  {
    name: 'an update ignores the key',
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
    name: 'a wrong API key, before the idempotency key is checked',
    headers: { ...KEY, authorization: 'Token wrong' },
    given: [create],
    status: 401,
    answer: { detail: 'Invalid token. …' },
    answerHeaders: NEW_ONE,
  },
  {
    ...create,
    name: 'a key is unused after an unsupported media type',
    given: [{ ...create, body: { raw: 'x', type: 'text/plain' }, status: 415 }],
    status: 201,
    answer: lead(),
    answerHeaders: NEW_ONE,
  },
]
