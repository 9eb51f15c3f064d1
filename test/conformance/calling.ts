import { expect } from '@jest/globals'
import { createLead, json, type Row } from './rows.ts'

const SCHEDULE = 'POST /api/leads/{lead}/schedule-call/'
const EXPLAIN = 'GET /api/leads/{lead}/explain/'
const CALLS = 'GET /api/leads/{lead}/calls/'

const NOT_FOUND = { detail: 'Not found.' }
const WRONG = 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]. …'
const PAST = 'This time is in the past. …'
const SOME_TEXT: unknown = expect.stringMatching(/\S/)

const EIGHT_IN_HONOLULU = '2026-11-20T18:00:00.000000+00:00'
const NOON_IN_HONOLULU = '2026-11-20T22:00:00.000000+00:00'

const order = (name: string, sent: unknown, next_call_time: string, detail: unknown): Row => ({
  name,
  given: [createLead],
  ask: SCHEDULE,
  body: json(sent),
  status: 200,
  answer: { id: '{lead}', scheduled: true, next_call_time, next_call_time_reason: 'SCHEDULED', detail },
})

const refused = (sent: unknown, answer: unknown): Row => ({
  name: `the body ${JSON.stringify(sent)}`,
  given: [createLead],
  ask: SCHEDULE,
  body: json(sent),
  status: 400,
  answer,
})

const atNoon = 'The call is scheduled for 2026-11-20T22:00:00.000000+00:00.'
const inTheMorning: unknown = expect.stringMatching(/next time that is available.*06:\d\d in Pacific\/Honolulu is outside 08:00-21:00/)

const scheduling: Row[] = [
  order('without a time', {}, EIGHT_IN_HONOLULU, inTheMorning),
  order('the time null', { call_time: null }, EIGHT_IN_HONOLULU, inTheMorning),
  order('a time', { call_time: '2026-11-20T22:00:00Z' }, NOON_IN_HONOLULU, atNoon),
  order('a time with an offset', { call_time: '2026-11-20T12:00-10:00' }, NOON_IN_HONOLULU, atNoon),
  order('a time without an offset means UTC', { call_time: '2026-11-20 22:00' }, NOON_IN_HONOLULU, atNoon),
  order('a time at night is moved to the morning', { call_time: '2026-11-20T17:00:00Z' }, EIGHT_IN_HONOLULU, SOME_TEXT),
  { ...order('a form', {}, NOON_IN_HONOLULU, atNoon), body: { urlencoded: { call_time: '2026-11-20T22:00:00Z' } } },
  { ...order('a multipart form', {}, NOON_IN_HONOLULU, atNoon), body: { multipart: { call_time: '2026-11-20T22:00:00Z' } } },
  { ...order('a blank form', {}, EIGHT_IN_HONOLULU, inTheMorning), body: { urlencoded: { call_time: '' } } },
  { ...order('no body', {}, EIGHT_IN_HONOLULU, inTheMorning), body: { raw: '', type: null } },
  {
    ...order('a path without the slash', { call_time: '2026-11-20T22:00:00Z' }, NOON_IN_HONOLULU, atNoon),
    ask: 'POST /api/leads/{lead}/schedule-call',
  },
  refused({ time: '2026-11-20T22:00:00Z' }, { time: ['Unknown field. Did you mean `call_time`?'] }),
  refused({ call_time: '2026-11-20T22:00:00Z', status: 'LOST' }, { status: ['Unknown field. The fields are: `call_time`.'] }),
  refused({ call_time: '2026-11-20T15:59:00Z' }, { call_time: [PAST] }),
  refused({ call_time: '1970-01-01T00:00:00Z' }, { call_time: [PAST] }),
  ...['', 'tomorrow', '2026-11', 5, true, [], {}].map((call_time) => refused({ call_time }, { call_time: [WRONG] })),
  refused([], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
  {
    name: 'a cancelled lead is not scheduled',
    given: [createLead, { ask: 'PATCH /api/leads/{lead}/', body: json({ status: 'CANCELLED' }) }],
    ask: SCHEDULE,
    body: json({}),
    status: 200,
    answer: {
      id: '{lead}',
      scheduled: false,
      next_call_time: null,
      next_call_time_reason: null,
      detail: 'Not scheduled. Leads in status CANCELLED are not called.',
    },
  },
  {
    name: 'a repeat with its Idempotency-Key',
    given: [createLead, { ask: SCHEDULE, headers: { 'Idempotency-Key': '{text}' }, body: json({ call_time: '2026-11-20T22:00:00Z' }) }],
    ask: SCHEDULE,
    headers: { 'Idempotency-Key': '{text}' },
    body: json({ call_time: '2026-11-20T22:00:00Z' }),
    status: 200,
    answer: {
      id: '{lead}',
      scheduled: true,
      next_call_time: NOON_IN_HONOLULU,
      next_call_time_reason: 'SCHEDULED',
      detail: atNoon,
    },
    answerHeaders: { 'idempotent-replayed': 'true' },
  },
]

const gate = (name: string, said: Readonly<Record<string, unknown>> = {}) => ({
  gate: name,
  passed: true,
  detail: SOME_TEXT,
  inputs: expect.any(Object),
  rule: null,
  citation: null,
  next_time: null,
  ...said,
})

const RULES = { rule: SOME_TEXT, citation: SOME_TEXT }

const explanation = (at: unknown, callable: boolean, next_callable_time: unknown, window: Readonly<Record<string, unknown>>) => ({
  lead_id: '{lead}',
  at,
  callable,
  next_callable_time,
  location: { state: null, zip: null, source: null },
  timezones: ['Pacific/Honolulu'],
  timezone_source: 'timezone',
  gates: [
    gate('status', { inputs: { status: 'OPEN' } }),
    gate('paused'),
    gate('dnc', RULES),
    gate('litigator'),
    gate('lead_type', { inputs: { lead_type: '{leadType}' } }),
    gate('consent'),
    gate('start_time', { inputs: { call_schedule_start_time: null } }),
    gate('due', callable ? {} : { passed: false, inputs: { next_call_time: EIGHT_IN_HONOLULU }, next_time: EIGHT_IN_HONOLULU }),
    gate('window', { ...RULES, ...window }),
    gate('attempt_cap'),
    gate('call_in_progress', { inputs: { in_progress: false, call: null } }),
    gate('capacity'),
  ],
})

const explained = (name: string, query: string, answer: unknown, status = 200): Row => ({
  name: `an explanation ${name}`,
  given: [createLead],
  ask: `${EXPLAIN}${query}`,
  status,
  answer,
})

const closed = { passed: false, rule: 'federal (calling rules of 2026-11-25)', next_time: EIGHT_IN_HONOLULU }
const NOW: unknown = expect.stringMatching(/^2026-11-20T16:\d\d:\d\d\.\d{6}\+00:00$/)

const explaining: Row[] = [
  explained('without an instant', '', explanation(NOW, false, EIGHT_IN_HONOLULU, closed)),
  ...[
    '2026-11-20T22:00:00Z',
    '2026-11-20T12:00:00-10:00',
    '2026-11-20T22:00',
    '2026-11-20T23:00:00%2B01:00',
    '2026-11-20T23:00:00+01:00',
  ].map((at) => explained(`at "${at}"`, `?at=${at}`, explanation(NOON_IN_HONOLULU, true, NOON_IN_HONOLULU, {}))),
  ...['', '%20', 'x', 'now', '2026-11', '0', '2026-02-30T00:00:00Z', '%00'].map((at) =>
    explained(`at "${at}"`, `?at=${at}`, { at: [WRONG] }, 400),
  ),
]

const noPage = (query: string): Row => ({
  name: 'a page that does not exist',
  given: [createLead],
  ask: `${CALLS}${query}`,
  status: 404,
  answer: { detail: 'Invalid page.' },
})

const none = (query: string): Row => ({
  name: 'no calls of a new lead',
  given: [createLead],
  ask: `${CALLS}${query}`,
  status: 200,
  answer: { count: 0, next: null, previous: null, results: [] },
})

const unknown = (ask: string): Row => ({
  name: 'a lead that does not exist',
  ask,
  status: 404,
  answer: NOT_FOUND,
  ...(ask.startsWith('POST') && { body: json({}) }),
})

const notAllowed = (ask: string, allow: string): Row => ({
  name: 'a method that is not allowed',
  ask,
  ...(!/^(GET|DELETE)/.test(ask) && { body: json({}) }),
  status: 405,
  answer: { detail: `Method "${ask.split(' ')[0]}" not allowed. …` },
  answerHeaders: { allow },
})

/** Operations on a lead's calls. In Honolulu it is early morning during the tests, so nobody there may be called. */
export const calling: Row[] = [
  ...scheduling,
  ...explaining,
  none(''),
  none('?page=last&page_size=2'),
  noPage('?page=2'),
  noPage('?page=0'),
  ...['POST /api/leads/2000000000/schedule-call/', 'GET /api/leads/2000000000/explain/', 'GET /api/leads/x/explain/'].map(unknown),
  ...['GET /api/leads/2000000000/calls/', 'GET /api/leads/0/calls/', 'POST /api/leads/abc/schedule-call/'].map(unknown),
  notAllowed('GET /api/leads/2000000000/schedule-call/', 'POST, OPTIONS'),
  notAllowed('POST /api/leads/2000000000/explain/', 'GET, HEAD, OPTIONS'),
  notAllowed('DELETE /api/leads/2000000000/calls/', 'GET, HEAD, OPTIONS'),
]
