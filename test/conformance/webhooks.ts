import { ID, json, type Row } from './rows.ts'

const URL = 'https://example.com/hook'
const BLANK = 'This field may not be blank.'
const NULL = 'This field may not be null.'
const REQUIRED = 'This field is required.'
const NO_STRING = 'Not a valid string.'

const GOOD = { url: URL, trigger: ['LEAD_CREATED'] }
const SHOWN = { id: ID, ...GOOD, method: 'POST', filter_condition: '' }

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

export const webhooks: Row[] = [
  refused('nothing', {}, { url: [REQUIRED], trigger: [REQUIRED] }),
  refused('no url', { trigger: ['LEAD_CREATED'] }, { url: [REQUIRED] }),
  refused('no trigger', { url: URL }, { trigger: [REQUIRED] }),
  refused(
    'everything wrong, in the order of the fields',
    { headers: 5, filter_condition: null, method: 'x', trigger: 5, url: 5 },
    {
      url: ['Enter a valid URL.'],
      trigger: ['Expected a list of items but got type "int".'],
      method: ['"x" is not a valid choice.'],
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
    ['example.com', 'Enter a valid URL.'],
    ['ftp://example.com/', 'Enter a valid URL.'],
    ['http://', 'Enter a valid URL.'],
    ['http://a b.com/', 'Enter a valid URL.'],
    [`https://example.com/${'x'.repeat(236)}`, 'Ensure this field has no more than 255 characters.'],
  ]),
  ...wrong('trigger', [
    [null, NULL],
    [[], 'This list may not be empty.'],
    [5, 'Expected a list of items but got type "int".'],
    [true, 'Expected a list of items but got type "bool".'],
    [{}, 'Expected a list of items but got type "dict".'],
    [['X'], '"X" is not a valid choice.'],
    ['X', '"X" is not a valid choice.'],
    [['LEAD_CREATED', 'lead_created'], '"lead_created" is not a valid choice.'],
    [['X', 'Y'], '"X" is not a valid choice.', '"Y" is not a valid choice.'],
    [[5], '"5" is not a valid choice.'],
    [[null], '"None" is not a valid choice.'],
  ]),
  ...wrong('method', [
    ['DELETE', '"DELETE" is not a valid choice.'],
    ['post', '"post" is not a valid choice.'],
    [5, '"5" is not a valid choice.'],
    [[], '"[]" is not a valid choice.'],
  ]),
  ...wrong('filter_condition', [
    [null, NULL],
    [true, NO_STRING],
    [{}, NO_STRING],
    ["status = 'LOST'", 'Unexpected "=" at position 8. Use == to compare.'],
    [" status == 'LOST' and ", 'Unexpected end at position 21.'],
    ["not has('email')", 'Unexpected "not" at position 1. Use == false.'],
    ["__import__('os')", 'Unknown function "__import__" at position 1. There are has() and get().'],
    ["status == 'LOST", 'A text is never closed that begins at position 11.'],
    ['a\0', 'Null characters are not allowed.', 'Unexpected "\0" at position 2.'],
    ['x'.repeat(2001), 'Ensure this field has no more than 2000 characters.'],
    [`${'('.repeat(33)}id${')'.repeat(33)}`, 'Ensure this field has no more than 32 levels of nesting: there is one more at position 33.'],
  ]),
  ...wrong('headers', [
    ['x', 'Expected a dictionary of items but got type "str".'],
    [[], 'Expected a dictionary of items but got type "list".'],
  ]),
  made('a trigger and a url', {}, {}),
  made('a trigger that is no list', { trigger: 'CALL_DNC' }, { trigger: ['CALL_DNC'] }),
  made('a trigger twice: once', { trigger: ['CALL_DNC', 'SMS_DNC', 'CALL_DNC'] }, { trigger: ['CALL_DNC', 'SMS_DNC'] }),
  made('no method: null', { method: null }, {}),
  made('no method: blank', { method: '' }, {}),
  ...['GET', 'PUT', 'PATCH', 'POST'].map((method) => made(`the method ${method}`, { method }, { method })),
  made('no filter: blank', { filter_condition: ' ' }, {}),
  ...FILTERS.map((filter_condition) => made(`the filter ${filter_condition.slice(0, 50)}`, { filter_condition }, { filter_condition })),
  made('a filter with blanks around it', { filter_condition: ' id == 5\n' }, { filter_condition: 'id == 5' }),
  made('a filter that is a number', { filter_condition: 5 }, { filter_condition: '5' }),
  made('no headers', { headers: {} }, {}),
  made('a url with blanks around it', { url: ` ${URL} ` }, {}),
  made(
    'a url with placeholders',
    { url: 'https://example.com/{{trigger}}?state={{metadata.us_state}}' },
    { url: 'https://example.com/{{trigger}}?state={{metadata.us_state}}' },
  ),
  made('a url of 255 characters', { url: `https://example.com/${'x'.repeat(235)}` }, { url: `https://example.com/${'x'.repeat(235)}` }),
  made('an id and keys of its own: ignored', { id: 5, name: 'x', enabled: false }, {}),
]
