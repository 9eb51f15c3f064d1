import { expect } from '@jest/globals'
import { createLead, json, lead, NO_CALL, type Request, type Row } from './rows.ts'

const NO_BOOLEAN = 'Must be a valid boolean. …'
const NO_NULL = 'This field may not be null.'
const NO_PHONE = 'The phone number entered is not valid. …'
const REQUIRED = 'This field is required.'
const BLANK = 'This field may not be blank.'
const NO_FLAG = 'At least one of call_dnc and sms_dnc must be true.'

const ENTER = 'POST /api/dnc/'
const LOOK = 'GET /api/dnc/'

const entry = (call_dnc = true, sms_dnc = true) => ({ phone_number: '{phone}', call_dnc, sms_dnc })
const shown = (call_dnc = true, sms_dnc = true) => ({ ...entry(call_dnc, sms_dnc), effective: { call_dnc, sms_dnc } })
const enter = (fields: Readonly<Record<string, unknown>> = {}): Request => ({
  ask: ENTER,
  body: json({ phone_number: '{phone}', ...fields }),
})

const entered = (name: string, fields: Readonly<Record<string, unknown>>, answer = entry()): Row => ({
  name: `entering ${name}`,
  ...enter(fields),
  status: 201,
  answer,
})

const notEntered = (sent: unknown, answer: unknown): Row => ({
  name: `entering ${JSON.stringify(sent)}`,
  ask: ENTER,
  body: json(sent),
  status: 400,
  answer,
})

const looked = (name: string, answer: unknown, given: readonly Request[] = [], query = '?phone_number=%2B1{digits}'): Row => ({
  name: `looking up ${name}`,
  given,
  ask: `${LOOK}${query}`,
  status: 200,
  answer,
})

const notLooked = (query: string, message: string): Row => ({
  name: `looking up ${query || 'no number'}`,
  ask: `${LOOK}${query}`,
  status: 400,
  answer: { phone_number: [message] },
})

const patch = (fields: unknown): Request => ({ ask: 'PATCH /api/leads/{lead}/', body: json(fields) })
const STOPPED = { id: '{lead}', call_dnc: true, sms_dnc: true, ...NO_CALL }

const listRows: Row[] = [
  entered('a number', {}),
  entered('a number in another notation', { phone_number: '{formatted}' }),
  entered('a number for calls alone', { sms_dnc: false }, entry(true, false)),
  entered('a number for texts alone', { call_dnc: 'false' }, entry(false, true)),
  entered('a number with flags as text', { call_dnc: 'on', sms_dnc: 0 }, entry(true, false)),
  { ...entered('a number by a form', {}), body: { urlencoded: { phone_number: '{phone}' } } },
  {
    ...entered('a number by a form with a flag', {}, entry(false, true)),
    body: { urlencoded: { phone_number: '{phone}', call_dnc: 'False' } },
  },
  { ...entered('a number by a multipart form', {}, entry(true, false)), body: { multipart: { phone_number: '{phone}', sms_dnc: '0' } } },
  { ...entered('a number by a form with blank flags', {}), body: { urlencoded: { phone_number: '{phone}', call_dnc: '', sms_dnc: '' } } },
  { ...entered('a number on a path without the slash', {}), ask: 'POST /api/dnc' },
  { ...entered('a listed number again', {}), given: [enter()], status: 200 },
  { ...entered('a listed number again for calls alone', { sms_dnc: false }), given: [enter()], status: 200 },
  { ...entered('a number that was listed for calls alone', {}), given: [enter({ sms_dnc: false })] },
  { ...entered('the other flag of a listed number', { call_dnc: false }), given: [enter({ sms_dnc: false })] },
  {
    ...entered('a number that only an update had stopped', { sms_dnc: false }, entry(true, false)),
    given: [createLead, patch({ call_dnc: true, sms_dnc: true })],
  },
  { ...entered('a number of another user’s list', {}), given: [{ ...enter(), as: 'other' }] },
  {
    ...entered('a number again with its Idempotency-Key', {}),
    headers: { 'Idempotency-Key': '{text}' },
    given: [{ ...enter(), headers: { 'Idempotency-Key': '{text}' } }],
    answerHeaders: { 'idempotent-replayed': 'true' },
  },
  {
    ...enter(),
    name: 'entering a number without credentials',
    headers: { authorization: null },
    status: 401,
    answer: { detail: 'Authentication credentials were not provided. …' },
  },
  notEntered({ phone_number: '{phone}', call_dcn: true }, { call_dcn: ['Unknown field. Did you mean `call_dnc`?'] }),
  notEntered({ phone_number: '{phone}', dnc: true }, { dnc: ['Unknown field. The fields are: `phone_number`, `call_dnc`, `sms_dnc`.'] }),
  notEntered({}, { phone_number: [REQUIRED] }),
  notEntered({ phone_number: ' ' }, { phone_number: [BLANK] }),
  notEntered({ phone_number: null }, { phone_number: [NO_NULL] }),
  notEntered({ phone_number: '123' }, { phone_number: [NO_PHONE] }),
  notEntered({ phone_number: '{phone}', call_dnc: false, sms_dnc: false }, { non_field_errors: [NO_FLAG] }),
  notEntered({ phone_number: '{phone}', call_dnc: 'x', sms_dnc: null }, { call_dnc: [NO_BOOLEAN], sms_dnc: [NO_NULL] }),
  notEntered({ phone_number: 'x', call_dnc: false, sms_dnc: 5 }, { phone_number: [NO_PHONE], sms_dnc: [NO_BOOLEAN] }),
  notEntered([], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
  looked('a number that is not listed', shown(false, false)),
  looked('a listed number', shown(), [enter()]),
  looked('a number listed for calls alone', shown(true, false), [enter({ sms_dnc: false })]),
  looked('a number of another user’s list', shown(false, false), [{ ...enter(), as: 'other' }]),
  looked('a number in another notation', shown(), [enter()], '?phone_number={digits}'),
  looked('a number with a plus sign that is not escaped', shown(), [enter()], '?phone_number=+1{digits}'),
  notLooked('', REQUIRED),
  notLooked('?phone_number=', BLANK),
  notLooked('?phone_number=123', NO_PHONE),
  {
    name: 'a lead whose number was listed later',
    given: [createLead, enter()],
    ask: 'GET /api/leads/{lead}/',
    status: 200,
    answer: lead(STOPPED),
  },
  {
    name: 'a lead whose number was listed before',
    given: [enter({ sms_dnc: false })],
    ...createLead,
    status: 201,
    answer: lead({ call_dnc: true, ...NO_CALL }),
  },
  {
    name: 'an update cannot lift a listed number',
    given: [createLead, enter()],
    ...patch({ call_dnc: false, sms_dnc: false }),
    status: 200,
    answer: lead(STOPPED),
  },
  {
    name: 'an update lifts the flag of an earlier update',
    given: [createLead, patch({ call_dnc: true })],
    ...patch({ call_dnc: false }),
    status: 200,
    answer: lead({ id: '{lead}', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' }),
  },
  {
    name: 'a new lead of a number whose flag was lifted',
    given: [createLead, patch({ call_dnc: true }), patch({ call_dnc: false })],
    ...createLead,
    status: 201,
    answer: lead(),
  },
]

const PAUSE = 'POST /api/users/{user}/pause-calls/'
const UNPAUSE = 'POST /api/users/{user}/unpause-calls/'
const MISSING = '2000000000'
const NOT_FOUND = { detail: 'Not found.' }
const FORBIDDEN = { detail: 'You do not have permission to perform this action.' }
const ALL = { status: 'Outbound calls are paused until they are unpaused.' }
const EXISTING = { status: 'Outbound calls to the existing leads are paused until they are unpaused.' }
const UNPAUSED = { status: 'Outbound calls are unpaused. Calls that came due during the pause are being rescheduled.' }

const paused = (name: string, row: Omit<Row, 'name' | 'ask' | 'status' | 'answer'>, answer: unknown = ALL): Row => ({
  name: `a pause ${name}`,
  ask: PAUSE,
  status: 202,
  answer,
  ...row,
})

const notPaused = (sent: unknown, answer: unknown): Row => ({
  ...paused(`with ${JSON.stringify(sent)}`, { body: json(sent) }, answer),
  status: 400,
})

const me = (name: string, given: readonly Request[], pause: Readonly<Record<string, boolean>>): Row => ({
  name: `the own user ${name}`,
  given: [{ ask: UNPAUSE }, createLead, ...given],
  ask: 'GET /api/users/me/',
  status: 200,
  answer: {
    id: '{user}',
    name: 'Demo',
    is_staff: false,
    ...pause,
    dnc_group: expect.stringMatching(/^\d+$/),
    lines: { limit: 10, in_use: expect.any(Number) },
    default_lead_type: '{leadType}',
  },
})

const pause = (body: unknown): Request => ({ ask: PAUSE, body: json(body) })

const pauseRows: Row[] = [
  paused('without a body', {}),
  paused('with an empty body', { body: json({}) }),
  paused('of all leads', { body: json({ only_existing_leads: false }) }),
  paused('of the existing leads', { body: json({ only_existing_leads: true }) }, EXISTING),
  paused('of the existing leads, as text', { body: json({ only_existing_leads: 'yes' }) }, EXISTING),
  paused('by a form', { body: { urlencoded: { only_existing_leads: 'true' } } }, EXISTING),
  paused('by a multipart form', { body: { multipart: { only_existing_leads: '1' } } }, EXISTING),
  paused('by a blank form', { body: { urlencoded: { only_existing_leads: '' } } }),
  paused('of calls that are paused', { given: [pause({})] }),
  { ...paused('on a path without the slash', {}), ask: 'POST /api/users/{user}/pause-calls' },
  { ...paused('with zeros before the id', {}), ask: 'POST /api/users/00{user}/pause-calls/' },
  { ...paused('of any user by the staff', { as: 'staff' }), ask: 'POST /api/users/{otherUser}/pause-calls/' },
  { ...paused('of a missing user by the staff', { as: 'staff' }, NOT_FOUND), ask: `POST /api/users/${MISSING}/pause-calls/`, status: 404 },
  { ...paused('of another user', { as: 'other' }, FORBIDDEN), status: 403 },
  { ...paused('of another user, before the body is parsed', { as: 'other', body: { raw: '{' } }, FORBIDDEN), status: 403 },
  { ...paused('of a missing user', {}, FORBIDDEN), ask: `POST /api/users/${MISSING}/pause-calls/`, status: 403 },
  { ...paused('of an id that is no number', {}, NOT_FOUND), ask: 'POST /api/users/me/pause-calls/', status: 404 },
  {
    ...paused('again with its Idempotency-Key', {}),
    headers: { 'Idempotency-Key': '{text}' },
    given: [{ ask: PAUSE, headers: { 'Idempotency-Key': '{text}' } }],
    answerHeaders: { 'idempotent-replayed': 'true' },
  },
  notPaused({ only_existing_leads: 'x' }, { only_existing_leads: [NO_BOOLEAN] }),
  notPaused({ only_existing_leads: null }, { only_existing_leads: [NO_NULL] }),
  notPaused([], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
  { name: 'the end of a pause', given: [pause({})], ask: UNPAUSE, status: 202, answer: UNPAUSED },
  {
    name: 'the end of a pause of calls that are not paused',
    given: [{ ask: UNPAUSE }],
    ask: UNPAUSE,
    body: json({}),
    status: 202,
    answer: UNPAUSED,
  },
  {
    name: 'the end of a pause of any user by the staff',
    ask: 'POST /api/users/{otherUser}/unpause-calls/',
    as: 'staff',
    status: 202,
    answer: UNPAUSED,
  },
  {
    name: 'the end of a pause of a missing user by the staff',
    ask: `POST /api/users/${MISSING}/unpause-calls/`,
    as: 'staff',
    status: 404,
    answer: NOT_FOUND,
  },
  { name: 'the end of a pause of another user', ask: UNPAUSE, as: 'other', status: 403, answer: FORBIDDEN },
  me('that is paused', [pause({})], { paused: true, paused_existing_leads: false }),
  me('whose existing leads are paused', [pause({ only_existing_leads: true })], { paused: false, paused_existing_leads: true }),
  me('that is paused in both ways', [pause({ only_existing_leads: true }), pause({})], { paused: true, paused_existing_leads: true }),
  me('that is unpaused', [pause({ only_existing_leads: true }), pause({}), { ask: UNPAUSE }], {
    paused: false,
    paused_existing_leads: false,
  }),
]

export const stopping: Row[] = [...listRows, ...pauseRows]
