import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as list } from '#functions/leads/calls.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { components } from '#lib/openapi/schemas.ts'
import { callsOf, insertCall } from '#shared/calling/call-store.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { send } from '#test/support/api-event.ts'
import { created, times } from '#test/support/lead-requests.ts'
import { NOON, sampleCall } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { agentReport, consumeAll, KEY, OTHER_KEY, request } from '#test/support/world.ts'

const world = suiteWorld()

const listed = async (id: number | string, query: Record<string, string> | null = null, key = KEY) => {
  const answer = await send(list, {
    method: 'GET',
    path: `/api/leads/${id}/calls/`,
    params: { id: `${id}` },
    query,
    queryLists: query && Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    headers: { Authorization: `Token ${key}`, Host: 'api.example.com' },
  })
  if (answer.status === 200) expect(v.safeParse(components.CallPage, answer.json).issues).toBeUndefined()
  return answer
}

const stored = async (lead: number, attempts: number, more: Parameters<typeof sampleCall>[0] = {}) => {
  const made = Array.from({ length: attempts }, (_, index) => index + 1)
  for (const attempt of made) {
    const call = sampleCall({ call_id: `${lead}-${attempt}`, lead, attempt, intent_time: NOON + attempt, settled_time: NOON, ...more })
    expect(await transact([insertCall(call)])).toMatchObject({ committed: true })
  }
}

describe('the calls of a lead', () => {
  it('a lead without calls has an empty list of calls', async () => {
    const { id } = await created()
    expect(await listed(id)).toMatchObject({ status: 200, json: { count: 0, next: null, previous: null, results: [] } })
  })

  it('the list of a lead’s calls shows their status and outcome', async () => {
    const { id } = await created()
    await consumeAll(placeCall, await world().queues.take('CALL_QUEUE_URL'))
    const shown = {
      call_id: `${id}-1`,
      lead: id,
      call_direction: 'outbound',
      call_status: 'DIALING',
      attempt: 1,
      outcome: null,
      failure_reason: null,
      is_contact: null,
      started_time: expect.stringContaining('2026-11-20T16:00:0'),
      answered_time: null,
      ended_time: null,
      duration_seconds: null,
      summary: null,
      representative: null,
      external_ids: null,
      transfer: null,
    }
    expect((await listed(id)).json.results).toEqual([shown])
    await request(
      report,
      agentReport(world().agentSecret, `${id}-1`, 'call.completed', { outcome: 'not_interested', summary: 'No, thanks.' }),
    )
    expect((await listed(id)).json.results).toMatchObject([
      { call_status: 'COMPLETED', outcome: 'COMPLETED_STOP_CALLING', summary: 'No, thanks.' },
    ])
  })

  it('the calls of a lead are listed newest first, in pages', async () => {
    const { id } = await created()
    await stored(id, 11)
    const attempts = async (query: Record<string, string> | null) =>
      (await listed(id, query)).json.results.map(({ attempt }: { attempt: number }) => attempt)
    expect(await attempts(null)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(await attempts({ page: '2', page_size: '4' })).toEqual([7, 6, 5, 4])
    expect(await attempts({ page: 'last', page_size: '4' })).toEqual([3, 2, 1])
    expect((await listed(id, { page: '2', page_size: '4' })).json).toMatchObject({
      count: 11,
      next: expect.stringMatching(new RegExp(`/api/leads/${id}/calls/\\?page=3&page_size=4$`)),
      previous: expect.stringMatching(new RegExp(`/api/leads/${id}/calls/\\?page_size=4$`)),
    })
    for (const page of ['0', '4', 'x', '-1'])
      expect(await listed(id, { page, page_size: '4' })).toMatchObject({ status: 404, json: { detail: 'Invalid page.' } })
  })

  it('the calls of a lead are all read, however large, and refused with a 400 when they exceed one answer', async () => {
    const { id } = await created()
    await stored(id, 22, { summary: 'x'.repeat(300_000) })
    expect(await callsOf(id)).toHaveLength(22)
    expect((await listed(id, { page_size: '5' })).json.count).toBe(22)
    expect(await listed(id)).toMatchObject({ status: 400, json: { page_size: [expect.stringMatching(/^These calls are too large/)] } })
  })

  it('the calls of a lead are visible to their owner only', async () => {
    const { id } = await created()
    const [foreign, missing] = [await listed(id, null, OTHER_KEY), await listed(2_000_000_000, null, OTHER_KEY)]
    expect(foreign).toEqual(missing)
    expect(foreign).toMatchObject({ status: 404, json: { detail: 'Not found.' } })
  })

  it('the calls of a lead are not mixed with those of another lead', async () => {
    const leads = await times(3, () => created())
    await Promise.all(leads.map(({ id }, index) => stored(id, index + 1)))
    expect(await Promise.all(leads.map(async ({ id }) => (await listed(id)).json.count))).toEqual([1, 2, 3])
  })
})
