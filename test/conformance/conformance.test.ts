import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Service, startService } from '#test/support/service.ts'
import { check, send } from './ask.ts'
import { bodies } from './bodies.ts'
import { bulk } from './bulk.ts'
import { calling } from './calling.ts'
import { checkFilter } from './check-filter.ts'
import { createMade } from './create-made.ts'
import { createRefused } from './create-refused.ts'
import { credentials } from './credentials.ts'
import { deliveries } from './deliveries.ts'
import { formRows } from './forms.ts'
import { idempotency } from './idempotency.ts'
import { ingestLead } from './ingest-lead.ts'
import { lists } from './lists.ts'
import { metadata } from './metadata.ts'
import { paths } from './paths.ts'
import { type Filling, json, type Row } from './rows.ts'
import { stopping } from './stopping.ts'
import { update } from './update.ts'
import { updateByMatch } from './update-by-match.ts'
import { uploads } from './uploads.ts'
import { webhooks } from './webhooks.ts'
import { webhooksUpdate } from './webhooks-update.ts'

let service: Service
let common: Filling

/** Creates five leads of the staff user. No other test changes them. */
const createListed = async (): Promise<Filling> => {
  const filling: Record<string, string | number> = {}
  for (let number = 1; number <= 5; number++) {
    const phone = `+1303555010${number}`
    const fields = { phone_number: phone, email: `a${number}@example.com`, external_id: `e${number}` }
    const { status, body } = await send(service, { as: 'staff', ask: 'POST /api/leads/', body: json(fields) }, {})
    expect(status).toBe(201)
    Object.assign(filling, { [`s${number}`]: body.id, [`p${number}`]: phone, [`q${number}`]: phone.slice(1) })
  }
  return filling
}

beforeAll(async () => {
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
  const { body } = await send(service, { as: 'other', ask: 'GET /api/lead-types/' }, {})
  const { url, apiKey, leadTypeId, userId, otherUserId, staffUserId, ingestId, openIngestId } = service
  const users = { user: userId, otherUser: otherUserId, staffUser: staffUserId }
  const ingestion = { ingest: ingestId, openIngest: openIngestId }
  const fixed = { url, key: apiKey, leadType: leadTypeId, ...users, ...ingestion, otherLeadType: body.results[0].id }
  common = { ...fixed, ...(await createListed()) }
})
afterAll(() => service?.end())

const TOPICS = {
  credentials,
  paths,
  bodies,
  'creates that are refused': createRefused,
  'creates that are made': createMade,
  metadata,
  forms: formRows,
  updates: update,
  'updates by match': updateByMatch,
  'many at once': bulk,
  lists,
  calling,
  'what stops calls': stopping,
  webhooks,
  'changes of a subscription': webhooksUpdate,
  deliveries,
  'filter checks': checkFilter,
  'leads in other shapes': ingestLead,
  uploads,
  'an Idempotency-Key': idempotency,
}

const titleOf = ({ ask, status, name }: Row): string => `${ask} answers ${status}: ${name}`

describe.each(Object.entries(TOPICS))('%s', (_topic, rows) => {
  it.each(rows.map((row) => [titleOf(row), row] as const))('%s', (_title, row) => check(service, row, common))
})

it('a request is refused with 409 while another one with the same Idempotency-Key is in progress', async () => {
  const leads = Array.from({ length: 400 }, (_, index) => ({ phone_number: `+1303556${`${index}`.padStart(4, '0')}`, status: 'CANCELLED' }))
  const bulk = { ask: 'POST /api/leads/bulk-create/', headers: { 'Idempotency-Key': 'under way' }, body: json({ leads }) }
  // The first one takes about a second, so the second one finds it in progress.
  const answers = await Promise.all([send(service, bulk, common), send(service, bulk, common)])
  const [made, refused] = answers.toSorted((one, other) => one.status - other.status)
  expect(made?.status).toBe(200)
  expect({ status: refused?.status, body: refused?.body }).toEqual({
    status: 409,
    body: { detail: 'A request with this Idempotency-Key is still in progress.' },
  })
  expect(refused?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

it('the conformance table has at least 150 rows, each with its own title', () => {
  const titles = Object.entries(TOPICS).flatMap(([topic, rows]) => rows.map((row) => `${topic}: ${titleOf(row)}`))
  expect(titles.length).toBeGreaterThanOrEqual(150)
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
})
