import { creates, HONOLULU, ID, json, lead, NEW, NO_CALL, type Row } from './rows.ts'

/** A cancelled lead has no next call, whatever its other fields are. */
const CANCELLED = { status: 'CANCELLED', ...NO_CALL }

const startTimes = (cases: readonly (readonly [sent: string, shown: string])[]): Row[] =>
  creates(
    cases.map(([sent, shown]) => [
      `a start time of ${sent}`,
      { status: 'CANCELLED', call_schedule_start_time: sent },
      { ...CANCELLED, call_schedule_start_time: shown },
    ]),
  )

const phones = (notations: readonly string[]): Row[] =>
  notations.map((notation) => ({
    name: `the phone number ${notation}`,
    ask: 'POST /api/leads/',
    body: json({ ...NEW, phone_number: notation }),
    status: 201,
    answer: lead(),
  }))

const statuses = (names: readonly string[]): Row[] =>
  creates(names.map((status) => [`the status ${status}`, { status }, { status, ...NO_CALL }]))

export const createMade: Row[] = [
  ...creates([
    ['a phone number alone', {}, {}],
    ['an email, as sent', { email: '{text}@Example.COM' }, { email: '{text}@Example.COM' }],
    ['an email with blanks around it', { email: ' {text}@example.com\n' }, { email: '{text}@example.com' }],
    ['an email with a plus sign', { email: 'a+{text}@example.co.uk' }, { email: 'a+{text}@example.co.uk' }],
    ['the email null', { email: null }, { email: null }],
    ['an external id that is a number', { external_id: 12 }, { external_id: '12' }],
    ['an external id with blanks around it', { external_id: '  {text} ' }, { external_id: '{text}' }],
    ['an external id of 255 characters', { external_id: 'x'.repeat(255) }, { external_id: 'x'.repeat(255) }],
    ['an external id of 255 characters of four bytes', { external_id: '😀'.repeat(255) }, { external_id: '😀'.repeat(255) }],
    ['an external id of 255 characters with blanks around them', { external_id: ` ${'y'.repeat(255)} ` }, { external_id: 'y'.repeat(255) }],
    ['the external id null', { external_id: null }, { external_id: null }],
    ['a lead source', { lead_source: 'Web “Zürich” 東京' }, { lead_source: 'Web “Zürich” 東京' }],
    ['a blank lead source', { lead_source: '  ' }, { lead_source: '' }],
    ['a lead source that is a number', { lead_source: 7 }, { lead_source: '7' }],
    ['a lead type as text', { lead_type: ' {leadType} ' }, {}],
    ['the lead type null', { lead_type: null }, {}],
    ['a blank lead type', { lead_type: '' }, {}],
    ['a representative', { representative: 12 }, { representative: 12 }],
    ['a representative as text', { representative: ' 12 ' }, { representative: 12 }],
    ['a representative as text with a fraction of zero', { representative: '12.00' }, { representative: 12 }],
    ['the representative null', { representative: null }, { representative: null }],
    ['a state', { us_state: 'HI' }, { us_state: 'HI' }],
    ['the state null', { us_state: null }, { us_state: null }],
    ['a blank state', { us_state: '' }, { us_state: null }],
    ['days before a reengagement as a number', { min_reengagement_days: 0 }, {}],
    ['days before a reengagement as text', { min_reengagement_days: '30' }, {}],
    ['the metadata null, with a time zone beside it', { metadata: null, timezone: HONOLULU }, {}],
    ['the status OPEN', { status: 'OPEN' }, {}],
  ]),
  ...statuses(['UNKNOWN', 'NEW', 'CLOSED', 'CLOSED_INCOMPLETE', 'LOST']),
  ...statuses(['SCHEDULE_COMPLETED', 'OUT_OF_TERRITORY', 'BAD_NUMBER', 'CANCELLED']),
  ...phones(['{phone}', '{digits}', '1{digits}', '+1 {formatted}', '{formatted}', ' {phone} ']),
  {
    name: 'the phone number as a number',
    ask: 'POST /api/leads/',
    body: { raw: '{"phone_number": {digits}, "timezone": "Pacific/Honolulu"}' },
    status: 201,
    answer: lead(),
  },
  {
    name: 'a phone number outside the numbering plan is kept',
    ask: 'POST /api/leads/',
    body: json({ phone_number: '+44 20 7946 0958', status: 'CANCELLED' }),
    status: 201,
    answer: lead({ phone_number: '+442079460958', metadata: {}, ...CANCELLED }),
  },
  ...startTimes(
    [
      ['2026-12-01T10:00:00Z', '2026-12-01T10:00:00.000000+00:00'],
      ['2026-12-01T10:00:00+02:00', '2026-12-01T08:00:00.000000+00:00'],
      ['2026-12-01T10:00:00-0530', '2026-12-01T15:30:00.000000+00:00'],
      ['2026-12-01T10:00:00.123456Z', '2026-12-01T10:00:00.123000+00:00'],
      ['2026-12-01T10:00', '2026-12-01T10:00:00.000000+00:00'],
      ['2026-12-01 10:00:00', '2026-12-01T10:00:00.000000+00:00'],
      [' 2026-12-01T10:00:00 ', '2026-12-01T10:00:00.000000+00:00'],
      ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000000+00:00'],
    ].map(([sent = '', shown = '']) => [sent, shown] as const),
  ),
  ...creates([['the start time null', { call_schedule_start_time: null }, {}]]),
  {
    name: 'integers with a fraction of zero',
    ask: 'POST /api/leads/',
    body: {
      raw: '{"phone_number": "{phone}", "timezone": "Pacific/Honolulu", "lead_type": {leadType}.0, "representative": 12.0, "min_reengagement_days": 5.0}',
    },
    status: 201,
    answer: lead({ representative: 12 }),
  },
  {
    name: 'fields that only the service sets are ignored',
    ask: 'POST /api/leads/',
    body: json({
      ...NEW,
      id: 5,
      created_time: '2020-01-01T00:00:00Z',
      modified_time: 'x',
      received_time: null,
      next_call_time: '2020-01-01T00:00:00Z',
      next_call_time_reason: 'CALLBACK',
      status_reason: 'CHAT',
      reengagements_count: 9,
      last_reengagement_time: 'x',
      reengagement_count: 9,
      reengagement_time: 'x',
    }),
    status: 201,
    answer: lead({ id: ID }),
  },
  {
    name: 'a second lead of a phone without an email',
    given: [{ ask: 'POST /api/leads/', body: json(NEW) }],
    ask: 'POST /api/leads/',
    body: json(NEW),
    status: 201,
    answer: lead(),
  },
  {
    name: 'a second lead of a phone with another email',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, email: '{text}@example.com' }) }],
    ask: 'POST /api/leads/',
    body: json({ ...NEW, email: 'other-{text}@example.com' }),
    status: 201,
    answer: lead({ email: 'other-{text}@example.com' }),
  },
]
