import { HONOLULU, json, lead, NEW, type Row } from './rows.ts'

const create = (fields: Readonly<Record<string, unknown>> = {}) => ({ ask: 'POST /api/leads/', body: json({ ...NEW, ...fields }) })
const EMAIL = '{text}@example.com'

const both = (name: string, row: Omit<Row, 'name' | 'ask'>): Row[] =>
  ['PUT', 'PATCH'].map((method) => ({ ...row, name, ask: `${method} /api/leads/update/` }))

const refused = (name: string, sent: unknown, answer: unknown, status = 400): Row[] => both(name, { body: json(sent), status, answer })

export const updateByMatch: Row[] = [
  ...both('a lead found by phone and email, whatever its case', {
    given: [create(), create({ email: EMAIL })],
    body: json({ phone_number: '{formatted}', email: '{text}@EXAMPLE.com', external_id: '{text}', note: 'a' }),
    status: 200,
    answer: lead({ id: '{lead}', email: EMAIL, external_id: '{text}', metadata: { timezone: HONOLULU, note: 'a' } }),
  }),
  ...both('a lead without an email, found without one', {
    given: [create({ email: EMAIL }), create()],
    body: json({ phone_number: '{phone}', lead_source: 'a' }),
    status: 200,
    answer: lead({ id: '{lead}', lead_source: 'a' }),
  }),
  ...both('the newest lead without an email, found by a null email', {
    given: [create(), create(), create({ email: EMAIL }), create()],
    body: json({ phone_number: '{phone}', email: null, sms_dnc: 'on' }),
    status: 200,
    answer: lead({ id: '{lead}', sms_dnc: true }),
  }),
  ...both('only the sent fields change, even with PUT', {
    given: [create({ lead_source: 'a', external_id: '{text}', representative: 7 })],
    body: json({ phone_number: '{phone}' }),
    status: 200,
    answer: lead({ id: '{lead}', lead_source: 'a', external_id: '{text}', representative: 7 }),
  }),
  ...both('a lead of another user', {
    given: [{ ...create(), as: 'other' }],
    body: json({ phone_number: '{phone}' }),
    status: 404,
    answer: { detail: 'Not found.' },
  }),
  ...both('a phone whose leads all have an email', {
    given: [create({ email: EMAIL })],
    body: json({ phone_number: '{phone}' }),
    status: 404,
    answer: { detail: 'Not found.' },
  }),
  ...refused('a phone and email of no lead', { phone_number: '{phone}', email: EMAIL }, { detail: 'Not found.' }, 404),
  ...refused('no phone', { email: EMAIL }, { phone_number: ['This field is required.'] }),
  ...refused('a blank phone', { phone_number: ' ' }, { phone_number: ['This field may not be blank.'] }),
  ...refused('the phone null', { phone_number: null }, { phone_number: ['This field may not be null.'] }),
  ...refused('a wrong phone', { phone_number: '123' }, { phone_number: ['The phone number entered is not valid. …'] }),
  ...refused('a wrong email', { phone_number: '{phone}', email: 'x' }, { email: ['Enter a valid email address. …'] }),
  ...refused(
    'several mistakes',
    { status: 'x', call_dnc: 'x', us_state: 5 },
    {
      phone_number: ['This field is required.'],
      status: ['"x" is not a valid choice. …'],
      us_state: ['"5" is not a valid choice. …'],
      call_dnc: ['Must be a valid boolean. …'],
    },
  ),
  ...refused(
    'a missing lead type beside another mistake',
    { phone_number: '{phone}', lead_type: 2_000_000_000, us_state: 'XX' },
    { lead_type: ['Invalid pk "2000000000" - object does not exist. …'], us_state: ['"XX" is not a valid choice. …'] },
  ),
  ...refused('an empty object', {}, { phone_number: ['This field is required.'] }),
]
