import { expect } from '@jest/globals'
import { createLead, HONOLULU, ID, json, NEW, type Request, type Row } from './rows.ts'

const CREATE = 'POST /api/leads/bulk-create/'
const UPDATE = 'PATCH /api/leads/bulk-update/'
const NO_LIST = { leads: ['The body must contain a `leads` list.'] }
const NO_OBJECT = 'Each lead must be a JSON object.'
const TASK = expect.stringMatching(/^[0-9a-f-]{36}$/)

const failed = (error: string) => ({ id: null, action: 'error', error })
const made = (changes: Readonly<Record<string, unknown>> = {}) => ({
  id: ID,
  action: 'created',
  phone_number: '{phone}',
  external_id: null,
  ...changes,
})
const queued = (id = '{lead}') => ({ id, action: 'queued', task_id: TASK })

const many = (
  ask: string,
  status: number,
  name: string,
  leads: readonly unknown[],
  results: readonly unknown[],
  given: readonly Request[] = [],
): Row => ({
  name,
  ask,
  given,
  body: json({ leads }),
  status,
  answer: { results },
})

const created = (name: string, leads: readonly unknown[], results: readonly unknown[], given?: readonly Request[]): Row =>
  many(CREATE, 200, name, leads, results, given)

const updated = (name: string, leads: readonly unknown[], results: readonly unknown[], given: readonly Request[] = [createLead]): Row =>
  many(UPDATE, 202, name, leads, results, given)

const bothRefused = (name: string, body: Row['body'], answer: unknown, status = 400): Row[] =>
  [CREATE, UPDATE].map((ask) => ({ name, ask, ...(body && { body }), status, answer }))

const wrongUpdates = (cases: readonly (readonly [fields: Readonly<Record<string, unknown>>, error: string])[]): Row[] =>
  cases.map(([fields, error]) => updated(error, [{ id: '{lead}', ...fields }], [failed(error)]))

export const bulk: Row[] = [
  ...bothRefused('an empty object', json({}), NO_LIST),
  ...bothRefused('no body', undefined, NO_LIST),
  ...bothRefused('a list', json([]), NO_LIST),
  ...bothRefused('a number', json(5), NO_LIST),
  ...bothRefused('null', json(null), NO_LIST),
  ...bothRefused('leads of null', json({ leads: null }), NO_LIST),
  ...bothRefused('leads that are an object', json({ leads: { 0: NEW } }), NO_LIST),
  ...bothRefused('leads that are text', json({ leads: '[]' }), NO_LIST),
  ...bothRefused('1,001 leads', json({ leads: Array(1001).fill({}) }), { leads: ['Ensure this field has no more than 1000 elements.'] }),
  ...bothRefused('malformed JSON', { raw: '{"leads": [}' }, { detail: 'JSON parse error - Expecting value: line 1 column 12 (char 11)' }),
  created('no leads', [], []),
  created('values that are no objects', ['a', 5, null, true, [], [NEW]], Array(6).fill(failed(NO_OBJECT))),
  created('a good lead between bad ones', [{}, NEW, 'a'], [failed('phone_number: This field is required.'), made(), failed(NO_OBJECT)]),
  created(
    'several mistakes in one lead',
    [{ phone_number: 'x', email: 'x', status: 'x' }],
    [
      failed(
        'phone_number: The phone number entered is not valid. …; email: Enter a valid email address. …; status: "x" is not a valid choice. …',
      ),
    ],
  ),
  created('a lead with an external id', [{ ...NEW, phone_number: '{formatted}', external_id: 12 }], [made({ external_id: '12' })]),
  created(
    'the same phone and email twice',
    [
      { ...NEW, email: '{text}@example.com' },
      { ...NEW, email: '{text}@EXAMPLE.com' },
    ],
    [made(), failed('non_field_errors: The fields email, phone_number, company must make a unique set. …')],
  ),
  created(
    'an earlier lead that may be reengaged',
    [{ ...NEW, external_id: '{text}', min_reengagement_days: 0 }],
    [{ ...made({ id: '{lead}', external_id: '{text}' }), action: 'reengaged' }],
    [{ ask: 'POST /api/leads/', body: json({ ...NEW, status: 'LOST' }) }],
  ),
  created(
    'a lead type of another user',
    [{ ...NEW, lead_type: '{otherLeadType}' }],
    [failed('lead_type: Invalid pk "{otherLeadType}" - object does not exist. …')],
  ),
  created('a key named __proto__', [JSON.parse(`{"phone_number": "{phone}", "timezone": "${HONOLULU}", "__proto__": {"a": 1}}`)], [made()]),
  created(
    'a missing lead type beside another mistake',
    [{ ...NEW, email: 'x', lead_type: 2_000_000_000 }],
    [failed('email: Enter a valid email address. …; lead_type: Invalid pk "2000000000" - object does not exist. …')],
  ),
  updated(
    'a missing lead type beside another mistake',
    [{ id: '{lead}', email: 'x', lead_type: 2_000_000_000 }],
    [failed('email: Enter a valid email address. …; lead_type: Invalid pk "2000000000" - object does not exist. …')],
  ),
  updated('no updates', [], [], []),
  updated('values that are no objects', ['a', 5, null, []], Array(4).fill(failed(NO_OBJECT)), []),
  updated('an update of a lead', [{ id: '{lead}', lead_source: 'a' }], [queued()]),
  updated('a lead whose id is text', [{ id: ' {lead} ', status: 'LOST' }], [queued()]),
  updated(
    'a lead twice',
    [
      { id: '{lead}', lead_source: 'a' },
      { id: '{lead}', lead_source: 'b' },
    ],
    [queued(), queued()],
  ),
  updated('no change', [{ id: '{lead}' }], [queued()]),
  updated(
    'a good update between bad ones',
    [{}, { id: '{lead}', status: 'CANCELLED' }, 'a'],
    [failed('id: This field is required.'), queued(), failed(NO_OBJECT)],
  ),
  updated('no id', [{ status: 'LOST' }], [failed('id: This field is required.')]),
  updated('an id of null', [{ id: null }], [failed('id: This field may not be null.')]),
  updated('invalid ids', [{ id: 'x' }, { id: 1.5 }, { id: true }, { id: [] }], Array(4).fill(failed('id: A valid integer is required. …'))),
  updated('a missing lead', [{ id: 2_000_000_000, status: 'LOST' }], [failed('id: Invalid pk "2000000000" - object does not exist.')]),
  updated(
    'a lead of another user',
    [{ id: '{lead}', status: 'LOST' }],
    [failed('id: Invalid pk "{lead}" - object does not exist.')],
    [{ ...createLead, as: 'other' }],
  ),
  ...wrongUpdates([
    [{ status: 'x' }, 'status: "x" is not a valid choice. …'],
    [{ status: null }, 'status: This field may not be null.'],
    [{ phone_number: '' }, 'phone_number: This field may not be blank.'],
    [{ email: 'x', sms_dnc: 'x' }, 'email: Enter a valid email address. …; sms_dnc: Must be a valid boolean. …'],
    [{ metadata: [] }, 'metadata: Expected a dictionary of items but got type "list".'],
    [{ status_detail: 'x' }, 'status_detail: "x" is not a valid choice. …'],
    [{ lead_type: 'x' }, 'lead_type: Incorrect type. Expected pk value, received str. …'],
    [{ lead_type: 2_000_000_000 }, 'lead_type: Invalid pk "2000000000" - object does not exist. …'],
    [{ representative: 'x' }, 'representative: A valid integer is required. …'],
    [{ external_id: true }, 'external_id: Not a valid string.'],
    [{ us_state: 'XX' }, 'us_state: "XX" is not a valid choice. …'],
    [{ lead_source: null }, 'lead_source: This field may not be null.'],
  ]),
  {
    name: 'the task of an update',
    given: [createLead, { ask: UPDATE, body: json({ leads: [{ id: '{lead}', lead_source: 'a' }] }) }],
    ask: 'GET /api/tasks/{task}/',
    status: 200,
    answer: {
      task_id: '{task}',
      status: expect.stringMatching(/^(queued|applied)$/),
      error: null,
      lead: '{lead}',
      updated_time: expect.stringMatching(/^2026-11-20T\d\d:\d\d:\d\d\.\d{3}000\+00:00$/),
    },
  },
  {
    name: 'the task of another user’s update',
    given: [createLead, { ask: UPDATE, body: json({ leads: [{ id: '{lead}', lead_source: 'a' }] }) }],
    as: 'other',
    ask: 'GET /api/tasks/{task}/',
    status: 404,
    answer: { detail: 'Not found.' },
  },
]
