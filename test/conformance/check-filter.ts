import { createLead, json, type Row } from './rows.ts'

const NULL = 'This field may not be null.'
const REQUIRED = 'This field is required.'

const CHECK = 'POST /api/webhooks/check-filter/'
const FAULTY = { filter_condition: ['Unexpected "=" at position 8. Use == to compare.'] }
const NOT_ONE = { non_field_errors: ['Exactly one of payload, lead_id is required.'] }

const checked = (filter_condition: unknown, payload: unknown, matches: boolean): Row => ({
  name: `the filter "${filter_condition}" of ${JSON.stringify(payload)}`,
  ask: CHECK,
  body: json({ filter_condition, payload }),
  status: 200,
  answer: { matches },
})

const checkedLead = (filter_condition: string, matches: boolean): Row => ({
  name: `the filter "${filter_condition}" of a lead`,
  given: [createLead],
  ask: CHECK,
  body: json({ filter_condition, lead_id: '{lead}' }),
  status: 200,
  answer: { matches },
})

const notChecked = (name: string, sent: unknown, answer: unknown, status = 400): Row => ({
  name,
  given: [createLead],
  ask: CHECK,
  body: json(sent),
  status,
  answer,
})

export const checkFilter: Row[] = [
  checked("last_chat['is_contact'] == true", { last_chat: { is_contact: true } }, true),
  checked("last_chat['is_contact'] == true", { last_chat: null }, false),
  checked("last_chat['is_contact'] == true", {}, false),
  checked('', {}, true),
  checked(' ', { a: 1 }, true),
  checked("a == '12345678901234567890'", { a: 1 }, false),
  checked('constructor == null and a.b[0] == 1', { a: { b: [1] } }, true),
  checkedLead("status == 'OPEN' and phone_number == '{phone}' and id == {lead}", true),
  checkedLead("metadata.timezone == 'Pacific/Honolulu' and metadata.phone_number == phone_number", true),
  checkedLead("trigger == 'LEAD_CREATED' and call_count == 0 and last_chat == null and has('call') == false", true),
  checkedLead("has('event_id') and has('event_time') and has('sequence')", true),
  checkedLead("has('owner') or has('version') or has('position')", false),
  checkedLead('', true),
  notChecked('an empty object', {}, { filter_condition: [REQUIRED] }),
  notChecked('a body that is no dictionary', [], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
  notChecked('no filter', { payload: {} }, { filter_condition: [REQUIRED] }),
  notChecked('the filter null', { filter_condition: null, payload: {} }, { filter_condition: [NULL] }),
  notChecked('a faulty filter', { filter_condition: 'status = 1', payload: {} }, FAULTY),
  notChecked('a faulty filter, and a lead', { filter_condition: 'status = 1', lead_id: '{lead}' }, FAULTY),
  notChecked('a faulty filter, and a lead that does not exist', { filter_condition: 'status = 1', lead_id: 2_000_000_000 }, FAULTY),
  notChecked('neither a payload nor a lead', { filter_condition: '' }, NOT_ONE),
  notChecked('a payload and a lead that are null', { filter_condition: '', payload: null, lead_id: null }, NOT_ONE),
  notChecked('a payload and a lead', { filter_condition: '', payload: {}, lead_id: '{lead}' }, NOT_ONE),
  notChecked(
    'errors of all fields, in their order',
    { lead_id: 'x', payload: [], filter_condition: 'a b' },
    {
      filter_condition: ['Unexpected "b" at position 3.'],
      payload: ['Expected a dictionary of items but got type "list".'],
      lead_id: ['Incorrect type. Expected pk value, received str. …'],
    },
  ),
  notChecked(
    'a payload that is too deep',
    { filter_condition: '', payload: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) },
    { payload: ['Ensure this field has no more than 32 levels of nesting.'] },
  ),
  notChecked(
    'a payload that is too large',
    { filter_condition: '', payload: { a: 'x'.repeat(256 * 1024) } },
    { payload: ['Ensure this field has no more than 262144 bytes of JSON.'] },
  ),
  notChecked('a lead that does not exist', { filter_condition: '', lead_id: 2_000_000_000 }, { detail: 'Not found.' }, 404),
  { ...notChecked('another user’s lead', { filter_condition: '', lead_id: '{lead}' }, { detail: 'Not found.' }, 404), as: 'other' },
  {
    ...checked('a form', {}, true),
    body: { urlencoded: { filter_condition: '', lead_id: '1' } },
    status: 415,
    answer: { detail: 'Unsupported media type "application/x-www-form-urlencoded;charset=UTF-8" in request. …' },
  },
  {
    name: 'a method that is not allowed',
    ask: 'GET /api/webhooks/check-filter/',
    status: 405,
    answer: { detail: 'Method "GET" not allowed. …' },
  },
]
