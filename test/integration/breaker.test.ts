import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as update } from '#functions/leads/update/index.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { now } from '#shared/adapters/clock.ts'
import { saveAgent } from '#shared/storage/agents.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/storage/breakers.ts'
import { consumed } from '#shared/storage/capacity.ts'
import { saveLeadType } from '#shared/storage/lead-types.ts'
import { getLead } from '#shared/storage/leads.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { agentReport, consumeAll, KEY, OTHER_KEY, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }
const SECOND = 1000

let answer: ReceiverAnswer | (() => ReceiverAnswer)
let world: Awaited<ReturnType<typeof startWorld>>
let nextPhone = 1000
let type = 100

beforeAll(async () => {
  world = await startWorld(() => (typeof answer === 'function' ? answer() : answer))
})
afterAll(() => world.stop())

const agentNow = () => `agent-${type}`

/** An agent at the address of the world's, and lead types of both users that it serves. */
const addAgent = async (id: number): Promise<void> => {
  await saveAgent({ id: `agent-${id}`, url: world.agent.url, secrets: [world.agentSecret] })
  for (const owner of [OWNER, 2]) await saveLeadType(sampleLeadType({ id, owner, agent: `agent-${id}` }))
}

beforeEach(async () => {
  answer = ACCEPT
  setClock(NOON)
  leads.clear()
  type++
  await addAgent(type)
  await world.queues.take('CALL_QUEUE_URL')
  world.agent.requests.length = 0
})

const createLead = async (body: Record<string, unknown> = {}, key = KEY) => {
  const made = await request(create, {
    method: 'POST',
    path: '/api/leads/',
    headers: { Authorization: `Token ${key}` },
    body: { phone_number: `+1212555${nextPhone++}`, timezone: 'America/New_York', lead_type: type, ...body },
  })
  expect(made.status).toBe(201)
  leads.add(made.body.id)
  return made.body
}

/** Leads of the test. Messages of earlier ones that were held back arrive whenever they do. */
const leads = new Set<number>()
const isOfTest = ({ agent, lead_id, call_id }: { agent?: string; lead_id?: number; call_id?: string }): boolean =>
  agent === undefined ? leads.has(lead_id ?? Number.parseInt(call_id ?? '', 10)) : agent === agentNow()

const queued = async () => (await world.queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body)).filter(isOfTest)
const place = (messages: readonly unknown[]) => consumeAll(placeCall, messages)
const asked = () => world.agent.requests.map(({ headers }) => `${headers['idempotency-key']}`)

/** A lead and the message that it is due. */
const dueLead = async (key = KEY) => {
  const { id } = await createLead({}, key)
  const messages = await queued()
  const message = messages.find(({ lead_id }) => lead_id === id)
  expect({ id, messages, isSent: message !== undefined }).toMatchObject({ isSent: true })
  return { id, message }
}

const fail = async (times: number, status = 500): Promise<void> => {
  answer = { status }
  for (let time = 0; time < times; time++) await place([(await dueLead()).message])
}

/** Gives the agent up, and forgets what was asked until then. */
const open = async (): Promise<void> => {
  await fail(5)
  expect((await getBreaker(agentNow())).open_until).toBeGreaterThan(NOON)
  world.agent.requests.length = 0
  answer = ACCEPT
}

/** However long the test has taken until here. */
const pauseIsOver = async (): Promise<void> => setClock((await getBreaker(agentNow())).open_until + SECOND)

/** Hands on whatever the queue holds until nothing more comes. */
const settle = async (): Promise<unknown[]> => {
  const all: unknown[] = []
  for (let messages = await queued(); messages.length > 0; messages = await queued()) {
    all.push(...messages)
    await place(messages)
  }
  return all
}

const writesOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = consumed.write
  await run()
  return consumed.write - before
}

describe('an agent that fails', () => {
  it.each([500, 301, 404, 200])('five times in a row with %s is not asked again before its pause is over', async (status) => {
    await fail(5, status)
    expect(asked()).toHaveLength(5)
    const { id, message } = await dueLead()
    await place([message])
    expect(asked()).toHaveLength(5)
    expect(await getLead(id)).toMatchObject({
      due_list: 'HELD',
      held_by: agentNow(),
      next_call_time: message.due_at,
      next_call_time_reason: 'CAPACITY',
      attempts: 0,
    })
    expect((await getBreaker(agentNow())).reason).toMatch(
      new RegExp(`^The provider answered ${status}.*It has failed for 5 calls in a row.$`),
    )
  })

  it('that cannot be reached is one, too', async () => {
    await saveAgent({ id: `agent-${type + 1}`, url: 'http://127.0.0.1:1', secrets: [world.agentSecret] })
    await saveLeadType(sampleLeadType({ id: ++type, agent: agentNow() }))
    await fail(6)
    expect(await getBreaker(agentNow())).toMatchObject({ failures: 5, openings: 1 })
  })

  it.each([422, 400, 202])('less often, or with a %s between, is asked', async (status) => {
    await fail(4)
    if (status === 202) answer = { status, body: `${ACCEPT.body}` }
    else answer = { status }
    await place([(await dueLead()).message])
    await fail(4)
    answer = ACCEPT
    await place([(await dueLead()).message])
    expect(asked()).toHaveLength(10)
    expect(await getBreaker(agentNow())).toMatchObject({ failures: 0 })
  })

  it('for one call only, asked for it three times, goes on being asked for others', async () => {
    answer = { status: 500 }
    const { message } = await dueLead()
    for (const seconds of [1, 11, 21]) {
      setClock(NOON + seconds * SECOND)
      await place([message])
    }
    expect(asked()).toHaveLength(3)
    expect(await getBreaker(agentNow())).toMatchObject({ failures: 1 })
  })

  it('to many at once pauses once, and for as long as one', async () => {
    answer = { status: 500 }
    for (let lead = 0; lead < 12; lead++) await createLead()
    await place(await queued())
    expect(await getBreaker(agentNow())).toMatchObject({ openings: 1 })
    expect((await getBreaker(agentNow())).open_until).toBeLessThan(now() + 40 * SECOND)
  })

  it('is trusted at another address', async () => {
    const other = { id: agentNow(), url: 'http://127.0.0.1:2', secrets: ['whsec_AAAA'] }
    for (let time = 0; time < 5; time++) await countFailure(other)
    const there = { failures: 5, openings: 0, open_until: 0, reason: '', probe: null }
    await openBreaker(agentNow(), there, { openings: 1, open_until: NOON + 600 * SECOND, reason: 'It failed.' })
    await place([(await dueLead()).message])
    expect(asked()).toHaveLength(1)
    await fail(1)
    expect(await getBreaker(agentNow())).toMatchObject({ failures: 1, openings: 0, open_until: 0 })
  })

  it('leaves the leads of other agents alone', async () => {
    await open()
    type++
    await addAgent(type)
    await place([(await dueLead()).message])
    expect(asked()).toHaveLength(1)
  })
})

describe('a held lead', () => {
  it('costs one write, and nothing more: no repeat, no sweep and no free line sends it', async () => {
    await open()
    const { id, message } = await dueLead()
    // The lead, and its move from one partition of the due index to another.
    expect(await writesOf(() => place([message]))).toBeLessThanOrEqual(3)
    const held = await getLead(id)
    expect(await writesOf(() => place([message, message]))).toBe(0)
    await dispatchDue()
    expect((await queued()).filter(({ type: kind, lead_id }) => kind === 'dial' && lead_id === id)).toEqual([])
    expect(await getLead(id)).toEqual(held)
  })

  it('leaves with its lead type', async () => {
    await open()
    const { id, message } = await dueLead()
    await place([message])
    await addAgent(++type)
    await request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body: { lead_type: type } })
    expect(await getLead(id)).toMatchObject({ due_list: 'CALL', held_by: null, next_call_time: message.due_at })
    await settle()
    expect(asked()).toEqual([`${id}-1`])
  })

  it('is not dialled when its window has ended meanwhile', async () => {
    await open()
    const { id, message } = await dueLead()
    await place([message])
    setClock(Date.parse('2026-11-21T03:00:00Z'))
    await dispatchDue()
    await settle()
    expect(asked()).toEqual([])
    expect(await getLead(id)).toMatchObject({
      due_list: 'CALL',
      held_by: null,
      next_call_time: Date.parse('2026-11-21T13:00:00Z'),
      next_call_time_reason: 'OUTSIDE_WINDOW',
    })
  })

  it('is not dialled once it is stopped', async () => {
    await open()
    const { id, message } = await dueLead()
    await place([message])
    await request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body: { status: 'CANCELLED' } })
    setClock(NOON + 60 * SECOND)
    await dispatchDue()
    await settle()
    expect(asked()).toEqual([])
  })
})

describe('when the pause is over', () => {
  const holdSome = async (count: number): Promise<number[]> => {
    const ids: number[] = []
    for (let lead = 0; lead < count; lead++) ids.push((await createLead()).id)
    await place(await queued())
    for (const id of ids) expect(await getLead(id)).toMatchObject({ due_list: 'HELD' })
    return ids
  }

  it('of many at once exactly one dials, and its failure makes the pause twice as long', async () => {
    await open()
    await holdSome(4)
    const fresh: unknown[] = []
    for (let lead = 0; lead < 6; lead++) fresh.push((await dueLead()).message)
    answer = { status: 500 }
    const first = (await getBreaker(agentNow())).open_until
    await pauseIsOver()
    await dispatchDue()
    await place([...(await queued()), ...fresh])
    await place(await queued())
    expect(asked()).toHaveLength(1)
    const { openings, open_until } = await getBreaker(agentNow())
    expect(openings).toBe(2)
    expect(open_until - first).toBeGreaterThan(60 * SECOND)
    expect(open_until - first).toBeLessThan(120 * SECOND)
    setClock(first + 45 * SECOND)
    await dispatchDue()
    await place((await queued()).filter(({ type: kind }) => kind !== 'watch'))
    expect(asked()).toHaveLength(1)
  })

  it('a call that is accepted ends it: everybody who is held is sent', async () => {
    await open()
    const ids = await holdSome(5)
    const other = await dueLead(OTHER_KEY)
    await place([other.message])
    await pauseIsOver()
    await dispatchDue()
    await settle()
    const all = [...ids, other.id].map((id) => `${id}-1`)
    expect(
      asked()
        .filter((key) => all.includes(key))
        .toSorted(),
    ).toEqual(all.toSorted())
    expect(await getBreaker(agentNow())).toMatchObject({ failures: 0, openings: 0, open_until: 0, probe: null })
    setClock(NOON + 200 * SECOND)
    await dispatchDue()
    await settle()
    await dispatchDue()
    expect((await queued()).filter(({ agent }) => agent === agentNow())).toEqual([])
  })

  it('what a crash lost of that is done by the sweep', async () => {
    await open()
    const ids = await holdSome(3)
    await pauseIsOver()
    await dispatchDue()
    await place((await queued()).filter(({ agent }) => agent === agentNow()))
    const [probe] = await queued()
    await place([probe])
    // The message that releases the others goes astray.
    expect((await queued()).map(({ type: kind }) => kind)).toEqual(['release'])
    expect(asked()).toHaveLength(1)
    setClock(NOON + 60 * SECOND)
    await dispatchDue()
    await settle()
    expect(asked()).toEqual(expect.arrayContaining(ids.map((id) => `${id}-1`)))
  })

  it('a probe that comes to nothing is followed by another', async () => {
    await open()
    const ids = await holdSome(2)
    await pauseIsOver()
    // The agent does not say: neither back nor down.
    answer = { status: 409 }
    await dispatchDue()
    await place((await queued()).filter(({ agent }) => agent === agentNow()))
    await place(await queued())
    // Whichever of the two comes first.
    expect(asked()).toHaveLength(1)
    const other = ids.map((id) => `${id}-1`).find((key) => !asked().includes(key))
    answer = ACCEPT
    await pauseIsOver()
    await dispatchDue()
    await settle()
    expect(asked()).toContain(other)
  })

  it('the next call to be due is as good a probe as any', async () => {
    await open()
    await pauseIsOver()
    await place([(await dueLead()).message])
    expect(asked()).toHaveLength(1)
    expect(await getBreaker(agentNow())).toMatchObject({ failures: 0 })
  })
})

describe('an agent that answers as it should', () => {
  it('costs no write', async () => {
    // It is new no longer: nobody looks for leads that were held because it was not there.
    setClock(NOON + 120 * SECOND)
    await dispatchDue()
    await settle()
    const one = await dueLead()
    const two = await dueLead()
    const trusted = await writesOf(() => place([one.message]))
    await countFailure({ id: agentNow(), url: world.agent.url, secrets: [world.agentSecret] })
    const doubted = await writesOf(() => place([two.message]))
    expect(doubted - trusted).toBe(1)
    await request(report, agentReport(world.agentSecret, `${one.id}-1`, 'call.completed', { outcome: 'no_answer' }))
  })
})
