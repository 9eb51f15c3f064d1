import { expect } from '@jest/globals'
import { type Given, ID, json, type Row } from './rows.ts'

const URL = 'https://example.com/hook'
const BLANK = 'This field may not be blank.'
const NULL = 'This field may not be null.'
const REQUIRED = 'This field is required.'
const NO_STRING = 'Not a valid string.'

const NO_SUCH_FIELD = 'Unknown field. The fields are: `url`, `trigger`, `method`, `filter_condition`, `headers`.'

const GOOD = { url: URL, trigger: ['LEAD_CREATED'] }
const SHOWN = { id: ID, ...GOOD, method: 'POST', filter_condition: '' }
const KEPT = { ...SHOWN, disabled_time: null, disabled_reason: null }

const refused = (name: string, sent: Readonly<Record<string, unknown>>, answer: unknown): Row => ({
  name,
  ask: 'POST /api/webhooks/',
  body: json(sent),
  status: 400,
  answer,
})

const wrong = (field: string, cases: readonly (readonly [value: unknown, ...messages: string[]])[]): Row[] =>
  cases.map(([value, ...messages]) =>
    refused(`${field}: ${`${JSON.stringify(value)}`.slice(0, 60)}`, { ...GOOD, [field]: value }, { [field]: messages }),
  )

const made = (name: string, sent: Readonly<Record<string, unknown>>, shown: Readonly<Record<string, unknown>>): Row => ({
  name,
  ask: 'POST /api/webhooks/',
  body: json({ ...GOOD, ...sent }),
  status: 201,
  answer: { ...SHOWN, ...shown },
})

const FILTERS = [
  "last_chat['is_contact'] == true and last_chat['call_direction'] == 'outbound'",
  "has('external_id') and (get('metadata.us_state', 'NY') != 'NY' or call_dnc == True)",
  '__proto__ == None',
  `${'('.repeat(32)}id${')'.repeat(32)}`,
  `'${'x'.repeat(1998)}'`,
]

const NOT_FOUND = { detail: 'Not found.' }
const here: Given = { ask: 'POST /api/webhooks/', body: json(GOOD) }
const staffHere: Given = { ...here, as: 'staff' }
const noneOfTheStaff: Given = { ask: 'POST /api/webhooks/delete-by-url/', body: json({ url: URL }), as: 'staff' }

const page = (name: string, query: string, given: readonly Given[], answer: unknown, status = 200): Row => ({
  name: `the list with ${name}`,
  as: 'staff',
  given: [noneOfTheStaff, ...given],
  ask: `GET /api/webhooks/${query}`,
  status,
  answer,
})

const kept: Row[] = [
  page('no subscriptions', '', [], { count: 0, next: null, previous: null, results: [] }),
  page('the newest first', '', [staffHere, staffHere], {
    count: 2,
    next: null,
    previous: null,
    results: [{ ...KEPT, id: '{made}' }, KEPT],
  }),
  page('a second page', '?page_size=1&page=2', [staffHere, staffHere], {
    count: 2,
    next: null,
    previous: '{url}/api/webhooks/?page_size=1',
    results: [KEPT],
  }),
  page('a page that does not exist', '?page=2', [staffHere], { detail: 'Invalid page.' }, 404),
  { name: 'a subscription', given: [here], ask: 'GET /api/webhooks/{made}/', status: 200, answer: { ...KEPT, id: '{made}' } },
  { name: 'a subscription of another user', given: [staffHere], ask: 'GET /api/webhooks/{made}/', status: 404, answer: NOT_FOUND },
  { name: 'a deleted subscription', given: [here], ask: 'DELETE /api/webhooks/{made}/', status: 204 },
  {
    name: 'a subscription that was deleted before',
    given: [here, { ask: 'DELETE /api/webhooks/{made}/' }],
    ask: 'GET /api/webhooks/{made}/',
    status: 404,
    answer: NOT_FOUND,
  },
  {
    name: 'a subscription of another user is not deleted',
    given: [staffHere],
    ask: 'DELETE /api/webhooks/{made}/',
    status: 404,
    answer: NOT_FOUND,
  },
  {
    name: 'an enabled subscription',
    given: [here],
    ask: 'POST /api/webhooks/{made}/enable/',
    status: 200,
    answer: { ...KEPT, id: '{made}' },
  },
  {
    name: 'a method that is not allowed',
    given: [here],
    ask: 'PUT /api/webhooks/{made}/',
    body: json(GOOD),
    status: 405,
    answer: { detail: 'Method "PUT" not allowed. …' },
  },
  {
    name: 'subscriptions are deleted by their URL',
    as: 'staff',
    given: [noneOfTheStaff, staffHere, staffHere],
    ask: 'POST /api/webhooks/delete-by-url/',
    body: json({ url: URL }),
    status: 200,
    answer: { deleted: 2 },
  },
  {
    name: 'no subscription has the URL',
    given: [here],
    ask: 'POST /api/webhooks/delete-by-url/',
    body: json({ url: `${URL}/` }),
    status: 200,
    answer: { deleted: 0 },
  },
  {
    name: 'no URL',
    ask: 'POST /api/webhooks/delete-by-url/',
    body: json({}),
    status: 400,
    answer: { url: [REQUIRED] },
  },
  {
    name: 'a new signing secret',
    as: 'staff',
    ask: 'POST /api/users/me/rotate-webhook-secret/',
    status: 200,
    answer: {
      webhook_secret: expect.stringMatching(/^whsec_/),
      previous_secret_valid_until: expect.stringMatching(/^2026-11-21T\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
    },
  },
]

export const webhooks: Row[] = [
  refused('an empty object', {}, { url: [REQUIRED], trigger: [REQUIRED] }),
  refused(
    'unknown fields',
    { ...GOOD, filter: '', enabled: false },
    { filter: ['Unknown field. Did you mean `filter_condition`?'], enabled: [NO_SUCH_FIELD] },
  ),
  refused('no url', { trigger: ['LEAD_CREATED'] }, { url: [REQUIRED] }),
  refused('no trigger', { url: URL }, { trigger: [REQUIRED] }),
  refused(
    'everything wrong, in the order of the fields',
    { headers: 5, filter_condition: null, method: 'x', trigger: 5, url: 5 },
    {
      url: ['Enter a valid URL. …'],
      trigger: ['Expected a list of items but got type "int".'],
      method: ['"x" is not a valid choice. …'],
      filter_condition: [NULL],
      headers: ['Expected a dictionary of items but got type "int".'],
    },
  ),
  ...wrong('url', [
    ['', BLANK],
    [' ', BLANK],
    [null, NULL],
    [true, NO_STRING],
    [[], NO_STRING],
    ['example.com', 'Enter a valid URL. …'],
    ['ftp://example.com/', 'Enter a valid URL. …'],
    ['http://', 'Enter a valid URL. …'],
    ['http://a b.com/', 'Enter a valid URL. …'],
    ['https://user:password@example.com/', 'Enter a valid URL without credentials.'],
    ['{{scheme}}://example.com/', 'The scheme, host and port may not hold a placeholder.'],
    ['https://{{host}}/', 'The scheme, host and port may not hold a placeholder.'],
    ['https://example.com:{{port}}/', 'The scheme, host and port may not hold a placeholder.'],
    ['https://example.com/{{id', 'Placeholders must have the form {{name}} or {{name.nested}}.'],
    ['https://example.com/{{}}', 'Placeholders must have the form {{name}} or {{name.nested}}.'],
    [`https://example.com/${'x'.repeat(236)}`, 'Ensure this field has no more than 255 characters.'],
  ]),
  ...wrong('trigger', [
    [null, NULL],
    [[], 'This list may not be empty.'],
    [5, 'Expected a list of items but got type "int".'],
    [true, 'Expected a list of items but got type "bool".'],
    [{}, 'Expected a list of items but got type "dict".'],
    [['X'], '"X" is not a valid choice. …'],
    ['X', '"X" is not a valid choice. …'],
    [['LEAD_CREATED', 'lead_created'], '"lead_created" is not a valid choice. …'],
    [['X', 'Y'], '"X" is not a valid choice. …', '"Y" is not a valid choice. …'],
    [[5], '"5" is not a valid choice. …'],
    [[null], '"None" is not a valid choice. …'],
  ]),
  ...wrong('method', [
    ['DELETE', '"DELETE" is not a valid choice. …'],
    ['post', '"post" is not a valid choice. …'],
    [5, '"5" is not a valid choice. …'],
    [[], '"[]" is not a valid choice. …'],
  ]),
  ...wrong('filter_condition', [
    [null, NULL],
    [true, NO_STRING],
    [{}, NO_STRING],
    ["status = 'LOST'", 'Unexpected "=" at position 8. Use == to compare.'],
    [" status == 'LOST' and ", 'Unexpected end at position 21.'],
    ["not has('email')", 'Unexpected "not" at position 1. Use == false.'],
    ["__import__('os')", 'Unknown function "__import__" at position 1. There are has() and get().'],
    ["status == 'LOST", 'Unclosed text that begins at position 11.'],
    ['a\0', 'Null characters are not allowed.', 'Unexpected "\0" at position 2.'],
    ['x'.repeat(2001), 'Ensure this field has no more than 2000 characters.'],
    [`${'('.repeat(33)}id${')'.repeat(33)}`, 'Ensure this field has no more than 32 levels of nesting: there is one more at position 33.'],
  ]),
  ...wrong('headers', [
    ['x', 'Expected a dictionary of items but got type "str".'],
    [[], 'Expected a dictionary of items but got type "list".'],
    [{ 'a b': 'x' }, '"a b" is not a valid header name.'],
    [{ Host: 'x' }, 'Host: This header may not be set.'],
    [{ 'Content-Length': '5' }, 'Content-Length: This header may not be set.'],
    [{ 'webhook-signature': 'v1,x' }, 'webhook-signature: This header may not be set.'],
    [{ 'X-A': 'a\r\nHost: b' }, 'X-A: Only printable characters of Latin-1 are allowed.'],
    [
      { 'X-A': null, 'X-B': true, 'X-C': '' },
      ...['X-A: This field may not be null.', 'X-B: Not a valid string.', 'X-C: This field may not be blank.'],
    ],
    [{ 'X-A': '1', 'x-a': '2' }, 'x-a: This header is given twice.'],
  ]),
  made('a trigger and a url', {}, {}),
  made('a single trigger becomes a list', { trigger: 'CALL_DNC' }, { trigger: ['CALL_DNC'] }),
  made('a repeated trigger counts once', { trigger: ['CALL_DNC', 'SMS_DNC', 'CALL_DNC'] }, { trigger: ['CALL_DNC', 'SMS_DNC'] }),
  made('no method: null', { method: null }, {}),
  made('no method: blank', { method: '' }, {}),
  ...['GET', 'PUT', 'PATCH', 'POST'].map((method) => made(`the method ${method}`, { method }, { method })),
  made('no filter: blank', { filter_condition: ' ' }, {}),
  ...FILTERS.map((filter_condition) => made(`the filter ${filter_condition.slice(0, 50)}`, { filter_condition }, { filter_condition })),
  made('a filter with blanks around it', { filter_condition: ' id == 5\n' }, { filter_condition: 'id == 5' }),
  made('a filter that is a number', { filter_condition: 5 }, { filter_condition: '5' }),
  made('no headers', { headers: {} }, {}),
  made('headers, which are not shown', { headers: { Authorization: 'Bearer x', 'X-Number': 5 } }, {}),
  made('a url with blanks around it', { url: ` ${URL} ` }, {}),
  made(
    'a url with placeholders',
    { url: 'https://example.com/{{trigger}}?state={{metadata.us_state}}' },
    { url: 'https://example.com/{{trigger}}?state={{metadata.us_state}}' },
  ),
  made('a url of 255 characters', { url: `https://example.com/${'x'.repeat(235)}` }, { url: `https://example.com/${'x'.repeat(235)}` }),
  made('an id, which the service sets', { id: 5 }, {}),
  ...kept,
]
