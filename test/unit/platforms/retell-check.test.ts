import { describe, expect, it } from '@jest/globals'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { checkRetell } from '#shared/agents/platforms/retell/check.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { offeredTools } from '#test/support/platforms/offered-tools.ts'
import { startRetellEmulator } from '#test/support/platforms/retell-emulator.ts'

const URL = 'https://leads.example.com/agents/voice/events/'

const CONNECTION: Connection = { api: '', assistant: 'agent_1', apiKey: 'key_test', callbackSecret: null, settings: {} }
const STOP = { type: 'custom', name: 'do_not_call', url: URL }
const AGENT = {
  post_call_analysis_data: [{ type: 'enum', name: 'outcome', choices: SPOKEN_OUTCOMES }],
  voicemail_option: { action: { type: 'hangup' } },
  response_engine: { type: 'retell-llm', llm_id: 'llm_1', version: 2 },
}

const check = async (agent: object, engine: unknown, account: Partial<Connection> = {}, from = '+12125550100') => {
  const emulator = await startRetellEmulator({ agents: { agent_1: { ...AGENT, ...agent } }, engines: { llm_1: engine } })
  const connection = { ...CONNECTION, api: emulator.url, ...account }
  const advice = await checkRetell(ask, connection, [{ number: from, id: null }], URL, offeredTools('do_not_call'))
  await emulator.close()
  expect(emulator.seen.every(({ method }) => method === 'GET')).toBe(true)
  return { advice, seen: emulator.seen.map(({ path }) => path) }
}

const problems = async (...given: Parameters<typeof check>) => (await check(...given)).advice.map(({ problem }) => problem)

describe('a check of Retell', () => {
  it('the check of a Retell account finds nothing when all is well', async () => {
    const { advice, seen } = await check({}, { general_tools: [STOP] }, { settings: { agent_version: 'prod' } })
    expect(advice).toEqual([])
    expect(seen).toEqual(['/get-agent/agent_1?version=prod', '/get-retell-llm/llm_1?version=2', '/get-phone-number/%2B12125550100'])
  })

  it('the check of a Retell account looks for functions in states and nodes too', async () => {
    expect(await problems({}, { states: [{ name: 'a', tools: [STOP] }] })).toEqual([])
    const response_engine = { type: 'conversation-flow', conversation_flow_id: 'llm_1' }
    expect(await problems({ response_engine }, { nodes: [{ type: 'subagent', tools: [STOP] }] })).toEqual([])
  })

  it('the check of a Retell account cannot see the functions of a customer model', async () => {
    expect(await problems({ response_engine: { type: 'custom-llm' } }, undefined)).toEqual([])
  })

  it('the check of a Retell account says only that the key is wrong when it is wrong', async () => {
    expect(await problems({}, {}, { apiKey: 'key_wrong' })).toEqual([
      'Retell rejects the API key. Copy the key that has the webhook badge.',
    ])
  })

  it('the check of a Retell account names an unknown assistant and a number that the account lacks', async () => {
    expect(await problems({}, {}, { assistant: 'agent_9' }, '+12125550199')).toEqual([
      'Retell does not have the assistant agent_9. Copy its agent ID.',
      'Retell does not have the number +12125550199. Buy it there, import it, or remove it from this agent.',
    ])
  })

  it.each([[null], [[]], [[{ name: 'outcome', choices: ['completed'] }]], ['broken']])(
    'the check of a Retell account gives the fields to add when the analysis is %j',
    async (post_call_analysis_data) => {
      const { advice } = await check({ post_call_analysis_data }, { general_tools: [STOP] })
      expect(advice).toEqual([
        {
          problem: 'The assistant does not tell the outcome of a call. Add these fields to its post_call_analysis_data.',
          paste: expect.any(String),
        },
      ])
      const [outcome] = JSON.parse(advice[0]!.paste!)
      expect(outcome).toMatchObject({ type: 'enum', name: 'outcome', choices: [...SPOKEN_OUTCOMES] })
    },
  )

  it('the check of a Retell account gives a voicemail option when there is none', async () => {
    const { advice } = await check({ voicemail_option: null }, { general_tools: [STOP] })
    expect(advice).toEqual([{ problem: expect.stringContaining('Voicemail detection is off'), paste: '{"action":{"type":"hangup"}}' }])
  })

  it('the check of a Retell account names the function that the assistant lacks', async () => {
    const { advice } = await check({}, { general_tools: [{ type: 'end_call', name: 'do_not_call' }] })
    expect(advice).toEqual([
      { problem: expect.stringContaining('it has no tool do_not_call. Add it as a custom function.'), tool: 'do_not_call' },
    ])
  })

  it('the check of a Retell account names a function that calls another URL or sends too little', async () => {
    const note = { ...STOP, name: 'note', url: 'https://other.example.com/', args_at_root: true }
    expect(await problems({}, { general_tools: [STOP, note] })).toEqual([
      'The function note calls https://other.example.com/. Let it call this URL.',
      'The function note sends its arguments only. Switch off "Payload: args only".',
    ])
  })

  it('the check of a Retell account says that the functions could not be read', async () => {
    expect(await problems({}, undefined)).toEqual(['Retell answered 422 about the functions of the assistant. Check again later.'])
  })

  it.each([
    [200, '<html>'],
    [302, ''],
    [500, '{}'],
  ])('the check of a Retell account does not fail at an answer of %d with %j', async (status, text) => {
    const advice = await checkRetell(async () => ({ status, text }), CONNECTION, [], URL, [])
    expect(advice).toEqual([{ problem: expect.stringContaining(`Retell answered ${status}, but not with an assistant.`) }])
  })
})
