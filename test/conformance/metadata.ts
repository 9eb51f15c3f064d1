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
  kept('empty metadata', {}),
  kept('metadata with values of every kind', {
    text: 'a',
    number: 1.5,
    yes: true,
    no: false,
    none: null,
    list: [1, 'a', null, {}],
    object: { a: {} },
  }),
  kept('metadata with blanks around a text', { a: '  b ' }),
  kept('metadata with a null byte', { a: 'b\0c' }),
  kept('metadata with a lone surrogate', { a: 'b\ud800c' }),
  kept('metadata with characters of four bytes', { '😀': '👩‍👩‍👧‍👦' }),
  kept('metadata of twenty levels', { a: nested(19) }),
  kept('metadata of 100 KB', ofBytes(102_400)),
  kept('metadata with a thousand keys', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, index]))),
  refused('metadata of twenty-one levels', { metadata: { a: nested(20) } }, DEEP),
  refused('metadata of twenty-one levels of lists', { metadata: { a: JSON.parse('['.repeat(20) + ']'.repeat(20)) } }, DEEP),
  refused('twenty-one levels in a key beside the metadata', { extra: nested(20) }, DEEP),
  refused('metadata of a byte over 100 KB', { metadata: ofBytes(102_401) }, LARGE),
  refused('metadata of a byte over 100 KB in characters of several bytes', { metadata: { a: `${'é'.repeat(51_196)}x` } }, LARGE),
  refused('100 KB in keys beside the metadata', { extra: 'x'.repeat(102_400) }, LARGE),
  {
    name: 'metadata of five thousand levels',
    ask: 'POST /api/leads/',
    body: { raw: `{"phone_number": "{phone}", "metadata": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}` },
    status: 400,
    answer: DEEP,
  },
  oddLead(
    'metadata keys with a meaning in JavaScript',
    `{"phone_number": "{phone}", "metadata": {"timezone": "Pacific/Honolulu", ${ODD_KEYS}}}`,
  ),
  oddLead(
    'keys with a meaning in JavaScript beside the metadata',
    `{"phone_number": "{phone}", "timezone": "Pacific/Honolulu", ${ODD_KEYS}}`,
  ),
  folded(
    'keys beside the metadata are added to it',
    { first_name: 'A', age: 5, tags: ['a'], none: null, more: { a: 1 } },
    { first_name: 'A', age: 5, tags: ['a'], none: null, more: { a: 1 } },
  ),
  folded(
    'a key in the metadata wins over the same key beside it',
    { first_name: 'beside', metadata: { timezone: HONOLULU, first_name: 'in' } },
    { first_name: 'in' },
  ),
  folded(
    'a null in the metadata wins over the same key beside it',
    { note: 'beside', metadata: { timezone: HONOLULU, note: null } },
    { note: null },
  ),
  folded('metadata keys that repeat fields are dropped', { metadata: { timezone: HONOLULU, ...ECHOES } }, {}),
  folded('created_at beside the metadata is dropped', { created_at: '01/01/2020 00:00' }, {}),
  {
    name: 'fields that metadata may repeat are stored',
    ask: 'POST /api/leads/',
    body: json({ ...NEW, email: '{text}@example.com', lead_source: 'Web', external_id: '{text}' }),
    status: 201,
    answer: lead({ email: '{text}@example.com', lead_source: 'Web', external_id: '{text}' }),
  },
  {
    name: 'metadata keys with a meaning in JavaScript are read again',
    given: [{ ask: 'POST /api/leads/', body: { raw: `{"phone_number": "{phone}", "timezone": "Pacific/Honolulu", ${ODD_KEYS}}` } }],
    ask: 'GET /api/leads/{lead}/',
    status: 200,
    answer: lead({ id: '{lead}', metadata: oddMetadata }),
  },
  {
    name: 'an update merges metadata key by key',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, a: { b: 1 }, c: 1, d: 1 }) }],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ metadata: { a: { e: 2 }, d: null, f: 3 } }),
    status: 200,
    answer: lead({ id: '{lead}', metadata: { timezone: HONOLULU, a: { e: 2 }, c: 1, d: null, f: 3 } }),
  },
  {
    name: 'metadata that is too large once an update is merged',
    given: [{ ask: 'POST /api/leads/', body: json({ ...NEW, a: 'x'.repeat(60_000) }) }],
    ask: 'PATCH /api/leads/{lead}/',
    body: json({ metadata: { b: 'x'.repeat(60_000) } }),
    status: 400,
    answer: LARGE,
  },
]
