import { describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { giveName } from '#shared/accounts/names.ts'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { forgetLeft } from '#shared/backlog/marks.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { duringSuite } from '#test/support/during-suite.ts'
import { failingAgents } from '#test/support/failing-agents.ts'
import { leadNow, phoneOf } from '#test/support/lead-requests.ts'
import { startOps } from '#test/support/ops.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { agent, dueLead, place, told, world } = failingAgents()
const tool = duringSuite(startOps, (started) => started.stop())

/** Places calls of an agent that no lead type uses any more. @returns their leads */
const lastCalls = async (count: number): Promise<number[]> => {
  const leads: number[] = []
  for (let call = 0; call < count; call++) {
    const { id, message } = await dueLead()
    await place([message])
    leads.push(id)
  }
  const { id } = agent()
  await giveName({ kind: 'AGENT', keys: [id], id })
  await saveAgent({ id: 'next', url: world().agent.url, secrets: [world().agentSecret] })
  const type = Number(id.split('-')[1])
  for (const owner of [OWNER, 2]) await saveLeadType(sampleLeadType({ id: type, owner, agent: 'next' }))
  return leads
}

const remove = () => tool().apply(`remove: { agents: [${agent().id}] }`)

describe('an agent whose last calls go on', () => {
  it.each([
    [1, '1 call that is not over'],
    [2, '2 calls that are not over'],
  ])('apply does not remove an agent that has calls in progress, and says what to do: %s', async (count, calls) => {
    await lastCalls(count)
    const { code, err } = await remove()
    expect(code).toBe(1)
    expect(err).toContain(
      `remove.agents[0]: The agent ${agent().id} has ${calls}, and without the agent a stop in such a call is lost. ` +
        'Remove the agent when they are over: it gets no more calls, because no lead type uses it.',
    )
    expect(await readAgent(agent().id)).toBeDefined()
  })

  it('a stop that a person asks for in the last call of an agent is taken, and the agent can be removed afterwards', async () => {
    const [lead = 0] = await lastCalls(1)
    await remove()
    await told(`${lead}-1`, 'dnc.requested', { channel: 'call' })
    expect(await phoneOf((await leadNow(lead)).phone_number)).toMatchObject({ call_dnc: true })
    await told(`${lead}-1`, 'call.ended')
    expect((await remove()).code).toBe(1)
    await told(`${lead}-1`, 'call.completed', { outcome: 'do_not_call' })
    expect(await remove()).toMatchObject({ code: 1, err: expect.stringContaining(`A lead type has just left the agent ${agent().id}`) })
    // As the sweep does a minute later.
    await forgetLeft(agent().id, now() + 2 * MINUTE)
    expect(await remove()).toMatchObject({ code: 0, out: expect.stringContaining(`Removed: agent ${agent().id}.`) })
    expect(await readAgent(agent().id)).toBeUndefined()
  })

  it('the calls of other agents do not keep an agent', async () => {
    await lastCalls(1)
    const other = 'other'
    await saveAgent({ ...agent(), id: other })
    await giveName({ kind: 'AGENT', keys: [other], id: other })
    expect((await tool().apply(`remove: { agents: [${other}] }`)).code).toBe(0)
  })
})
