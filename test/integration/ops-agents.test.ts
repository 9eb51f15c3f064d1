import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import { ANALYSIS_SCHEMA } from '#shared/agents/platforms/analysis.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'
import { startTelnyxEmulator, type TelnyxEmulator } from '#test/support/platforms/telnyx-emulator.ts'
import { TRIAL_PLATFORMS } from '#test/support/platforms/trial-platforms.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { savePlatformAgent } from '#test/support/trial-world.ts'
import { OWNER } from '#test/support/world.ts'

let platform: TelnyxEmulator
const { tool } = opsWorld({ prepare: (ops) => ops.apply(`users: [{ key: acme, id: ${OWNER} }]`) })

const saveOn = async (id: string, name: string, settings: Record<string, string>) => {
  const credentials = await sealCredentials(id, { api_key: 'KEY1', callback_secret: platform.publicKey })
  const onPlatform = {
    name,
    assistant: 'assistant-1',
    from: [CALLER],
    settings,
    credentials,
    credentials_hash: '',
    longest_call_seconds: 600,
  }
  await saveAgent({ id, url: platform.url, secrets: [], platform: onPlatform })
}

beforeAll(async () => {
  const account = { apiKey: 'KEY1', connectionId: '7', assistantId: 'assistant-1', numbers: { [CALLER.number]: 'active' } }
  platform = await startTelnyxEmulator({ ...account, insightSchemas: [ANALYSIS_SCHEMA] })
  await saveOn('voice', 'telnyx', { connection_id: '7' })
  await saveOn('own', 'twilio', { account_sid: 'AC1' })
})
afterAll(() => platform.close())

const toolsIn = (problems: readonly { readonly tool?: string }[]) => problems.map(({ tool }) => tool)

describe('the command agents check', () => {
  const { cleanUp } = cleanUpEach('check')

  it.each(TRIAL_PLATFORMS.filter(({ name }) => ['bland', 'elevenlabs'].includes(name)))(
    'agents check names the command that prints a tool which an assistant on $name lacks, and prints no token',
    async (one) => {
      const emulator = await one.start(Date.now)
      cleanUp(emulator.close)
      const agent = await savePlatformAgent(one, emulator)
      const { out } = await tool().ops(['agents', 'check', agent])
      expect(out).toMatch(new RegExp(`it has no tool do_not_call\\. .*To print the tool, use: npm run ops -- agents tools ${agent}\n`))
      const { out: document } = await tool().ops(['agents', 'check', agent, '--json'])
      for (const printed of [out, document]) expect(printed).not.toMatch(/lot_|Bearer/)
    },
  )

  const check = async () => {
    const { code, out } = await tool().ops(['agents', 'check', 'voice', '--json'])
    expect(code).toBe(1)
    return JSON.parse(out).problems
  }

  it('agents check advises the tool for stops, and those of a calendar when a lead type of the agent has one', async () => {
    expect(toolsIn(await check())).toEqual(['do_not_call'])
    const calendar = { url: 'https://calendar.example.com/', secret: null, representative_field: 'representative' }
    await saveLeadType(sampleLeadType({ id: 90, owner: OWNER, agent: 'own', calendar }))
    expect(toolsIn(await check())).toEqual(['do_not_call'])
    await saveLeadType(sampleLeadType({ id: 91, owner: OWNER, agent: 'voice', calendar }))
    expect(toolsIn(await check())).toEqual(['do_not_call', 'find_slots', 'book_slot'])
    expect(platform.seen.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('the check of an agent with our own protocol', () => {
  it('agents check says of an agent with our own protocol that there is nothing to check', async () => {
    const { code, out } = await tool().ops(['agents', 'check', 'simulator'])
    expect(code).toBe(0)
    expect(out).toContain('There is nothing to check: the agent simulator speaks the protocol of this service')
  })

  it('agents check refuses an agent that does not exist', async () => {
    expect(await tool().ops(['agents', 'check', 'nobody'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no agent nobody.'),
    })
  })
})

describe('the command agents tools', () => {
  it('agents tools prints each tool in the form of the platform', async () => {
    const { code, out } = await tool().ops(['agents', 'tools', 'voice', '--json'])
    expect(code).toBe(0)
    const { tools } = JSON.parse(out)
    expect(Object.keys(tools)).toEqual(['do_not_call', 'note', 'find_slots', 'book_slot'])
    expect(JSON.parse(tools.do_not_call).webhook.url).toBe('http://127.0.0.1:1/api/agents/platforms/voice/tools/do_not_call/')
    const text = (await tool().ops(['agents', 'tools', 'own'])).out
    expect(text).toContain('"name": "report_outcome"')
    expect(text).toMatch(/"authorization": "Bearer lot_[\w-]{43}"/)
    expect(text).not.toContain('KEY1')
  })

  it.each([
    ['nobody', 'There is no agent nobody.'],
    ['simulator', 'is on no platform'],
  ])('agents tools refuses the agent %s', async (agent, message) => {
    const { code, err } = await tool().ops(['agents', 'tools', agent])
    expect(code).toBe(1)
    expect(err).toContain(message)
  })
})
