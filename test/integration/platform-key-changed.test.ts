import { describe, expect, it } from '@jest/globals'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'

const world = toolWorld()
const { agentKey, definition, talking, send } = world

describe('an API key that the operator changes during a conversation', () => {
  world.on('twilio')

  it.each([
    ['is taken from the assistant of a call that began before', HOUR, { status: 200, stopped: true }],
    ['is refused once no such call can go on', -1, { status: 401, stopped: false }],
  ])('a stop with the token of the former key %s', async (_, left, outcome) => {
    const { call, lead } = await talking()
    const token = Object(await definition('do_not_call')).request.headers.authorization
    const agent = await readAgent(agentKey())
    if (!agent?.platform) throw new Error('There is no agent.')
    const credentials = await sealCredentials(agent.id, { api_key: `key after ${left}`, callback_secret: null })
    const former = { credentials: agent.platform.credentials, until: now() + left }
    await saveAgent({ ...agent, platform: { ...agent.platform, credentials, former } })
    forgetConfiguration()
    const answer = await send('do_not_call', { call_id: call, channel: 'call', words: 'Stop calling me' }, { token })
    expect({ status: answer.status, stopped: (await leadNow(lead)).call_dnc }).toEqual(outcome)
  })
})
