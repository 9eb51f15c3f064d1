import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readAgent } from '#shared/agents/agent-store.ts'
import { openCredentials } from '#shared/agents/credentials.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { variable } from '#test/support/ops.ts'
import { opsWorld } from '#test/support/ops-world.ts'

const { tool } = opsWorld()

const KEYS = { KEY_1: 'key-1', KEY_2: 'key-2' }

/** A file with the agent and the name of the variable that has its API key. */
const withKey = (name: keyof typeof KEYS) =>
  `agents:\n  - key: moved\n    platform: bland\n    assistant: a-1\n    from: ['+12125550100']\n    api_key: ${variable(name)}\n`

const platform = async () => (await readAgent('moved'))?.platform

describe('apply with another API key of an agent on a voice platform', () => {
  beforeAll(() => void Object.assign(process.env, KEYS))
  afterAll(() => {
    for (const name of Object.keys(KEYS)) delete process.env[name]
  })

  it('the former key stays known for five hours, for requests about calls from before', async () => {
    await tool().apply(withKey('KEY_1'))
    expect((await platform())?.former).toBeUndefined()
    await tool().apply(withKey('KEY_2'))
    const changed = await platform()
    expect(await openCredentials('moved', changed?.former?.credentials ?? '')).toMatchObject({ api_key: 'key-1' })
    expect(await openCredentials('moved', changed?.credentials ?? '')).toMatchObject({ api_key: 'key-2' })
    expect(changed?.former?.until).toBe(now() + 5 * HOUR)

    expect((await tool().apply(withKey('KEY_2'))).out).toContain('1 unchanged')
    expect(await tool().apply(withKey('KEY_2').replace('a-1', 'a-2'))).toMatchObject({ code: 0 })
    expect((await platform())?.former).toEqual(changed?.former)
  })
})
