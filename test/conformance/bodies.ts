import { ID, json, lead, NEW, type Row } from './rows.ts'

const parseError = (name: string, raw: string | Uint8Array, complaint: string): Row => ({
  name: `malformed JSON, ${name}`,
  ask: 'POST /api/leads/',
  body: { raw },
  status: 400,
  answer: { detail: `JSON parse error - ${complaint}` },
})

const noDictionary = (raw: string, type: string): Row[] =>
  ['POST /api/leads/', 'PUT /api/leads/update/', 'POST /api/webhooks/'].map((ask) => ({
    name: `the body ${raw}`,
    ask,
    body: { raw },
    status: 400,
    answer: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
  }))

const unsupported = (type: string | null, ask = 'POST /api/leads/'): Row => ({
  name: `a body of type ${type}`,
  ask,
  body: { raw: '{"phone_number": "{phone}"}', type },
  status: 415,
  answer: { detail: `Unsupported media type "${type ?? ''}" in request. …` },
})

const taken = (type: string): Row => ({
  name: `a body of type ${type}`,
  ask: 'POST /api/leads/',
  body: { raw: '{"phone_number": "{phone}", "metadata": {"timezone": "Pacific/Honolulu"}}', type },
  status: 201,
  answer: lead(),
})

const URLENCODED = 'application/x-www-form-urlencoded'
const REQUIRED = { phone_number: ['This field is required.'] }

export const bodies: Row[] = [
  parseError('such as an object that ends early', '{"phone_number": ', 'Expecting value: line 1 column 18 (char 17)'),
  parseError('such as a single brace', '{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'),
  parseError('with single quotes', "{'a': 1}", 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'),
  parseError('without a colon', '{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"),
  parseError('without a comma', '{"a": 1 "b": 2}', "Expecting ',' delimiter: line 1 column 9 (char 8)"),
  parseError('without a comma on the second line', '{"a": 1\n"b": 2}', "Expecting ',' delimiter: line 2 column 1 (char 8)"),
  parseError('with an unclosed text', '{"a": "b}', 'Unterminated string starting at: line 1 column 7 (char 6)'),
  parseError('with something behind it', '{} x', 'Extra data: line 1 column 4 (char 3)'),
  parseError('such as a word', 'phone', 'Expecting value: line 1 column 1 (char 0)'),
  parseError('such as a blank', ' ', 'Expecting value: line 1 column 2 (char 1)'),
  parseError('such as a form', 'phone_number=1', 'Expecting value: line 1 column 1 (char 0)'),
  parseError('with NaN', '{"a": NaN}', "Out of range float values are not JSON compliant: 'NaN'"),
  parseError('with infinity', '{"a": -Infinity}', "Out of range float values are not JSON compliant: '-Infinity'"),
  parseError('with a raw control character', '{"a": "\n"}', 'Invalid control character at: line 1 column 8 (char 7)'),
  parseError('with an unknown escape', '{"a": "\\x"}', 'Invalid \\escape: line 1 column 8 (char 7)'),
  parseError(
    'with bytes that are no UTF-8',
    Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    "'utf-8' codec can't decode byte 0xff in position 2: invalid start byte",
  ),
  ...noDictionary('[]', 'list'),
  ...noDictionary('[{"phone_number": "+12025550100"}]', 'list'),
  ...noDictionary('5', 'int'),
  ...noDictionary('1.5', 'float'),
  ...noDictionary('"text"', 'str'),
  ...noDictionary('true', 'bool'),
  ...['POST /api/leads/', 'POST /api/webhooks/'].map((ask) => ({
    name: 'the body null',
    ask,
    body: { raw: 'null' },
    status: 400,
    answer: { non_field_errors: ['No data provided'] },
  })),
  { name: 'an empty object', ask: 'POST /api/leads/', body: json({}), status: 400, answer: REQUIRED },
  { name: 'an empty body', ask: 'POST /api/leads/', body: { raw: '' }, status: 400, answer: REQUIRED },
  { name: 'no body', ask: 'POST /api/leads/', status: 400, answer: REQUIRED },
  unsupported('text/plain'),
  unsupported('text/plain; charset=utf-8'),
  unsupported('application/xml'),
  unsupported('application/vnd.api+json'),
  unsupported('application/jsonp'),
  unsupported(null),
  unsupported(URLENCODED, 'POST /api/leads/bulk-create/'),
  unsupported(URLENCODED, 'PATCH /api/leads/bulk-update/'),
  unsupported(URLENCODED, 'POST /api/webhooks/'),
  unsupported('text/plain', 'PATCH /api/leads/bulk-update/'),
  unsupported('text/plain', 'PUT /api/leads/update/'),
  taken('application/json; charset=utf-8'),
  taken('application/json;charset="UTF-8"'),
  taken('Application/JSON'),
  {
    name: 'a body of just under 4 MB whose metadata is too large',
    ask: 'POST /api/leads/',
    body: json({ ...NEW, note: 'x'.repeat(4_100_000) }),
    status: 400,
    answer: { metadata: ['Ensure this field has no more than 102400 bytes of JSON.'] },
  },
  {
    name: 'a body over 4 MB',
    ask: 'POST /api/leads/',
    body: json({ ...NEW, note: 'x'.repeat(4_194_304) }),
    status: 413,
    answer: { detail: 'Request body is larger than 4194304 bytes.' },
  },
  {
    name: 'a body over the limit of the gateway',
    ask: 'POST /api/leads/',
    body: json({ ...NEW, note: 'x'.repeat(11_000_000) }),
    status: 413,
    answer: { detail: 'Request body is too large.' },
  },
  {
    name: 'JSON with blanks around it',
    ask: 'POST /api/leads/',
    body: { raw: ` \n${JSON.stringify(NEW)}\t ` },
    status: 201,
    answer: lead({ id: ID }),
  },
  {
    name: 'the last of two values of a key counts',
    ask: 'POST /api/leads/',
    body: { raw: '{"phone_number": "1", "phone_number": "{phone}", "timezone": "Pacific/Honolulu"}' },
    status: 201,
    answer: lead(),
  },
]
