import { describe, expect, it } from '@jest/globals'
import { handler as listCalls } from '#functions/leads/calls.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { ACCEPT, failingAgents } from '#test/support/failing-agents.ts'
import { NOON } from '#test/support/samples.ts'
import { request } from '#test/support/world.ts'

const REASON = 'The provider answered 200 without a provider_call_id: it must answer {"provider_call_id": "p-17"}.'

const { answers, place, dueLead } = failingAgents()
const lines = captureLog()

const latestCall = async (id: number) =>
  (await request(listCalls, { method: 'GET', path: `/api/leads/${id}/calls/`, parameters: { id: `${id}` } })).body.results[0]

const capacityOf = async (id: number) => (await explained(id)).gates.capacity

/** Asks the agent to call a new lead. It answers without an id. */
const askedInVain = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
  answers({ status: 200, body, headers })
  const lead = await dueLead()
  expect(await place([lead.message])).toEqual([0])
  return lead
}

describe('a malformed answer of an agent', () => {
  it.each(['{}', '', '{"provider_call_id": 17}'])(
    'log, call and explanation show at once that an agent answered 200 without a provider_call_id: %j',
    async (body) => {
      const { id } = await askedInVain(body)
      const warnings = lines.map((line) => JSON.parse(line)).filter(({ level, call }) => level === 'WARN' && call === `${id}-1`)
      expect(warnings).toMatchObject([{ message: 'The agent has not confirmed a call.', reason: REASON }])
      expect(await latestCall(id)).toMatchObject({ call_status: 'QUEUED', failure_reason: REASON })
      expect(await capacityOf(id)).toMatchObject({ passed: true, detail: expect.stringContaining(REASON) })
    },
  )

  it("a call whose fate stays unknown names the agent's 200 without a provider_call_id as its reason", async () => {
    const { id, message } = await askedInVain('{}')
    setClock(NOON + 40 * SECOND)
    await place([message])
    expect(await latestCall(id)).toMatchObject({ call_status: 'UNKNOWN', failure_reason: REASON })
  })

  it('the call no longer shows a malformed answer once the agent answers the repeat with an id', async () => {
    const { id, message } = await askedInVain('{}')
    answers(ACCEPT)
    setClock(NOON + 11 * SECOND)
    expect(await place([message])).toEqual([])
    expect(await latestCall(id)).toMatchObject({ call_status: 'DIALING', failure_reason: null })
    expect((await capacityOf(id)).detail).not.toContain('failed')
  })
})

describe("an agent's refusal of a call", () => {
  it("the failure of a call names the media type of an agent's refusal that is not JSON", async () => {
    const { id } = await askedInVain('<!doctype html><title>Welcome</title>', { 'content-type': 'text/html; charset=utf-8' })
    expect((await latestCall(id)).failure_reason).toBe(
      'The provider answered 200, but not with JSON (content type text/html): it must answer {"provider_call_id": "p-17"}.',
    )
  })

  it.each([
    [422, { detail: 'No script for +12125550123.' }, 'The provider answered 422: No script for ***23.'],
    [500, { error: { message: 'Out of lines' } }, 'The provider answered 500: Out of lines'],
    [404, { reasons: ['x'] }, 'The provider answered 404: {"reasons":["x"]}'],
    [422, { message: 'x'.repeat(301) }, `The provider answered 422: ${'x'.repeat(300)}…`],
    [
      401,
      { error: 'bad signature' },
      'The provider answered 401. It refused the signature, perhaps because it has another secret: bad signature',
    ],
    [302, {}, "The provider answered 302. Redirects are not followed: correct the agent's URL."],
    [422, '<html>', 'The provider answered 422.'],
  ])('the failure of a call quotes the refusing agent, and its breaker does not: %s %j', async (status, said, reason) => {
    answers({ status, body: typeof said === 'string' ? said : JSON.stringify(said) })
    const { id, message } = await dueLead()
    await place([message])
    expect((await latestCall(id)).failure_reason).toBe(reason)
    const { detail } = await capacityOf(id)
    for (const words of ['No script', 'Out of lines', 'reasons', 'xxx', 'bad signature']) expect(detail).not.toContain(words)
  })
})
