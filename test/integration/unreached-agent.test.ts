import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { handler as listCalls } from '#functions/leads/calls.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { agentsToLookAt } from '#shared/backlog/marks.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { dieAfter } from '#test/support/die-after.ts'
import { failingAgents } from '#test/support/failing-agents.ts'
import { phoneOf } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { request } from '#test/support/world.ts'

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'

const { agent, breaker, addAgent, answers, queued, place, dueLead, placeQueued, told } = failingAgents()

/** A port at which nobody listens any more. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const isLookedAt = async () => (await agentsToLookAt(NOON + 24 * 60 * MINUTE, 100)).some(({ agent: id }) => id === agent().id)

const callsOf = async (id: number) =>
  (await request(listCalls, { method: 'GET', path: `/api/leads/${id}/calls/`, parameters: { id: `${id}` } })).body.results

const sweep = async (instant: number): Promise<void> => {
  setClock(instant)
  await dispatchDue()
  await placeQueued()
}

describe('a service whose clock was moved', () => {
  const move = (milliseconds: number | undefined) => {
    if (milliseconds === undefined) delete process.env['CLOCK_OFFSET_MS']
    else process.env['CLOCK_OFFSET_MS'] = `${milliseconds}`
  }
  afterEach(() => move(undefined))

  it('a service with a moved clock calls nobody through an agent on another machine, and says why', async () => {
    await addAgent('https://agent.example.com/calls')
    const { id, message } = await dueLead()
    move(HOUR)
    await place([message])
    expect(await callsOf(id)).toMatchObject([{ call_status: 'FAILED', failure_reason: expect.stringContaining('was moved with --now') }])
    expect(await getLead(id)).toMatchObject({ due_list: 'HELD', held_by: agent().id, round_attempts: 0 })
  })

  it('a service with a moved clock calls through an agent on this machine', async () => {
    await addAgent(NOWHERE)
    const { id, message } = await dueLead()
    move(HOUR)
    await place([message])
    expect(await callsOf(id)).toMatchObject([{ failure_reason: expect.stringContaining('ECONNREFUSED') }])
  })
})

describe('an agent whose address refuses the connection', () => {
  it('an agent that refuses the connection costs no attempt: the lead keeps its turn and waits', async () => {
    await addAgent(NOWHERE)
    const { id, message } = await dueLead()
    expect(await place([message])).toEqual([])
    expect(await getCall(`${id}-1`)).toMatchObject({ refused_time: expect.any(Number), settled_time: expect.any(Number) })
    const lead = (await getLead(id))!
    expect(lead).toMatchObject({
      status: 'OPEN',
      due_list: 'HELD',
      held_by: agent().id,
      next_call_time: message.due_at,
      next_call_time_reason: 'CAPACITY',
      round_attempts: 0,
      refusals: 0,
      current_call: null,
    })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: null, attempts: [] })
    expect(await hasLine(`${id}-1`)).toBe(false)
    expect(await callsOf(id)).toMatchObject([
      { call_status: 'FAILED', outcome: null, failure_reason: expect.stringContaining('ECONNREFUSED') },
    ])
  })

  it('an agent that refused the connection is asked within a minute of its return, before its breaker ever opened', async () => {
    const port = await freePort()
    await addAgent(`http://127.0.0.1:${port}`)
    const { id, message } = await dueLead()
    await place([message])
    expect(await breaker()).toMatchObject({ failures: 1, openings: 0 })
    const asked: string[] = []
    const server = createServer((incoming, response) => {
      asked.push(`${incoming.headers['idempotency-key']}`)
      response.end('{"provider_call_id":"p-1"}')
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    await sweep(NOON + MINUTE)
    server.close()
    expect(asked).toEqual([`${id}-2`])
    expect(await getLead(id)).toMatchObject({ current_call: `${id}-2`, round_attempts: 1 })
    expect(await callsOf(id)).toMatchObject([{ call_status: 'DIALING', failure_reason: null }, { call_status: 'FAILED' }])
  })

  it('an agent that refuses connections opens its breaker, and costs the lead no attempt in thirty minutes', async () => {
    await addAgent(NOWHERE)
    const { id, message } = await dueLead()
    await place([message])
    for (let minute = 1; minute <= 30; minute++) await sweep(NOON + minute * MINUTE)
    expect(await breaker()).toMatchObject({ openings: expect.any(Number) })
    expect((await breaker()).openings).toBeGreaterThan(0)
    const waiting = { status: 'OPEN', due_list: 'HELD', next_call_time: message.due_at, round_attempts: 0, refusals: 0 }
    expect(await getLead(id)).toMatchObject(waiting)
  })

  it('the sweep checks an agent that refused the connection, after a crash at any write', async () => {
    for (let writes = 1; ; writes++) {
      setClock(NOON)
      await addAgent(NOWHERE)
      const { id, message } = await dueLead()
      setClock(NOON + 1000)
      const isDead = await dieAfter(writes, () => place([message]))
      await queued()
      if (isDead && (await getCall(`${id}-1`))?.refused_time) {
        setClock(NOON + 2 * MINUTE)
        await dispatchDue()
        await place((await queued()).filter(({ type }) => type === 'watch'))
        expect({ writes, ...(await getLead(id)) }).toMatchObject({ due_list: 'HELD', held_by: agent().id })
        expect({ writes, isLookedAt: await isLookedAt() }).toEqual({ writes, isLookedAt: true })
      }
      if (!isDead) break
    }
  })

  it('an agent that refuses the connection after an unclear answer leaves the phone taken', async () => {
    answers({ status: 500 })
    const { id, message } = await dueLead()
    expect(await place([message])).toEqual([0])
    await saveAgent({ ...agent(), url: NOWHERE })
    setClock(NOON + 11_000)
    expect(await place([message])).toEqual([0])
    expect(await getCall(`${id}-1`)).toMatchObject({ refused_time: null })
    setClock(NOON + 40_000)
    await place([message])
    const call = (await getCall(`${id}-1`))!
    expect(call).toMatchObject({ unknown_time: expect.any(Number) })
    expect(await phoneOf(call.phone_number)).toMatchObject({ current_call: `${id}-1` })
    expect(await callsOf(id)).toMatchObject([{ call_status: 'UNKNOWN', failure_reason: expect.any(String) }])
    await told(`${id}-1`, 'call.completed', { outcome: 'completed' }, 0, { provider_call_id: 'p-1' })
    expect(await callsOf(id)).toMatchObject([{ call_status: 'COMPLETED', failure_reason: null }])
  })
})
