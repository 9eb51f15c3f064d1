import { lead, NO_CALL, type Row } from './rows.ts'

/** The staff user's five leads. `{s1}` is the oldest one's id. Its phone is `{p1}`, its email a1@example.com, its external id e1. */
const listed = (...numbers: readonly number[]) =>
  numbers.map((number) =>
    lead({
      id: `{s${number}}`,
      phone_number: `{p${number}}`,
      email: `a${number}@example.com`,
      external_id: `e${number}`,
      metadata: {},
      status: 'NEW',
      lead_type: null,
      ...NO_CALL,
    }),
  )

type Links = { readonly next?: string; readonly previous?: string }

const page = (query: string, results: readonly unknown[], { next, previous }: Links = {}, count = 5): Row => ({
  name: `${results.length} of ${count} leads`,
  as: 'staff',
  ask: `GET /api/leads/${query}`,
  status: 200,
  answer: {
    count,
    next: next === undefined ? null : `{url}/api/leads/${next}`,
    previous: previous === undefined ? null : `{url}/api/leads/${previous}`,
    results,
  },
})

const lookUp = (query: string, ...numbers: readonly number[]): Row => page(query, listed(...numbers), {}, numbers.length)

const noPage = (path: string): Row => ({
  name: 'a page that does not exist',
  as: 'staff',
  ask: `GET ${path}`,
  status: 404,
  answer: { detail: 'Invalid page.' },
})

const all = listed(5, 4, 3, 2, 1)

const CAMPAIGN = {
  id: '{leadType}',
  name: 'Demo campaign',
  lead_metadata_fields: [
    { key: 'first_name', label: 'First name', helpText: 'How the agent addresses the person.', type: 'string', required: false },
    { key: 'last_name', label: 'Last name', helpText: '', type: 'string', required: false },
    {
      key: 'timezone',
      label: 'Time zone',
      helpText: 'Where the person is, for example America/New_York.',
      type: 'string',
      required: false,
    },
  ],
}

const leadTypes = (query: string, found: boolean): Row => ({
  name: found ? 'a lead type' : 'no lead type',
  ask: `GET /api/lead-types/${query}`,
  status: 200,
  answer: { count: found ? 1 : 0, next: null, previous: null, results: found ? [CAMPAIGN] : [] },
})

export const lists: Row[] = [
  page('', all),
  page('?page=1', all),
  page('?page=', all),
  page('?page=last', all),
  page('?page=%201%20', all),
  page('?page_size=2', listed(5, 4), { next: '?page=2&page_size=2' }),
  page('?page=1&page_size=2', listed(5, 4), { next: '?page=2&page_size=2' }),
  page('?page_size=2&page=2', listed(3, 2), { next: '?page=3&page_size=2', previous: '?page_size=2' }),
  page('?page=3&page_size=2', listed(1), { previous: '?page=2&page_size=2' }),
  page('?page=last&page_size=2', listed(1), { previous: '?page=2&page_size=2' }),
  page('?page_size=5', all),
  page('?page_size=4', listed(5, 4, 3, 2), { next: '?page=2&page_size=4' }),
  page('?page=2&page_size=4', listed(1), { previous: '?page_size=4' }),
  page('?page=5&page_size=1', listed(1), { previous: '?page=4&page_size=1' }),
  page('?page_size=1&page_size=2', listed(5, 4), { next: '?page=2&page_size=1&page_size=2' }),
  page('?z=1&page_size=2&page=2&b=%C3%BC%20%26&b=%2F&A=', listed(3, 2), {
    next: '?A=&b=%C3%BC+%26&b=%2F&page=3&page_size=2&z=1',
    previous: '?A=&b=%C3%BC+%26&b=%2F&page_size=2&z=1',
  }),
  ...['0', '-1', 'abc', '1.5', '', '%00', '1e9'].map((size) => page(`?page_size=${size}`, all)),
  ...['100', '101', '100000', '99999999999999999999'].map((size) => page(`?page_size=${size}`, all)),
  ...['0', '-1', 'abc', '1.5', '1.0', '2', '%00', 'LAST', '99999999999999999999', '1,2', 'null'].map((number) =>
    noPage(`/api/leads/?page=${number}`),
  ),
  noPage('/api/leads/?page=4&page_size=2'),
  noPage('/api/leads/?page=2&external_id=none'),
  noPage('/api/lead-types/?page=2'),
  noPage('/api/lead-types/?page=x'),
  lookUp('?external_id=e3', 3),
  lookUp('?external_id=%20e3%20', 3),
  lookUp('?external_id=E3'),
  lookUp('?external_id=none'),
  lookUp('?email=a2@example.com', 2),
  lookUp('?email=A2@EXAMPLE.COM', 2),
  lookUp('?email=nobody@example.com'),
  lookUp('?email=nonsense'),
  lookUp('?phone_number=%2B{q4}', 4),
  lookUp('?phone_number=+{q4}', 4),
  lookUp('?phone_number={q4}', 4),
  lookUp('?phone_number=nonsense'),
  lookUp('?external_id=e1&email=a1@example.com', 1),
  lookUp('?external_id=e1&email=a2@example.com'),
  page('?external_id=', all),
  page('?external_id=e3&page_size=1&page=last', listed(3), {}, 1),
  {
    name: 'no leads of another user',
    ask: 'GET /api/leads/?external_id=e3&page=1',
    status: 200,
    answer: { count: 0, next: null, previous: null, results: [] },
  },
  leadTypes('', true),
  leadTypes('?search=campaign', true),
  leadTypes('?search=DEMO', true),
  leadTypes('?search=mo+camp', true),
  leadTypes('?search=campaign+demo', true),
  leadTypes('?search=', true),
  leadTypes('?search=nothing', false),
  leadTypes('?search=first_name', false),
  leadTypes('?search=%2E*', false),
  leadTypes('?page_size=1&page=last', true),
  {
    name: 'no lead types of a user without any',
    as: 'staff',
    ask: 'GET /api/lead-types/',
    status: 200,
    answer: { count: 0, next: null, previous: null, results: [] },
  },
  { name: 'the lead type with this id', ask: 'GET /api/lead-types/{leadType}/', status: 200, answer: CAMPAIGN },
  { name: 'a lead type without the slash', ask: 'GET /api/lead-types/{leadType}', status: 200, answer: CAMPAIGN },
  { name: 'a lead type of another user', ask: 'GET /api/lead-types/{otherLeadType}/', status: 404, answer: { detail: 'Not found.' } },
]
