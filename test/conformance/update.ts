import { createLead, HONOLULU, json, lead, NEW, NO_CALL, type Row, refusedUpdates, updates } from './rows.ts'

const NULL = 'This field may not be null.'
const NO_STRING = 'Not a valid string.'
const NO_BOOLEAN = 'Must be a valid boolean. …'
const NO_PHONE = 'The phone number entered is not valid. …'
const NO_EMAIL = 'Enter a valid email address. …'
const NO_INTEGER = 'A valid integer is required. …'

const wrong = (field: string, cases: readonly (readonly [value: unknown, message: string])[]): Row[] =>
  refusedUpdates(
    cases.map(([value, message]) => [`${field}: ${JSON.stringify(value)}`, { [field]: value }, { [field]: [message] }] as const),
  )

const flags = (values: readonly unknown[], shown: boolean): Row[] =>
  updates(values.map((value) => [`sms_dnc: ${JSON.stringify(value)}`, { sms_dnc: value }, { sms_dnc: shown }]))

const moves = (statuses: readonly string[]): Row[] =>
  updates(statuses.map((status) => [`the status ${status}`, { status }, { status, status_reason: 'MANUAL', ...NO_CALL }]))

const withEmail = (email: string) => ({ ask: 'POST /api/leads/', body: json({ ...NEW, email }) })

export const update: Row[] = [
  ...wrong('email', [
    ['x', NO_EMAIL],
    [5, NO_EMAIL],
    [false, NO_EMAIL],
    [[], NO_EMAIL],
  ]),
  ...wrong('phone_number', [
    [null, NULL],
    ['', 'This field may not be blank.'],
    ['123', NO_PHONE],
    [true, NO_STRING],
    [{}, NO_STRING],
  ]),
  ...wrong('metadata', [['x', 'Expected a dictionary of items but got type "str".']]),
  ...wrong('status', [
    [null, NULL],
    ['', '"" is not a valid choice. …'],
    ['closed', '"closed" is not a valid choice. …'],
    [1, '"1" is not a valid choice. …'],
  ]),
  ...wrong('status_detail', [
    ['x', '"x" is not a valid choice. …'],
    ['WARM_TRANSFER', '"WARM_TRANSFER" is not a valid choice. …'],
    [[], '"[]" is not a valid choice. …'],
  ]),
  ...wrong('lead_type', [
    ['x', 'Incorrect type. Expected pk value, received str. …'],
    [true, 'Incorrect type. Expected pk value, received bool. …'],
    [2_000_000_000, 'Invalid pk "2000000000" - object does not exist. …'],
    ['{otherLeadType}', 'Invalid pk "{otherLeadType}" - object does not exist. …'],
  ]),
  ...wrong('representative', [
    ['x', NO_INTEGER],
    [1.5, NO_INTEGER],
    [[], NO_INTEGER],
  ]),
  ...wrong('external_id', [
    [true, NO_STRING],
    ['x'.repeat(256), 'Ensure this field has no more than 255 characters.'],
    ['a\0', 'Null characters are not allowed.'],
  ]),
  ...wrong('us_state', [['XX', '"XX" is not a valid choice. …']]),
  ...wrong('lead_source', [
    [null, NULL],
    [[], NO_STRING],
  ]),
  ...['sms_dnc', 'call_dnc'].flatMap((field) =>
    wrong(field, [
      [null, NULL],
      ['', NO_BOOLEAN],
      ['maybe', NO_BOOLEAN],
      [2, NO_BOOLEAN],
      [-1, NO_BOOLEAN],
      [[], NO_BOOLEAN],
      [[true], NO_BOOLEAN],
      [{}, NO_BOOLEAN],
    ]),
  ),
  ...refusedUpdates([
    [
      'every field at once, in their order',
      {
        call_dnc: 'x',
        sms_dnc: 'x',
        lead_source: null,
        us_state: 'x',
        external_id: [],
        representative: 'x',
        lead_type: 'x',
        status_detail: 'x',
        status: 'x',
        metadata: 'x',
        phone_number: 'x',
        email: 'x',
      },
      {
        email: [NO_EMAIL],
        phone_number: [NO_PHONE],
        metadata: ['Expected a dictionary of items but got type "str".'],
        status: ['"x" is not a valid choice. …'],
        status_detail: ['"x" is not a valid choice. …'],
        lead_type: ['Incorrect type. Expected pk value, received str. …'],
        representative: [NO_INTEGER],
        external_id: [NO_STRING],
        us_state: ['"x" is not a valid choice. …'],
        lead_source: [NULL],
        sms_dnc: [NO_BOOLEAN],
        call_dnc: [NO_BOOLEAN],
      },
    ],
  ]),
  ...refusedUpdates([
    [
      'a missing lead type beside another mistake',
      { email: 'x', lead_type: 2_000_000_000 },
      { email: [NO_EMAIL], lead_type: ['Invalid pk "2000000000" - object does not exist. …'] },
    ],
  ]),
  ...flags([true, 'true', 'True', 'TRUE', 't', 'T', 'y', 'Y', 'yes', 'Yes', 'on', 'ON', '1', 1], true),
  ...flags([false, 'false', 'False', 'f', 'n', 'N', 'no', 'NO', 'off', 'Off', '0', 0], false),
  ...updates([
    ['an empty object', {}, {}],
    ['an email', { email: ' {text}@Example.com ' }, { email: '{text}@Example.com' }],
    ['another phone', { phone_number: '{phone2}' }, { phone_number: '{phone2}' }],
    ['the same phone in another notation', { phone_number: '{formatted}' }, {}],
    ['a status detail', { status_detail: 'LEAD_ASSIGNED' }, { status_detail: 'LEAD_ASSIGNED' }],
    ['an external id that is a number', { external_id: 12 }, { external_id: '12' }],
    ['a representative as text', { representative: '7' }, { representative: 7 }],
    ['a state', { us_state: 'HI' }, { us_state: 'HI' }],
    ['a lead source', { lead_source: 'a' }, { lead_source: 'a' }],
    ['the lead type it has', { lead_type: '{leadType}' }, {}],
    ['the status it has', { status: 'OPEN' }, {}],
    ['an unknown key goes into the metadata', { first_name: 'A' }, { metadata: { timezone: HONOLULU, first_name: 'A' } }],
    ['a stop of calls', { call_dnc: true }, { call_dnc: true, ...NO_CALL }],
    [
      'fields that only the service sets, or only the creation',
      {
        id: 5,
        created_time: 'x',
        modified_time: 'x',
        received_time: 'x',
        next_call_time: null,
        next_call_time_reason: 'x',
        status_reason: 'CHAT',
        reengagements_count: 9,
        last_reengagement_time: 'x',
        reengagement_count: 9,
        reengagement_time: 'x',
        call_schedule_start_time: '2030-01-01T00:00:00Z',
        min_reengagement_days: 5,
      },
      {},
    ],
  ]),
  ...moves(['UNKNOWN', 'NEW', 'CLOSED', 'CLOSED_INCOMPLETE', 'LOST']),
  ...moves(['SCHEDULE_COMPLETED', 'OUT_OF_TERRITORY', 'BAD_NUMBER', 'CANCELLED']),
  {
    name: 'null clears fields',
    given: [
      {
        ask: 'POST /api/leads/',
        body: json({ ...NEW, email: '{text}@example.com', external_id: '{text}', representative: 7, us_state: 'HI' }),
      },
    ],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ email: null, external_id: null, representative: null, us_state: null }),
    status: 200,
    answer: lead({ id: '{lead}' }),
  },
  {
    name: 'the email of another lead with this phone, in another case',
    given: [withEmail('{text}@example.com'), withEmail('other@example.com')],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ email: '{text}@EXAMPLE.com' }),
    status: 400,
    answer: { non_field_errors: ['The fields email, phone_number, company must make a unique set. …'] },
  },
  {
    name: 'the lead’s email in another case',
    given: [withEmail('{text}@example.com')],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ email: '{text}@EXAMPLE.com' }),
    status: 200,
    answer: lead({ id: '{lead}', email: '{text}@EXAMPLE.com' }),
  },
  {
    name: 'an empty body',
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}/',
    body: { raw: '' },
    status: 200,
    answer: lead({ id: '{lead}' }),
  },
  {
    name: 'a list as the body',
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}/',
    body: json([]),
    status: 400,
    answer: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] },
  },
  {
    name: 'malformed JSON',
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}/',
    body: { raw: '[' },
    status: 400,
    answer: { detail: 'JSON parse error - Expecting value: line 1 column 2 (char 1)' },
  },
  {
    name: 'an unsupported media type',
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}/',
    body: { raw: '{}', type: 'text/plain' },
    status: 415,
    answer: { detail: 'Unsupported media type "text/plain" in request. …' },
  },
  {
    name: 'a closed lead that is opened again gets a call',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, status: 'CLOSED' }) }],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ status: 'OPEN' }),
    status: 200,
    answer: lead({ id: '{lead}', status_reason: 'MANUAL', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' }),
  },
]
