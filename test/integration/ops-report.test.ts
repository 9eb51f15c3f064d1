import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as retrieve } from '#functions/statistics/retrieve.ts'
import { storedCall } from '#shared/calling/call-store.ts'
import { leadItem } from '#shared/leads/lead-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { setClock } from '#test/support/clock.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { countBatch, streamRecord } from '#test/support/stream-records.ts'
import { OWNER, request } from '#test/support/world.ts'

const { tool } = opsWorld()

const TRANSFER = { completed_time: NOON, outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER', is_contact: true } as const

beforeAll(async () => {
  setClock(NOON)
  await tool().apply(`users: [{ key: acme, id: ${OWNER} }]`)
  const leads = [sampleLead({ id: 1, lead_source: 'web' }), sampleLead({ id: 2, owner: 2, status: 'CLOSED' })]
  const calls = [1, 2].map((attempt) =>
    sampleCall({ lead: 1, attempt, lead_source: 'web', ...(attempt === 1 ? TRANSFER : { refused_time: NOON }) }),
  )
  await countBatch([
    ...leads.map((lead) => streamRecord(undefined, leadItem(lead))),
    ...calls.map((call) => streamRecord(undefined, { ...callKey(1, call.attempt), ...storedCall(call) })),
  ])
})

describe('the report command', () => {
  it('report adds up all users, and lists each of them', async () => {
    const { code, out } = await tool().ops(['report', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ...{ from: '2026-10-22', to: '2026-11-20', leads: { total: 2 }, created: 2 },
      calls: { total: 2, by_outcome: { COMPLETED_CLOSED_LIVE_TRANSFER: 1, FAILED: 1 }, contacts: 1, contact_rate: 1 },
      by_user: [
        { user: OWNER, key: 'acme', leads: 1, created: 1, calls: 2 },
        { user: 2, key: null, leads: 1, created: 1, calls: 0, contact_rate: null },
      ],
    })
  })

  it('report of one user prints what the API answers', async () => {
    const { out } = await tool().ops(['report', '--owner', 'acme', '--from', '2026-11-19', '--to', '2026-11-20', '--json'])
    const answer = await request(retrieve, { method: 'GET', path: '/api/statistics/?from=2026-11-19&to=2026-11-20' })
    expect(answer.body.calls.total).toBe(2)
    expect(JSON.parse(out)).toEqual(answer.body)
  })

  it('report prints tables without rows of zeros', async () => {
    const { out } = await tool().ops(['report', '--from', '2026-11-19', '--to', '2026-11-20'])
    expect(out.split('\n\n').map((part) => part.split(/ *\n/).map((line) => line.replaceAll(/ {2,}/g, ' | ')))).toEqual([
      ['2026-11-19 to 2026-11-20, in UTC: 2 leads now, 2 created; 2 calls, 1 contact, 1 transfer.'],
      ['STATUS | LEADS', 'OPEN | 1', 'CLOSED | 1'],
      ['OUTCOME | CALLS', 'COMPLETED_CLOSED_LIVE_TRANSFER | 1', 'FAILED | 1'],
      ['HOUR | CALLS', '16 | 2'],
      ['ATTEMPT | CALLS', '1 | 1', '2 | 1'],
      [expect.stringMatching(/^DAY \| CREATED/), '2026-11-20 | 2 | 2 | 1 | 1 | 1 | 100.0 % | 100.0 %'],
      [expect.stringMatching(/^LEAD TYPE \| KEY/), expect.stringMatching(/^4 \| .*2 \| 2 \| 2 \| 1 \| 1 \| 1 \| 100\.0 %/)],
      [
        expect.stringMatching(/^LEAD SOURCE \| LEADS/),
        expect.stringMatching(/^web \| 1 \| 1 \| 2/),
        expect.stringMatching(/^ \| 1 \| 1 \| 0/),
      ],
      [
        expect.stringMatching(/^USER \| KEY/),
        expect.stringMatching(/^1 \| acme \| 1 \| 1 \| 2/),
        expect.stringMatching(/^2 \| .*1 \| 1 \| 0/),
        '',
      ],
    ])
  })

  it.each([
    [['report', '--owner', '99'], 1, /^There is no user 99/],
    [['report', '--from', 'soon'], 2, /^--from: Date has wrong format\. .*YYYY-MM-DD\. You sent "soon"/],
    [['report', '--from', '2026-11-21'], 2, /^--to: The period is empty/],
    [['report', '--from', '2025-01-01'], 2, /^--from: Ensure the period has no more than 92 days/],
  ])('the ops tool rejects the report command %j', async (args, code, err) => {
    expect(await tool().ops(args)).toEqual({ code, out: '', err: expect.stringMatching(err) })
  })
})
