import { type Given, json, type Row } from './rows.ts'

const GOOD = { url: 'https://example.com/hook', trigger: ['LEAD_CREATED'] }
const KEPT = { ...GOOD, id: '{made}', method: 'POST', filter_condition: '', disabled_time: null, disabled_reason: null }
const FIELDS = '`url`, `trigger`, `method`, `filter_condition`, `headers`'

const here: Given = { ask: 'POST /api/webhooks/', body: json(GOOD) }
const ask = 'PATCH /api/webhooks/{made}/'

/** Changes of a subscription. */
export const webhooksUpdate: Row[] = [
  {
    name: 'some fields of a subscription change',
    given: [here],
    ask,
    body: json({ trigger: 'CALL_DNC', method: 'PUT', headers: { 'X-Key': 'secret' }, disabled_reason: 'x' }),
    status: 200,
    answer: { ...KEPT, trigger: ['CALL_DNC'], method: 'PUT' },
  },
  { name: 'an empty update changes nothing', given: [here], ask, body: json({}), status: 200, answer: KEPT },
  {
    name: 'wrong fields of a subscription',
    given: [here],
    ask,
    body: json({ url: null, trigger: [], name: 'x' }),
    status: 400,
    answer: {
      url: ['This field may not be null.'],
      trigger: ['This list may not be empty.'],
      name: [`Unknown field. The fields are: ${FIELDS}.`],
    },
  },
  {
    name: 'a subscription of another user',
    given: [{ ...here, as: 'staff' }],
    ask,
    body: json({ url: null }),
    status: 404,
    answer: { detail: 'Not found.' },
  },
]
