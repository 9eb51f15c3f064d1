import { expect } from '@jest/globals'
import { json, type Row } from './rows.ts'

const ASK = 'POST /api/ingestion/upload/'
const GOOD = { source: 'demo', filename: 'leads.csv' }

const UUID: unknown = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const TIME: unknown = expect.stringMatching(/^2026-11-20T\d\d:\d\d:\d\d\.\d{3}000\+00:00$/)

const REQUIRED = ['This field is required.']
const NO_SOURCE = ['This field is required. …']
const NULL = ['This field may not be null.']
const BLANK = ['This field may not be blank.']
const NO_TEXT = ['Not a valid string.']
const PATTERN = 'This value does not match the required pattern. …'
const longer = (most: number) => `Ensure this field has no more than ${most} characters.`
const unknown = (name: string) => [`Object with name=${name} does not exist. …`]

type Answer = Readonly<Record<string, readonly string[]>>

const refused = (name: string, body: unknown, answer: Answer, more: Partial<Row> = {}): Row => ({
  ...{ name, ask: ASK, body: json(body), status: 400, answer },
  ...more,
})

/** A wrong source, with a valid file name. */
const source = (name: string, value: unknown, messages: readonly string[]): Row =>
  refused(`source: ${name}`, { ...GOOD, source: value }, { source: messages })
/** A wrong file name, with a valid source. */
const filename = (name: string, value: unknown, messages: readonly string[]): Row =>
  refused(`filename: ${name}`, { ...GOOD, filename: value }, { filename: messages })

const foreign = (ending: string): string =>
  `Files ending in ${ending} are not read. The name of a CSV file ends in .csv, .tsv, .tab or .txt, or has no ending.`

/** A valid file name, and its form in the URL. */
const taken = (name: string, value: string, kept = value): Row => ({
  name: `filename: ${name}`,
  ask: ASK,
  body: json({ ...GOOD, filename: value }),
  status: 200,
  answer: {
    signed_url: expect.stringMatching(new RegExp(`^http://[^?]+/${encodeURIComponent(kept)}\\?.*X-Amz-Expires=3600`)),
    upload_id: UUID,
  },
})

const NOT_FOUND = { status: 404, answer: { detail: 'Not found.' } }

export const uploads: Row[] = [
  taken('a usual name', 'leads.csv'),
  taken('with blanks, dots and dashes', '1 - leads_of.2026..csv'),
  taken('without an ending', 'A'),
  taken('of 255 characters', `${'a'.repeat(251)}.csv`, `${'a'.repeat(96)}.csv`),
  taken('with blanks around it', '  leads.csv ', 'leads.csv'),
  refused('an empty object', {}, { source: NO_SOURCE, filename: REQUIRED }),
  refused('no source', { filename: 'leads.csv' }, { source: NO_SOURCE }),
  refused('no filename', { source: 'demo' }, { filename: REQUIRED }),
  refused('a source and a filename of null', { source: null, filename: null }, { source: NULL, filename: NULL }),
  refused('a list', [GOOD], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }),
  source('blank', ' ', BLANK),
  source('a boolean', true, NO_TEXT),
  source('a list', ['demo'], NO_TEXT),
  source('an object', { name: 'demo' }, NO_TEXT),
  source('of 51 characters', 'a'.repeat(51), [longer(50)]),
  source('of 51 characters, and a dot', `${'a'.repeat(50)}.`, [longer(50), PATTERN]),
  ...['..', 'a.b', 'a b', 'a/b', '../demo', 'dëmo', 'demo\n1', 'demo#1', '{demo}', '%64emo'].map((value) =>
    source(JSON.stringify(value), value, [PATTERN]),
  ),
  source('with a null character', 'demo\0', ['Null characters are not allowed.', PATTERN]),
  source('that is unknown', 'nothing', unknown('nothing')),
  source('in another case', 'Demo', unknown('Demo')),
  source('a number', 12, unknown('12')),
  source('of 50 characters that is unknown', '-'.repeat(50), unknown('-'.repeat(50))),
  refused('another user’s source', GOOD, { source: unknown('demo') }, { as: 'other' }),
  filename('of another kind', 'leads.xlsx', [foreign('.xlsx')]),
  filename('of an archive', 'leads.csv.ZIP', [foreign('.zip')]),
  filename('blank', '', BLANK),
  filename('a boolean', false, NO_TEXT),
  filename('a list', ['leads.csv'], NO_TEXT),
  filename('of 256 characters', `${'a'.repeat(252)}.csv`, [longer(255)]),
  filename('of 256 characters, and a bracket', `${'a'.repeat(255)})`, [longer(255), PATTERN]),
  ...['..', '.csv', '.env', '-leads.csv', '_leads.csv', '../leads.csv', '/leads.csv', 'a/b.csv', 'a\\b.csv', 'C:leads.csv'].map((value) =>
    filename(JSON.stringify(value), value, [PATTERN]),
  ),
  ...['leads (1).csv', 'märz.csv', 'leads.csv\nx', 'a\tb.csv', 'a"b.csv', 'leads.csv?x=1', 'a%2fb.csv', '📄.csv'].map((value) =>
    filename(JSON.stringify(value), value, [PATTERN]),
  ),
  filename('with a null character', 'leads\0.csv', ['Null characters are not allowed.', PATTERN]),
  refused('a wrong source and a wrong filename', { source: 'a b', filename: '..' }, { source: [PATTERN], filename: [PATTERN] }),
  refused(
    'an unknown source and a wrong filename',
    { source: 'nothing', filename: '..' },
    { source: unknown('nothing'), filename: [PATTERN] },
  ),
  {
    name: 'a form',
    ask: ASK,
    body: { urlencoded: GOOD },
    status: 415,
    answer: { detail: 'Unsupported media type "application/x-www-form-urlencoded;charset=UTF-8" in request. …' },
  },
  { name: 'malformed JSON', ask: ASK, body: { raw: '{' }, status: 400, answer: { detail: expect.stringMatching(/^JSON parse error - /) } },
  {
    name: 'no key',
    ask: ASK,
    body: json(GOOD),
    headers: { authorization: null },
    status: 401,
    answer: { detail: 'Authentication credentials were not provided. …' },
    answerHeaders: { 'www-authenticate': 'Token' },
  },
  {
    name: 'an upload that waits for its file',
    given: [{ ask: ASK, body: json(GOOD) }],
    ask: 'GET /api/ingestion/uploads/{upload}/',
    status: 200,
    answer: {
      ...{ upload_id: '{upload}', source: 'demo', filename: 'leads.csv', status: 'waiting', rows: 0 },
      ...{ created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0, error: null, rejected_url: null },
      ...{ created_time: TIME, finished_time: null, rate: null },
    },
  },
  {
    name: 'another user’s upload',
    given: [{ ask: ASK, body: json(GOOD) }],
    ask: 'GET /api/ingestion/uploads/{upload}/',
    as: 'other',
    ...NOT_FOUND,
  },
  { name: 'a missing upload', ask: 'GET /api/ingestion/uploads/5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11/', ...NOT_FOUND },
  { name: 'an upload id that is no UUID', ask: 'GET /api/ingestion/uploads/x/', ...NOT_FOUND },
  {
    name: 'a repeat under an Idempotency-Key has the same URL',
    given: [{ ask: ASK, body: json(GOOD), headers: { 'Idempotency-Key': '{text}' } }],
    ask: ASK,
    body: json(GOOD),
    headers: { 'Idempotency-Key': '{text}' },
    status: 200,
    answer: { signed_url: expect.any(String), upload_id: '{upload}' },
    answerHeaders: { 'idempotent-replayed': 'true' },
  },
]
