import { describe, expect, it } from '@jest/globals'
import type { Agent, Assistant } from '#shared/accounts/configuration.ts'
import { adapterOf, PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'
import { addressOf, agentOfCall, isElsewhere } from '#shared/agents/rules/agent-address.ts'

const URL_OF_AGENT = 'https://agent.example.com/'
const open: Agent = { id: 'voice', url: URL_OF_AGENT, secrets: ['one'] }

const onPlatform = (name: string, changes: Partial<Assistant> = {}, url = 'https://api.example.com'): Agent => {
  const required = Object.entries(adapterOf(name)?.settings ?? {}).filter(([, { isOptional }]) => !isOptional)
  const settings = Object.fromEntries(required.map(([setting]) => [setting, 'one']))
  const platform = { name, assistant: 'one', from: [], credentials: 'sealed', credentials_hash: 'one', settings, longest_call_seconds: 600 }
  return { id: 'voice', url, secrets: [], platform: { ...platform, ...changes } }
}

describe('the address of an agent', () => {
  it('an agent of our own protocol has its URL as its address, whatever its secrets are', () => {
    expect([open, { ...open, secrets: ['two'] }].map(addressOf)).toEqual([URL_OF_AGENT, URL_OF_AGENT])
  })

  it.each(PLATFORM_NAMES)('an agent on %s has another address at another URL and on another account', (name) => {
    const { settings = {} } = onPlatform(name).platform ?? {}
    const others = Object.keys(settings).map((setting) => onPlatform(name, { settings: { ...settings, [setting]: 'two' } }))
    if (others.length === 0) others.push(onPlatform(name, { credentials_hash: 'two' }))
    const all = [onPlatform(name), onPlatform(name, {}, 'https://api.example.org'), ...others].map(addressOf)
    expect(new Set(all).size).toBe(2 + others.length)
  })

  it.each(PLATFORM_NAMES)('an agent on %s keeps its address with another assistant, other numbers and other optional settings', (name) => {
    const optional = Object.entries(adapterOf(name)?.settings ?? {}).filter(([, { isOptional }]) => isOptional)
    const settings = { ...onPlatform(name).platform?.settings, ...Object.fromEntries(optional.map(([setting]) => [setting, 'two'])) }
    const other = onPlatform(name, {
      assistant: 'two',
      from: [{ number: '+12125550100', id: null }],
      settings,
      credentials: 'sealed again',
    })
    expect(addressOf(other)).toBe(addressOf(onPlatform(name)))
  })

  it.each(['connect', 'telnyx', 'twilio'])('a new secret of an agent on %s does not look like another account', (name) => {
    expect(addressOf(onPlatform(name, { credentials_hash: 'two' }))).toBe(addressOf(onPlatform(name)))
  })
})

describe('the agent of a call', () => {
  it('a call of our own protocol keeps its address when the agent gets another one', () => {
    const moved = agentOfCall({ ...open, url: 'https://agent.example.org/' }, { agent_address: URL_OF_AGENT })
    expect(moved).toEqual(open)
    expect(isElsewhere(moved, { agent_address: URL_OF_AGENT })).toBe(false)
  })

  it('no request with an API key goes to a former address of a platform', () => {
    const [former, agent] = [onPlatform('vapi', {}, 'https://api.example.org'), onPlatform('vapi')]
    const call = { agent_address: addressOf(former) }
    expect(agentOfCall(agent, call)).toEqual(agent)
    expect(isElsewhere(agent, call)).toBe(true)
  })

  it('an agent is elsewhere after it moved from a platform to our own protocol, or the other way', () => {
    const [before, after] = [{ agent_address: addressOf(onPlatform('vapi')) }, { agent_address: URL_OF_AGENT }]
    expect(isElsewhere(agentOfCall(open, before), before)).toBe(true)
    expect(isElsewhere(agentOfCall(onPlatform('vapi'), after), after)).toBe(true)
  })

  it('an agent is not elsewhere for a call without an address', () => {
    const call = { agent_address: null }
    expect(agentOfCall(open, call)).toEqual(open)
    expect(isElsewhere(open, call)).toBe(false)
  })
})
