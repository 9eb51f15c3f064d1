import { type Body, type Fields, HONOLULU, lead, NO_CALL, type Row } from './rows.ts'

const METADATA = JSON.stringify({ timezone: HONOLULU })

const KINDS: Readonly<Record<string, (fields: Fields) => Body>> = {
  'URL-encoded': (fields) => ({ urlencoded: fields }),
  multipart: (fields) => ({ multipart: fields }),
}

/** The row, once for each kind of form. */
const forms = (name: string, fields: Fields, status: number, answer: unknown): Row[] =>
  Object.entries(KINDS).map(([kind, bodyOf]) => ({
    name: `a ${kind} form with ${name}`,
    ask: 'POST /api/leads/',
    body: bodyOf(fields),
    status,
    answer,
  }))

const LEAST = { phone_number: '{phone}', metadata: METADATA }

const malformed = (name: string, raw: string, type: string, detail: string): Row => ({
  name,
  ask: 'POST /api/leads/',
  body: { raw, type },
  status: 400,
  answer: { detail },
})

export const formRows: Row[] = [
  ...forms('a phone and metadata', LEAST, 201, lead()),
  ...forms(
    'metadata in keys of the form',
    { phone_number: '{phone}', timezone: HONOLULU, first_name: 'Zoë 😀' },
    201,
    lead({ metadata: { timezone: HONOLULU, first_name: 'Zoë 😀' } }),
  ),
  ...forms(
    'every field',
    {
      ...LEAST,
      email: '{text}@example.com',
      status: 'CANCELLED',
      lead_type: '{leadType}',
      representative: '12',
      external_id: '{text}',
      us_state: 'NY',
      lead_source: 'Web & more',
      call_schedule_start_time: '2026-12-01T10:00:00+02:00',
      min_reengagement_days: '30',
    },
    201,
    lead({
      email: '{text}@example.com',
      status: 'CANCELLED',
      representative: 12,
      external_id: '{text}',
      us_state: 'NY',
      lead_source: 'Web & more',
      call_schedule_start_time: '2026-12-01T08:00:00.000000+00:00',
      ...NO_CALL,
    }),
  ),
  ...forms(
    'blank optional fields',
    {
      ...LEAST,
      email: '',
      status: '',
      lead_type: '',
      representative: '',
      external_id: '',
      us_state: '',
      lead_source: '',
      call_schedule_start_time: '',
      min_reengagement_days: '',
    },
    201,
    lead(),
  ),
  ...forms('no phone', { email: 'a@b.co' }, 400, { phone_number: ['This field is required.'] }),
  ...forms('a blank phone', { phone_number: '' }, 400, { phone_number: ['This field may not be blank.'] }),
  ...forms('a wrong phone and email', { phone_number: '1', email: 'x' }, 400, {
    phone_number: ['The phone number entered is not valid. …'],
    email: ['Enter a valid email address. …'],
  }),
  ...forms('metadata that is no JSON', { phone_number: '{phone}', metadata: '{' }, 400, { metadata: ['Value must be valid JSON.'] }),
  ...forms('metadata that is a list', { phone_number: '{phone}', metadata: '[]' }, 400, {
    metadata: ['Expected a dictionary of items but got type "list".'],
  }),
  ...forms('metadata that is a text', { phone_number: '{phone}', metadata: '"a"' }, 400, {
    metadata: ['Expected a dictionary of items but got type "str".'],
  }),
  ...forms('metadata that is null', { phone_number: '{phone}', metadata: 'null', timezone: HONOLULU }, 201, lead()),
  ...forms('a wrong number', { ...LEAST, representative: 'x' }, 400, { representative: ['A valid integer is required. …'] }),
  ...forms('a wrong choice', { ...LEAST, us_state: 'XX' }, 400, { us_state: ['"XX" is not a valid choice. …'] }),
  malformed(
    'a multipart form without a boundary',
    'x',
    'multipart/form-data',
    'Multipart form parse error - Invalid boundary in multipart: None',
  ),
  {
    name: 'an empty URL-encoded form',
    ask: 'POST /api/leads/',
    body: { raw: '', type: 'application/x-www-form-urlencoded' },
    status: 400,
    answer: { phone_number: ['This field is required.'] },
  },
  {
    name: 'a URL-encoded form with its charset, and a plus sign for a blank',
    ask: 'POST /api/leads/',
    body: {
      raw: 'phone_number=%2B1{digits}&timezone=Pacific/Honolulu&name=A+B%C3%A9',
      type: 'application/x-www-form-urlencoded; charset=UTF-8',
    },
    status: 201,
    answer: lead({ metadata: { timezone: HONOLULU, name: 'A Bé' } }),
  },
  {
    name: 'the last of two values of a field counts',
    ask: 'POST /api/leads/',
    body: { raw: 'phone_number=1&phone_number=%2B1{digits}&timezone=Pacific/Honolulu', type: 'application/x-www-form-urlencoded' },
    status: 201,
    answer: lead(),
  },
]
