import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { claimProbe, closeBreaker, countFailure, openBreaker } from '#shared/agents/breaker-store.ts'
import { opening, TRUSTED } from '#shared/agents/rules/breaker.ts'
import { agentsToLookAt } from '#shared/backlog/marks.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { failingAgents } from '#test/support/failing-agents.ts'
import { NOON } from '#test/support/samples.ts'

const { agent, breaker, createLeads, queued, place, placeQueued } = failingAgents()

const attemptsOf = async (ids: readonly number[]) => (await Promise.all(ids.map(getLead))).map((lead) => lead?.attempts)
const isLookedAt = async () => (await agentsToLookAt(NOON + 24 * 60 * MINUTE, 100)).some(({ agent: id }) => id === agent().id)

const countFive = async (of = agent()) => {
  for (let failure = 0; failure < 5; failure++) await countFailure(of, 'It answered 503.')
}

describe('a crash between the fifth failure and the opening of the breaker', () => {
  it.each([false, true])(
    'a crash between the fifth failure and the opening of the breaker stops no later calls (earlier recovery: %s)',
    async (wasBack) => {
      if (wasBack) {
        await countFailure(agent(), 'It answered 503.')
        await closeBreaker(agent().id, NOON)
      }
      await countFive()
      const ids = await createLeads(2)
      await place(await queued())
      expect(await attemptsOf(ids)).toEqual([1, 1])
      expect(await breaker()).toMatchObject({ failures: 0, openings: 0 })
    },
  )

  it('the failure after a crash that prevented an opening opens the breaker and schedules a look at the agent', async () => {
    await countFive()
    expect(await claimProbe(agent().id, '1-1', NOON)).toBe(false)
    const counted = await countFailure(agent(), 'It answered 503.')
    const next = opening(counted, { isProbe: false, failure: 'It failed.', now: NOON })
    expect(next && (await openBreaker(agent().id, counted, { ...next, owner: null }))).toBe(true)
    expect(await isLookedAt()).toBe(true)
  })
})

describe('an agent whose URL changes while its breaker is open', () => {
  it('an agent opens its breaker again when its URL changes, then returns to the old one, and fails once more', async () => {
    const before = { ...agent(), url: 'http://127.0.0.1:2' }
    await countFive(before)
    const read = { ...TRUSTED, failures: 5 }
    await openBreaker(agent().id, read, { openings: 1, open_until: NOON + MINUTE, reason: 'It failed.', owner: null })
    setClock(NOON + 5 * MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(await isLookedAt()).toBe(false)
    const counted = await countFailure(before, 'It answered 503.')
    const next = opening(counted, { isProbe: false, failure: 'It failed.', now: NOON + 5 * MINUTE })
    expect(next && (await openBreaker(agent().id, counted, { ...next, owner: null }))).toBe(true)
    expect(await isLookedAt()).toBe(true)
  })
})
