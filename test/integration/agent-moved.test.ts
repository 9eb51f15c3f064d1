import { describe, expect, it } from '@jest/globals'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { setClock } from '#test/support/clock.ts'
import { failingAgents } from '#test/support/failing-agents.ts'
import { patched } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteReceiver } from '#test/support/suite-world.ts'

const { agent, answers, queued, place, placeQueued, dueLead, keysAsked, world } = failingAgents()
const elsewhere = suiteReceiver(() => ({ body: '{"provider_call_id":"p-2"}' }))

/** The operator gives the agent another address. */
const move = async (): Promise<void> => {
  elsewhere().requests.length = 0
  await saveAgent({ ...agent(), url: elsewhere().url })
  forgetConfiguration()
}

describe('an agent whose address the operator changes during a call', () => {
  it('a request with an unclear answer is repeated only at the address that got it first', async () => {
    answers({ status: 500 })
    const { id, message } = await dueLead()
    const before = keysAsked().length
    expect(await place([message])).toEqual([0])
    await move()
    answers({ body: '{"provider_call_id":"p-1"}' })
    setClock(NOON + 11_000)
    expect(await place([message])).toEqual([])
    expect(keysAsked().slice(before)).toEqual([`${id}-1`, `${id}-1`])
    expect(elsewhere().requests).toEqual([])
    expect(await getCall(`${id}-1`)).toMatchObject({ provider_call_id: 'p-1' })
  })

  it('a stop cancels a ringing call at the address that placed it', async () => {
    const { id, message } = await dueLead()
    await place([message])
    await queued()
    world().agent.requests.length = 0
    await move()
    await patched(id, { call_dnc: true })
    await placeQueued()
    expect(world().agent.requests.map(({ path }) => path)).toEqual(['/cancel'])
    expect(elsewhere().requests).toEqual([])
    expect(await getCall(`${id}-1`)).toMatchObject({ cancel_asked_time: NOON })
  })
})
