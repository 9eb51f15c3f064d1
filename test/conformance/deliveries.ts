import { expect } from '@jest/globals'
import { json, type Request, type Row } from './rows.ts'

const MISSING = '2000000000'
const NOT_FOUND = { detail: 'Not found.' }
const REQUIRED = 'This field is required.'
const REPLAY = 'POST /api/agents/webhooks/replay-recent-chat/'

const subscribe: Request = {
  ask: 'POST /api/webhooks/',
  body: json({ url: 'https://example.com/hook', trigger: ['CALL_COMPLETE', 'CALL_DNC'] }),
}
const newLead: Request = { ask: 'POST /api/leads/', body: json({ phone_number: '{phone}', metadata: { timezone: 'Pacific/Honolulu' } }) }

const testDelivery = {
  delivery_id: expect.stringMatching(/^\d+-0-\d+-test-[0-9a-f-]+-CALL_COMPLETE$/),
  event_id: expect.stringMatching(/^test-[0-9a-f-]+-CALL_COMPLETE$/),
  trigger: 'CALL_COMPLETE',
  lead: null,
  status: expect.any(String),
  attempts: expect.any(Array),
}

const missing = (name: string, ask: string, given: readonly Request[] = []): Row => ({ name, ask, given, status: 404, answer: NOT_FOUND })

const refusedReplay = (name: string, body: unknown, answer: unknown): Row => ({ name, ask: REPLAY, body: json(body), status: 400, answer })

const wrongIds = (cases: readonly (readonly [unknown, string])[]): Row[] =>
  cases.map(([lead_ids, message]) =>
    refusedReplay(
      `a replay of ${`${JSON.stringify(lead_ids)}`.slice(0, 40)}`,
      { lead_ids, triggers: ['CALL_COMPLETE'] },
      { lead_ids: [message] },
    ),
  )

export const deliveries: Row[] = [
  {
    name: 'the log of a new subscription',
    given: [subscribe],
    ask: 'GET /api/webhooks/{lead}/deliveries/',
    status: 200,
    answer: { count: 0, next: null, previous: null, results: [] },
  },
  {
    name: 'a page past the end of the log',
    given: [subscribe],
    ask: 'GET /api/webhooks/{lead}/deliveries/?page=2',
    status: 404,
    answer: { detail: 'Invalid page.' },
  },
  {
    name: 'the last page of an empty log',
    given: [subscribe],
    ask: 'GET /api/webhooks/{lead}/deliveries/?page=last',
    status: 200,
    answer: { count: 0, next: null, previous: null, results: [] },
  },
  {
    name: 'the log after a test',
    given: [subscribe, { ask: 'POST /api/webhooks/{lead}/test/' }],
    ask: 'GET /api/webhooks/{lead}/deliveries/',
    status: 200,
    answer: { count: 1, next: null, previous: null, results: [{ ...testDelivery, next_attempt_time: expect.anything() }] },
  },
  {
    name: 'a test of a subscription',
    given: [subscribe],
    ask: 'POST /api/webhooks/{lead}/test/',
    status: 202,
    answer: { ...testDelivery, status: 'pending', attempts: [], next_attempt_time: expect.stringMatching(/^2026-11-20T/) },
  },
  missing('the log of a missing subscription', `GET /api/webhooks/${MISSING}/deliveries/`),
  missing('the log of a lead instead of a subscription', 'GET /api/webhooks/{lead}/deliveries/', [newLead]),
  missing('a test of a missing subscription', `POST /api/webhooks/${MISSING}/test/`),
  missing('resending a delivery that does not exist', 'POST /api/webhooks/{lead}/deliveries/x/resend/', [subscribe]),
  missing('resending a delivery of no subscription', `POST /api/webhooks/${MISSING}/deliveries/${MISSING}-0-1-x/resend/`),
  refusedReplay('a replay of nothing', {}, { lead_ids: [REQUIRED], triggers: [REQUIRED] }),
  ...wrongIds([
    [5, 'Expected a list of items but got type "int".'],
    ['5', 'Expected a list of items but got type "str".'],
    [null, 'This field may not be null.'],
    [[], 'This list may not be empty.'],
    [[1, 'x'], 'A valid integer is required. …'],
    [[1.5], 'A valid integer is required. …'],
    [[true], 'A valid integer is required. …'],
    [[null], 'A valid integer is required. …'],
    [Array.from({ length: 1001 }, (_, index) => index + 1), 'Ensure this field has no more than 1000 elements.'],
  ]),
  refusedReplay('a replay of an unknown trigger', { lead_ids: [1], triggers: ['X'] }, { triggers: ['"X" is not a valid choice. …'] }),
  {
    name: 'a replay of leads without a call, and of missing leads',
    given: [newLead],
    ask: REPLAY,
    body: json({ lead_ids: ['{lead}', 2_000_000_000, '2000000000', -1], triggers: 'CALL_COMPLETE' }),
    status: 202,
    answer: { queued: 0, skipped: 3, skipped_lead_ids: ['{lead}', 2_000_000_000, -1] },
  },
]
