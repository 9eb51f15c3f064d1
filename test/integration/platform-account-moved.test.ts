import { describe, expect, it } from '@jest/globals'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { patch, phoneOf } from '#test/support/lead-requests.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'
import { suiteReceiver } from '#test/support/suite-world.ts'

const world = toolWorld()
const { agentKey, platform, called, talking, place } = world

const moveTo = async (url: string): Promise<void> => {
  await saveAgent({ ...(await readAgent(agentKey()))!, url })
  forgetConfiguration()
}

/** The operator moves the agent to another account. */
const change = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const agent = (await readAgent(agentKey()))!
  await saveAgent({ ...agent, platform: { ...agent.platform!, settings } })
  forgetConfiguration()
}

describe('an agent on Telnyx whose account the operator changes during a call', () => {
  world.on('telnyx')

  it.each([
    ['is not repeated on another account', '999', 1, { accepted_time: null, unknown_time: expect.any(Number) }],
    ['is repeated on the same account', undefined, 2, { accepted_time: expect.any(Number), unknown_time: null }],
  ])('a request with an unclear answer %s', async (_, connection, requests, milestones) => {
    platform().dialFault = 'lost-after'
    platform().callbackFault = 'lost'
    const { call } = await called('0000')
    if (connection !== undefined) await change({ connection_id: connection })
    passTime(10 * SECOND)
    await place([{ type: 'watch', call_id: call }])
    expect(platform().seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/calls'))).toHaveLength(requests)
    expect(await getCall(call)).toMatchObject(milestones)
  })
})

/** The API of another account, which does not know the calls of the first one. */
const otherAccount = suiteReceiver(() => ({ status: 404, body: '{"code":20404,"message":"not found"}' }))

describe('an agent on Twilio whose account the operator changes during a call', () => {
  world.on('twilio')

  it.each([
    ['the phone stays taken while the person talks', false],
    ['the phone stays taken while the person talks, although another account does not know the call', true],
  ])('%s', async (_, isMoved) => {
    const { call, phone } = await talking()
    const began = now()
    if (isMoved) await moveTo(otherAccount().url)
    for (const minutes of [11, 12, 35]) {
      setClock(began + minutes * MINUTE)
      await place([{ type: 'watch', call_id: call }])
    }
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    expect(await getCall(call)).toMatchObject({ unknown_time: null, ended_time: null })
  })

  it('a call becomes unknown after half an hour in which only another account answered', async () => {
    const { call, phone } = await talking()
    await moveTo(otherAccount().url)
    setClock(now() + 41 * MINUTE)
    await place([{ type: 'watch', call_id: call }])
    expect(await getCall(call)).toMatchObject({ unknown_time: now() })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
  })

  it.each([
    ['a ringing call', '0008', [0]],
    ['a conversation', '0009', []],
  ])('the cancel of %s is tried again while only another account answers', async (_, lastFour, again) => {
    const { lead, call } = await called(lastFour)
    await world.deliver()
    await moveTo(otherAccount().url)
    await patch(lead, { call_dnc: true })
    const messages = await world.queued()
    otherAccount().requests.length = 0
    expect(await place(messages)).toEqual(again)
    expect(otherAccount().requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(await getCall(call)).toMatchObject({ cancel_asked_time: null })
    passTime(30 * SECOND)
    await place([{ type: 'watch', call_id: call }])
    expect(otherAccount().requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })
})
