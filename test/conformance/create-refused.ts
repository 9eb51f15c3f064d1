import { json, NEW, type Row, refusedCreates } from './rows.ts'

const BLANK = 'This field may not be blank.'
const NULL = 'This field may not be null.'
const NO_STRING = 'Not a valid string.'
const NO_INTEGER = 'A valid integer is required. …'
const NO_EMAIL = 'Enter a valid email address. …'
const LONG = 'Ensure this field has no more than 255 characters.'
const NUL = 'Null characters are not allowed.'
const SURROGATE = 'Surrogate characters are not allowed: U+D800.'
const WRONG_TIME = 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]. …'
const NO_PHONE = 'The phone number entered is not valid. …'

const noChoice = (text: string): string => `"${text}" is not a valid choice. …`
const wrongPk = (type: string): string => `Incorrect type. Expected pk value, received ${type}. …`
const unknownPk = (text: string): string => `Invalid pk "${text}" - object does not exist. …`

/** A field's wrong values and their error messages. */
const wrong = (field: string, cases: readonly (readonly [name: string, value: unknown, ...messages: string[]])[]): Row[] =>
  refusedCreates(cases.map(([name, value, ...messages]) => [`${field}: ${name}`, { [field]: value }, { [field]: messages }] as const))

const texts = (field: string): Row[] =>
  wrong(field, [
    ['true', true, NO_STRING],
    ['a list', ['a'], NO_STRING],
    ['an object', { a: 1 }, NO_STRING],
    ['256 characters', 'x'.repeat(256), LONG],
    ['256 characters of four bytes', '😀'.repeat(256), LONG],
    ['a null byte', 'a\0b', NUL],
    ['a lone surrogate', 'a\ud800b', SURROGATE],
    ['too long with a null byte', `${'x'.repeat(256)}\0x`, LONG, NUL],
  ])

export const createRefused: Row[] = [
  {
    name: 'phone_number: missing',
    ask: 'POST /api/leads/',
    body: json({ email: 'a@b.co' }),
    status: 400,
    answer: { phone_number: ['This field is required.'] },
  },
  ...wrong('phone_number', [
    ['blank', '', BLANK],
    ['only blanks', ' \t\n ', BLANK],
    ['null', null, NULL],
    ['true', true, NO_STRING],
    ['a list', ['+12025550100'], NO_STRING],
    ['an object', {}, NO_STRING],
    ['too short', '123', NO_PHONE],
    ['an invalid number', 5, NO_PHONE],
    ['letters', 'phone', NO_PHONE],
    ['an area code that is not assigned', '+19995550123', NO_PHONE],
    ['an exchange that begins with a one', '+12021550123', NO_PHONE],
    ['a country that there is not', '+99912345678', NO_PHONE],
    ['another plan without a plus sign', '442079460958', NO_PHONE],
    ['two numbers', '+12025550100, +12025550101', NO_PHONE],
    ['an extension', '+12025550100;ext=5', NO_PHONE],
    ['a null byte', '+1202555\x080', NO_PHONE],
    ['thousands of digits', '1'.repeat(5000), NO_PHONE],
  ]),
  ...wrong('email', [
    ['true', true, NO_EMAIL],
    ['a list', ['a@b.co'], NO_EMAIL],
    ['an object', { a: 1 }, NO_EMAIL],
    ['a number', 5, NO_EMAIL],
    ['no at sign', 'x', NO_EMAIL],
    ['no domain', 'a@', NO_EMAIL],
    ['a domain without a dot', 'a@b', NO_EMAIL],
    ['two at signs', 'a@b@c.co', NO_EMAIL],
    ['a blank inside', 'a b@c.co', NO_EMAIL],
    ['a dot at the end', 'a@b.co.', NO_EMAIL],
    ['255 characters', `${'a'.repeat(245)}@abcde.com`, 'Ensure this field has no more than 254 characters.'],
    ['a null byte', 'a\0@b.co', NUL, NO_EMAIL],
    ['a lone surrogate', 'a\ud800@b.co', SURROGATE, NO_EMAIL],
  ]),
  ...wrong('metadata', [
    ['text', 'x', 'Expected a dictionary of items but got type "str".'],
    ['JSON as text', '{}', 'Expected a dictionary of items but got type "str".'],
    ['a number', 5, 'Expected a dictionary of items but got type "int".'],
    ['true', true, 'Expected a dictionary of items but got type "bool".'],
    ['a list', [], 'Expected a dictionary of items but got type "list".'],
  ]),
  ...wrong('status', [
    ['null', null, NULL],
    ['blank', '', noChoice('')],
    ['another case', 'open', noChoice('open')],
    ['with blanks', ' OPEN ', noChoice(' OPEN ')],
    ['unknown', 'DONE', noChoice('DONE')],
    ['a number', 5, noChoice('5')],
    ['true', true, noChoice('True')],
    ['a list', ['OPEN'], noChoice("['OPEN']")],
    ['an object', { a: null }, noChoice("{'a': None}")],
  ]),
  ...wrong('lead_type', [
    ['a word', 'abc', wrongPk('str')],
    ['true', true, wrongPk('bool')],
    ['a list', [4], wrongPk('list')],
    ['an object', {}, wrongPk('dict')],
    ['zero', 0, unknownPk('0')],
    ['negative', -4, unknownPk('-4')],
    ['missing', 2_000_000_000, unknownPk('2000000000')],
    ['missing, as text', '2000000000', unknownPk('2000000000')],
    ['beyond 31 bits', 2_147_483_648, unknownPk('2147483648')],
    ['somebody else’s', '{otherLeadType}', unknownPk('{otherLeadType}')],
  ]),
  ...wrong('representative', [
    ['a word', 'abc', NO_INTEGER],
    ['blank', '', NO_INTEGER],
    ['true', true, NO_INTEGER],
    ['a list', [1], NO_INTEGER],
    ['an object', {}, NO_INTEGER],
    ['half a number', 1.5, NO_INTEGER],
    ['beyond 31 bits', 2_147_483_648, 'Ensure this value is less than or equal to 2147483647.'],
  ]),
  ...texts('external_id'),
  ...texts('lead_source'),
  ...wrong('lead_source', [['null', null, NULL]]),
  ...wrong('us_state', [
    ['unknown', 'XX', noChoice('XX')],
    ['another case', 'ny', noChoice('ny')],
    ['a name', 'New York', noChoice('New York')],
    ['a number', 5, noChoice('5')],
    ['false', false, noChoice('False')],
    ['a list', ['NY'], noChoice("['NY']")],
  ]),
  ...wrong('call_schedule_start_time', [
    ['a word', 'tomorrow', WRONG_TIME],
    ['blank', '', WRONG_TIME],
    ['a number', 1_763_654_400, WRONG_TIME],
    ['true', true, WRONG_TIME],
    ['a list', [], WRONG_TIME],
    ['a day that there is not', '2026-02-30T10:00:00Z', WRONG_TIME],
    ['an hour that there is not', '2026-11-20T25:00:00Z', WRONG_TIME],
    ['a month that there is not', '2026-13-01T10:00:00Z', WRONG_TIME],
    ['American', '11/20/2026 16:00', WRONG_TIME],
    ['an unknown zone', '2026-11-20T16:00:00 PST', WRONG_TIME],
  ]),
  ...wrong('min_reengagement_days', [
    ['negative', -1, 'Ensure this value is greater than or equal to 0.'],
    ['negative, as text', '-1', 'Ensure this value is greater than or equal to 0.'],
    ['null', null, NULL],
    ['a word', 'abc', NO_INTEGER],
    ['blank', '', NO_INTEGER],
    ['half a number', 1.5, NO_INTEGER],
    ['half a number, as text', '1.5', NO_INTEGER],
    ['true', true, NO_INTEGER],
    ['a list', [1], NO_INTEGER],
    ['a thousand digits and one', '1'.repeat(1001), 'String value too large.'],
  ]),
  ...refusedCreates([
    [
      'every field at once, in their order',
      {
        min_reengagement_days: 'x',
        call_schedule_start_time: 'x',
        lead_source: null,
        us_state: 'x',
        external_id: true,
        representative: 'x',
        lead_type: 'x',
        status: 'x',
        metadata: 'x',
        email: 'x',
        phone_number: 'x',
      },
      {
        phone_number: [NO_PHONE],
        email: [NO_EMAIL],
        metadata: ['Expected a dictionary of items but got type "str".'],
        status: [noChoice('x')],
        lead_type: [wrongPk('str')],
        representative: [NO_INTEGER],
        external_id: [NO_STRING],
        us_state: [noChoice('x')],
        lead_source: [NULL],
        call_schedule_start_time: [WRONG_TIME],
        min_reengagement_days: [NO_INTEGER],
      },
    ],
    [
      'a missing lead type beside another mistake',
      { email: 'x', lead_type: 2_000_000_000 },
      { email: [NO_EMAIL], lead_type: [unknownPk('2000000000')] },
    ],
    ['wrong types, and a key of its own', { email: 5, first_name: 'A' }, { email: [NO_EMAIL] }],
  ]),
  {
    name: 'the same phone and email again',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, email: '{text}@example.com' }) }],
    ask: 'POST /api/leads/',
    body: json({ ...NEW, email: '{text}@EXAMPLE.com' }),
    status: 400,
    answer: { non_field_errors: ['The fields email, phone_number, company must make a unique set. …'] },
  },
]
