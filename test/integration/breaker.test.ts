import { describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { countFailure, openBreaker } from '#shared/agents/breaker-store.ts'
import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { ACCEPT, failingAgents } from '#test/support/failing-agents.ts'
import { patched, writeUnits } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, OWNER, request } from '#test/support/world.ts'

const { world, agent, breaker, addAgent, answers, createLeads, queued, place, keysAsked, dueLead, fail, open, placeQueued } =
  failingAgents()

describe('a failing agent', () => {
  it.each([500, 301, 404, 200])(
    'a failing agent is not asked to dial during its pause after five answers of %s in a row',
    async (status) => {
      await fail(5, status)
      expect(keysAsked()).toHaveLength(5)
      const { id, message } = await dueLead()
      await place([message])
      expect(keysAsked()).toHaveLength(5)
      expect(await getLead(id)).toMatchObject({
        due_list: 'HELD',
        held_by: agent().id,
        next_call_time: message.due_at,
        next_call_time_reason: 'CAPACITY',
        attempts: 0,
      })
      expect((await breaker()).reason).toMatch(new RegExp(`^The provider answered ${status}.*It has failed for 5 calls in a row.$`))
    },
  )

  it('an agent is paused when it cannot be reached', async () => {
    await addAgent('http://127.0.0.1:1')
    await fail(6)
    expect(await breaker()).toMatchObject({ failures: 5, openings: 1 })
  })

  it.each([422, 400, 202])(
    'an agent is still asked to dial after four failures, an answer of %s, and four more failures',
    async (status) => {
      await fail(4)
      answers(status === 202 ? { ...ACCEPT, status } : { status })
      await place([(await dueLead()).message])
      await fail(4)
      answers(ACCEPT)
      await place([(await dueLead()).message])
      expect(keysAsked()).toHaveLength(10)
      expect(await breaker()).toMatchObject({ failures: 0 })
    },
  )

  it('an agent gets one failure counted when the same call fails three times', async () => {
    answers({ status: 500 })
    const { message } = await dueLead()
    for (const seconds of [1, 11, 21]) {
      setClock(NOON + seconds * SECOND)
      await place([message])
    }
    expect(keysAsked()).toHaveLength(3)
    expect(await breaker()).toMatchObject({ failures: 1 })
  })

  it('an agent is paused once when many calls fail at the same time', async () => {
    answers({ status: 500 })
    await createLeads(12)
    await place(await queued())
    expect(await breaker()).toMatchObject({ openings: 1 })
    expect((await breaker()).open_until).toBeLessThan(now() + 40 * SECOND)
  })

  it('an agent with an open breaker is trusted again at a new URL', async () => {
    const other = { ...agent(), url: 'http://127.0.0.1:2' }
    for (let time = 0; time < 5; time++) await countFailure(other, 'It answered 503.')
    const there = { ...TRUSTED, failures: 5 }
    await openBreaker(agent().id, there, { openings: 1, open_until: NOON + 600 * SECOND, reason: 'It failed.', owner: null })
    await place([(await dueLead()).message])
    expect(keysAsked()).toHaveLength(1)
    await fail(1)
    expect(await breaker()).toMatchObject({ failures: 1, openings: 0, open_until: 0 })
  })

  it('the pause of a failing agent does not hold back the leads of other agents', async () => {
    await open()
    await addAgent()
    await place([(await dueLead()).message])
    expect(keysAsked()).toHaveLength(1)
  })
})

describe('a held lead', () => {
  it('holding a lead costs at most three write units, and neither repeats nor the sweep send the held lead', async () => {
    await open()
    // No other lead waits for a line.
    await updateItem(linesKey(OWNER), { UpdateExpression: 'REMOVE waiting_time' })
    const { id, message } = await dueLead()
    // The lead, and its move from one partition of the due index to another.
    expect(await writeUnits(() => place([message]))).toBeLessThanOrEqual(3)
    const held = await getLead(id)
    expect(await writeUnits(() => place([message, message]))).toBe(0)
    await dispatchDue()
    expect((await queued()).filter(({ type: kind, lead_id }) => kind === 'dial' && lead_id === id)).toEqual([])
    expect(await getLead(id)).toEqual(held)
  })

  it('a lead held by a breaker is dialled when it moves to a lead type of another agent', async () => {
    await open()
    const { id, message } = await dueLead()
    await place([message])
    const type = await addAgent()
    await patched(id, { lead_type: type })
    expect(await getLead(id)).toMatchObject({ due_list: 'CALL', held_by: null, next_call_time: message.due_at })
    await placeQueued()
    expect(keysAsked()).toEqual([`${id}-1`])
  })

  it('a lead held by a breaker is not dialled when its window has ended before the release', async () => {
    await open()
    const { id, message } = await dueLead()
    await place([message])
    setClock(Date.parse('2026-11-21T03:00:00Z'))
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toEqual([])
    expect(await getLead(id)).toMatchObject({
      due_list: 'CALL',
      held_by: null,
      next_call_time: Date.parse('2026-11-21T13:00:00Z'),
      next_call_time_reason: 'OUTSIDE_WINDOW',
    })
  })

  it('a lead held by a breaker is not dialled once it is stopped', async () => {
    await open()
    const { id, message } = await dueLead()
    await place([message])
    await patched(id, { status: 'CANCELLED' })
    setClock(NOON + 60 * SECOND)
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toEqual([])
  })
})

describe('a healthy agent', () => {
  it('a call to a healthy agent costs one write unit less than a call after a failure', async () => {
    // It is new no longer: nobody looks for leads that were held because it was not there.
    setClock(NOON + 120 * SECOND)
    await dispatchDue()
    await placeQueued()
    /** Least of three: on a busy machine, a request may time out, and its repeat costs writes too. */
    const least = async (before: () => Promise<unknown>): Promise<number> => {
      const units: number[] = []
      for (let time = 0; time < 3; time++) {
        const { id, message } = await dueLead()
        await before()
        units.push(await writeUnits(() => place([message])))
        await request(report, agentReport(world().agentSecret, `${id}-1`, 'call.completed', { outcome: 'no_answer' }))
      }
      return Math.min(...units)
    }
    const trusted = await least(async () => {})
    expect((await least(() => countFailure(agent(), 'It answered 503.'))) - trusted).toBe(1)
  })
})
