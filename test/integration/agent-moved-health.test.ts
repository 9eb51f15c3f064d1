import { expect, it } from '@jest/globals'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { setClock } from '#test/support/clock.ts'
import { failingAgents } from '#test/support/failing-agents.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteReceiver } from '#test/support/suite-world.ts'

const { agent, answers, place, dueLead } = failingAgents()
const elsewhere = suiteReceiver(() => ({ status: 500 }))

it('an accepted repeat at the former address does not end the pause of the new address', async () => {
  answers({ status: 500 })
  const { id, message } = await dueLead()
  await place([message])
  const moved = { ...agent(), url: elsewhere().url }
  await saveAgent(moved)
  forgetConfiguration()
  for (let failure = 0; failure < 5; failure++) await countFailure(moved, 'It answered 500.')
  await openBreaker(moved.id, await getBreaker(moved.id), {
    openings: 1,
    open_until: now() + 10 * MINUTE,
    reason: 'It failed.',
    owner: null,
  })
  expect(await getBreaker(moved.id)).toMatchObject({ failures: 5, openings: 1 })
  answers({ body: '{"provider_call_id":"p-1"}' })
  setClock(NOON + 11_000)
  expect(await place([message])).toEqual([])
  expect(await getCall(`${id}-1`)).toMatchObject({ provider_call_id: 'p-1' })
  expect(await getBreaker(moved.id)).toMatchObject({ failures: 5, openings: 1 })
})
