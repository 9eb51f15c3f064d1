import { createLead, json, lead, type Row } from './rows.ts'

const NOT_FOUND = { detail: 'Not found.' }
const NO_ROUTE = { detail: 'Not found. …' }
const MISSING = '2000000000'

const missing = (ask: string): Row => ({ name: 'an object that does not exist', ask, status: 404, answer: NOT_FOUND })

const notAllowed = (ask: string, allow: string): Row => ({
  name: 'a method that is not allowed',
  ask,
  ...(!/^(GET|HEAD|DELETE)/.test(ask) && { body: json({}) }),
  status: 405,
  answer: { detail: `Method "${ask.split(' ')[0]}" not allowed. …` },
  answerHeaders: { allow },
})

const UNKNOWN = [
  ...['GET /api/', 'GET /api/nothing/', 'POST /api/nothing/', 'GET /leads/', 'GET /API/leads/', 'GET /api/lead/'],
  ...['GET /api/leads/1/2/', 'GET /api/leads/bulk-create/x/', 'GET /api/tasks/', 'GET /api/agents/'],
]

const NO_IDS = [`/api/leads/${MISSING}/`, '/api/leads/0/', '/api/leads/-1/', '/api/leads/abc/', '/api/leads/1.5/', '/api/leads/%00/']
const HUGE = ['2147483648', '99999999999999999999', '9'.repeat(500)]

const DIFFERENT_CASE = [`GET /api/lead-types/${MISSING}/`, 'GET /api/lead-types/x/', 'GET /api/tasks/not-a-uuid/']

export const paths: Row[] = [
  ...UNKNOWN.map((ask) => ({ ...missing(ask), name: 'a path of no route', answer: NO_ROUTE })),
  ...NO_IDS.map((path) => missing(`GET ${path}`)),
  ...HUGE.map((id) => ({ ...missing(`GET /api/leads/${id}/`), name: `an id of ${id.length} digits` })),
  ...DIFFERENT_CASE.map(missing),
  missing('GET /api/tasks/5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11/'),
  {
    name: 'a path of no route, without credentials',
    ask: 'GET /api/nothing/',
    headers: { authorization: null },
    status: 404,
    answer: NO_ROUTE,
  },
  { ...missing(`PATCH /api/leads/${MISSING}/`), body: json({ lead_source: 'a' }) },
  { ...missing(`PATCH /api/leads/${MISSING}/`), name: 'a missing lead, before the fields are checked', body: json({ email: 'x' }) },
  { ...missing(`PATCH /api/leads/${MISSING}/`), name: 'a missing lead, before the body is parsed', body: { raw: '{' } },
  notAllowed('PUT /api/leads/', 'GET, POST, HEAD, OPTIONS'),
  notAllowed('PATCH /api/leads/', 'GET, POST, HEAD, OPTIONS'),
  notAllowed('DELETE /api/leads/', 'GET, POST, HEAD, OPTIONS'),
  notAllowed(`PUT /api/leads/${MISSING}/`, 'GET, PATCH, HEAD, OPTIONS'),
  notAllowed(`POST /api/leads/${MISSING}/`, 'GET, PATCH, HEAD, OPTIONS'),
  notAllowed(`DELETE /api/leads/${MISSING}/`, 'GET, PATCH, HEAD, OPTIONS'),
  notAllowed('GET /api/leads/bulk-create/', 'POST, OPTIONS'),
  notAllowed('PATCH /api/leads/bulk-create/', 'POST, OPTIONS'),
  notAllowed('POST /api/leads/bulk-update/', 'PATCH, OPTIONS'),
  notAllowed('GET /api/leads/update/', 'PUT, PATCH, OPTIONS'),
  notAllowed('POST /api/leads/update/', 'PUT, PATCH, OPTIONS'),
  notAllowed('POST /api/lead-types/', 'GET, HEAD, OPTIONS'),
  notAllowed(`DELETE /api/lead-types/${MISSING}/`, 'GET, HEAD, OPTIONS'),
  notAllowed('POST /api/users/me/', 'GET, HEAD, OPTIONS'),
  notAllowed('GET /api/ingestion/upload/', 'POST, OPTIONS'),
  notAllowed('POST /api/sources/', 'GET, HEAD, OPTIONS'),
  notAllowed('POST /api/ingestion/uploads/', 'GET, HEAD, OPTIONS'),
  notAllowed('POST /api/ingestion/uploads/x/', 'GET, HEAD, OPTIONS'),
  notAllowed('POST /api/tasks/x/', 'GET, HEAD, OPTIONS'),
  notAllowed('DELETE /api/health/', 'GET, HEAD, OPTIONS'),
  {
    name: 'a lead with the slash at the end',
    given: [createLead],
    ask: 'GET /api/leads/{lead}/',
    status: 200,
    answer: lead({ id: '{lead}' }),
  },
  {
    name: 'a lead without the slash at the end',
    given: [createLead],
    ask: 'GET /api/leads/{lead}',
    status: 200,
    answer: lead({ id: '{lead}' }),
  },
  { name: 'a create without the slash at the end', ask: 'POST /api/leads', body: createLead.body!, status: 201, answer: lead() },
  {
    name: 'an update without the slash at the end',
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}',
    body: json({ lead_source: 'a' }),
    status: 200,
    answer: lead({ id: '{lead}', lead_source: 'a' }),
  },
  {
    name: 'a lead, with unknown query parameters',
    given: [createLead],
    ask: 'GET /api/leads/{lead}/?page=0&x=%00',
    status: 200,
    answer: lead({ id: '{lead}' }),
  },
  { name: 'HEAD of a lead', given: [createLead], ask: 'HEAD /api/leads/{lead}/', status: 200, answer: undefined },
  { name: 'HEAD of a missing lead', ask: `HEAD /api/leads/${MISSING}/`, status: 404, answer: undefined },
]
