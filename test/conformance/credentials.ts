import { expect } from '@jest/globals'
import { createLead, HONOLULU, ID, json, lead, type Row } from './rows.ts'

const NOT_PROVIDED = { detail: 'Authentication credentials were not provided.' }

const refused = (name: string, authorization: string | null, answer: unknown): Row => ({
  name,
  ask: 'GET /api/leads/',
  headers: { authorization },
  status: 401,
  answer,
  answerHeaders: { 'www-authenticate': 'Token' },
})

export const credentials: Row[] = [
  refused('none', null, NOT_PROVIDED),
  refused('an empty header', '', NOT_PROVIDED),
  refused('another scheme', 'Basic dXNlcjpwYXNz', NOT_PROVIDED),
  refused('a bearer token', 'Bearer {key}', NOT_PROVIDED),
  refused('a key without its scheme', '{key}', NOT_PROVIDED),
  refused('the scheme alone', 'Token', { detail: 'Invalid token header. No credentials provided.' }),
  refused('the scheme and a blank', 'Token ', { detail: 'Invalid token header. No credentials provided.' }),
  refused('two keys', 'Token {key} {key}', { detail: 'Invalid token header. Token string should not contain spaces.' }),
  refused('a key that is no ASCII', 'Token schlüssel', {
    detail: 'Invalid token header. Token string should not contain invalid characters.',
  }),
  refused('an unknown key', 'Token wrong', { detail: 'Invalid token.' }),
  refused('a key with a letter more', 'Token {key}a', { detail: 'Invalid token.' }),
  {
    name: 'the scheme in another case',
    ask: 'GET /api/leads/?external_id=none',
    headers: { authorization: 'tOKEN {key}' },
    status: 200,
    answer: { count: 0, next: null, previous: null, results: [] },
    answerHeaders: { 'www-authenticate': null },
  },
  {
    name: 'missing, before the body is looked at',
    ask: 'POST /api/leads/',
    body: { raw: '{' },
    headers: { authorization: null },
    status: 401,
    answer: NOT_PROVIDED,
    answerHeaders: { 'www-authenticate': 'Token' },
  },
  {
    name: 'missing, before the size is looked at',
    ask: 'POST /api/leads/bulk-create/',
    body: { raw: ' '.repeat(4_300_000) },
    headers: { authorization: null },
    status: 401,
    answer: NOT_PROVIDED,
  },
  {
    name: 'missing, before it is looked for',
    ask: 'PATCH /api/leads/2000000000/',
    body: json({}),
    headers: { authorization: 'Token wrong' },
    status: 401,
    answer: { detail: 'Invalid token.' },
  },
  {
    name: 'missing, before the method is refused',
    ask: 'DELETE /api/leads/',
    headers: { authorization: null },
    status: 401,
    answer: NOT_PROVIDED,
    answerHeaders: { 'www-authenticate': 'Token', allow: null },
  },
  { name: 'of no use to ask for health', ask: 'GET /api/health/', headers: { authorization: null }, status: 200, answer: { status: 'ok' } },
  {
    name: 'of the staff: a user like another, here without a lead type',
    as: 'staff',
    ask: 'GET /api/users/me/',
    status: 200,
    answer: {
      id: '{staffUser}',
      name: 'Staff',
      is_staff: true,
      paused: false,
      paused_existing_leads: false,
      dnc_group: expect.any(String),
      lines: { limit: 10, in_use: 0 },
      default_lead_type: null,
    },
  },
  {
    name: 'of another user: a lead of one owner is none of the other’s',
    given: [createLead],
    as: 'other',
    ask: 'GET /api/leads/{lead}/',
    status: 404,
    answer: { detail: 'Not found.' },
  },
  {
    name: 'of another user: the same phone and email are a lead of that user',
    given: [{ ask: 'POST /api/leads/', body: json({ phone_number: '{phone}', email: 'same@example.com', timezone: HONOLULU }) }],
    as: 'other',
    ask: 'POST /api/leads/',
    body: json({ phone_number: '{phone}', email: 'same@example.com', timezone: HONOLULU }),
    status: 201,
    answer: lead({ id: ID, email: 'same@example.com', lead_type: '{otherLeadType}' }),
  },
]
