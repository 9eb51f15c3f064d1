import { HONOLULU, json, lead, NEW, type Row } from './rows.ts'

/** Nested objects, with this many levels. */
const nested = (levels: number): unknown => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) })
/** Metadata whose JSON has this many bytes. */
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

const DEEP = { metadata: ['Ensure this field has no more than 20 levels of nesting.'] }
const LARGE = { metadata: ['Ensure this field has no more than 102400 bytes of JSON.'] }

/** Metadata that is stored unchanged, in leads that are not called. */
const kept = (name: string, metadata: Readonly<Record<string, unknown>>): Row => ({
  name,
  ask: 'POST /api/leads/',
  body: json({ phone_number: '{phone}', status: 'CANCELLED', metadata }),
  status: 201,
  answer: lead({ status: 'CANCELLED', next_call_time: null, next_call_time_reason: null, metadata }),
})

const folded = (name: string, sent: Readonly<Record<string, unknown>>, metadata: Readonly<Record<string, unknown>>): Row => ({
  name,
  ask: 'POST /api/leads/',
  body: json({ ...NEW, ...sent }),
  status: 201,
  answer: lead({ metadata: { timezone: HONOLULU, ...metadata } }),
})

const refused = (name: string, sent: Readonly<Record<string, unknown>>, answer: unknown): Row => ({
  name,
  ask: 'POST /api/leads/',
  body: json({ phone_number: '{phone}', ...sent }),
  status: 400,
  answer,
})

/** JavaScript's special keys are ordinary data. */
const ODD_KEYS = '"__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}, "toString": 1, "": 2, "hasOwnProperty": null'
const oddMetadata = JSON.parse(`{"timezone": "Pacific/Honolulu", ${ODD_KEYS}}`)

const oddLead = (name: string, raw: string): Row => ({
  name,
  ask: 'POST /api/leads/',
  body: { raw },
  status: 201,
  answer: lead({ metadata: oddMetadata }),
})

const ECHOES = { phone_number: '1', email: 'x', lead_source: 'x', external_id: 'x', created_at: 'x' }

export const metadata: Row[] = [
  kept('nothing', {}),
  kept('values of every kind', { text: 'a', number: 1.5, yes: true, no: false, none: null, list: [1, 'a', null, {}], object: { a: {} } }),
  kept('text with blanks around it', { a: '  b ' }),
  kept('a null byte', { a: 'b\0c' }),
  kept('a lone surrogate', { a: 'b\ud800c' }),
  kept('characters of four bytes', { '😀': '👩‍👩‍👧‍👦' }),
  kept('twenty levels', { a: nested(19) }),
  kept('100 KB', ofBytes(102_400)),
  kept('a thousand keys', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, index]))),
  refused('twenty-one levels', { metadata: { a: nested(20) } }, DEEP),
  refused('twenty-one levels of lists', { metadata: { a: JSON.parse('['.repeat(20) + ']'.repeat(20)) } }, DEEP),
  refused('twenty-one levels in a key beside it', { extra: nested(20) }, DEEP),
  refused('a byte over 100 KB', { metadata: ofBytes(102_401) }, LARGE),
  refused('a byte over 100 KB in characters of several bytes', { metadata: { a: `${'é'.repeat(51_196)}x` } }, LARGE),
  refused('100 KB in keys beside it', { extra: 'x'.repeat(102_400) }, LARGE),
  {
    name: 'five thousand levels',
    ask: 'POST /api/leads/',
    body: { raw: `{"phone_number": "{phone}", "metadata": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}` },
    status: 400,
    answer: DEEP,
  },
  oddLead('keys with a meaning in JavaScript', `{"phone_number": "{phone}", "metadata": {"timezone": "Pacific/Honolulu", ${ODD_KEYS}}}`),
  oddLead('such keys beside it', `{"phone_number": "{phone}", "timezone": "Pacific/Honolulu", ${ODD_KEYS}}`),
  folded(
    'keys beside it',
    { first_name: 'A', age: 5, tags: ['a'], none: null, more: { a: 1 } },
    { first_name: 'A', age: 5, tags: ['a'], none: null, more: { a: 1 } },
  ),
  folded(
    'a key both beside it and in it: the one in it',
    { first_name: 'beside', metadata: { timezone: HONOLULU, first_name: 'in' } },
    { first_name: 'in' },
  ),
  folded('a key beside it, null in it', { note: 'beside', metadata: { timezone: HONOLULU, note: null } }, { note: null }),
  folded('keys that only echo fields', { metadata: { timezone: HONOLULU, ...ECHOES } }, {}),
  folded('created_at beside it', { created_at: '01/01/2020 00:00' }, {}),
  {
    name: 'what it echoes',
    ask: 'POST /api/leads/',
    body: json({ ...NEW, email: '{text}@example.com', lead_source: 'Web', external_id: '{text}' }),
    status: 201,
    answer: lead({ email: '{text}@example.com', lead_source: 'Web', external_id: '{text}' }),
  },
  {
    name: 'read again, with the odd keys',
    given: [{ ask: 'POST /api/leads/', body: { raw: `{"phone_number": "{phone}", "timezone": "Pacific/Honolulu", ${ODD_KEYS}}` } }],
    ask: 'GET /api/leads/{lead}/',
    status: 200,
    answer: lead({ id: '{lead}', metadata: oddMetadata }),
  },
  {
    name: 'merged by an update, key by key',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, a: { b: 1 }, c: 1, d: 1 }) }],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ metadata: { a: { e: 2 }, d: null, f: 3 } }),
    status: 200,
    answer: lead({ id: '{lead}', metadata: { timezone: HONOLULU, a: { e: 2 }, c: 1, d: null, f: 3 } }),
  },
  {
    name: 'too large once an update is merged',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, a: 'x'.repeat(60_000) }) }],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ metadata: { b: 'x'.repeat(60_000) } }),
    status: 400,
    answer: LARGE,
  },
]
