import { afterEach, describe, expect, it } from '@jest/globals'
import type { CallerNumber, Connection } from '#shared/agents/platforms/adapter.ts'
import { ANALYSIS_SCHEMA } from '#shared/agents/platforms/analysis.ts'
import { checkVapi } from '#shared/agents/platforms/vapi/check.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { offeredTools } from '#test/support/platforms/offered-tools.ts'
import type { VapiOptions } from '#test/support/platforms/vapi-emulator.ts'
import {
  SOUND_ASSISTANT,
  SOUND_NUMBER,
  STANDARD_CREDENTIAL,
  VAPI_ASSISTANT,
  VAPI_NUMBER,
  vapiWorld,
} from '#test/support/platforms/vapi-world.ts'

const worlds: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(worlds.splice(0).map(({ close }) => close()))
})

const FROM: CallerNumber = { number: '+12125550100', id: VAPI_NUMBER }

const names = ['do_not_call'] as const

const check = async (options: Partial<VapiOptions> = {}, changes: Partial<Connection> = {}, from: readonly CallerNumber[] = [FROM]) => {
  const { emulator, connection, close } = await vapiWorld(options)
  worlds.push({ close })
  const found = await checkVapi(ask, { ...connection, ...changes }, from, 'https://example.com/callback', offeredTools(...names))
  expect(emulator.seen.every(({ method }) => method === 'GET')).toBe(true)
  return found
}
const withAssistant = (changes: object) => ({ assistants: { [VAPI_ASSISTANT]: { ...SOUND_ASSISTANT, ...changes } } })
const withNumber = (changes: object) => ({ phoneNumbers: { [VAPI_NUMBER]: { ...SOUND_NUMBER, ...changes } } })

describe('the check of an agent on Vapi', () => {
  it('the check of an agent on Vapi finds nothing when all is right', async () => {
    expect(await check()).toEqual([])
  })

  it.each([
    ['linked by the assistant', { artifactPlan: { structuredOutputIds: ['o1'] } }, { id: 'o1' }],
    ['linked by itself', {}, { id: 'o1', assistantIds: [VAPI_ASSISTANT] }],
  ])('the check of an agent on Vapi accepts outcomes from a structured output that is %s', async (_, assistant, output) => {
    const options = {
      ...withAssistant({ analysisPlan: undefined, ...assistant }),
      structuredOutputs: [{ ...output, schema: ANALYSIS_SCHEMA }],
    }
    expect(await check(options)).toEqual([])
  })

  it("the check of an agent on Vapi accepts outcomes from an assistant's own structured output, and a saved tool", async () => {
    const assistant = { analysisPlan: null, artifactPlan: { structuredOutputs: [{ schema: ANALYSIS_SCHEMA }] }, model: { toolIds: ['t1'] } }
    const tools = [
      { id: 't1', type: 'function', function: { name: 'do_not_call' } },
      { id: 't2', type: 'endCall' },
    ]
    expect(await check({ ...withAssistant(assistant), tools })).toEqual([])
  })

  it.each<[string, Parameters<typeof check>, string]>([
    ['a wrong API key', [{}, { apiKey: 'wrong' }], 'Vapi refuses the API key.'],
    ['an unknown assistant', [{}, { assistant: 'unknown' }], 'Vapi has no assistant with the id unknown.'],
    ['a number without an id', [{}, {}, [{ ...FROM, id: null }]], 'Vapi needs its own id of +12125550100.'],
    ['an unknown number', [{}, {}, [{ ...FROM, id: 'unknown' }]], 'Vapi has no phone number with the id unknown.'],
    ['the id of another number', [withNumber({ number: '+12125550199' })], 'belongs to +12125550199, not to +12125550100.'],
    ['a blocked number', [withNumber({ status: 'blocked' })], 'Vapi reports the status blocked of +12125550100.'],
    ["one of Vapi's numbers", [withNumber({ provider: 'vapi' })], "+12125550100 is Vapi's own"],
    ['no voicemail detection', [withAssistant({ voicemailDetection: 'off' })], 'does not detect voicemail'],
    ['no live control', [withAssistant({ monitorPlan: { controlEnabled: false } })], 'cannot be ended by us'],
    ['live control with a key', [withAssistant({ monitorPlan: { controlAuthenticationEnabled: true } })], 'cannot be ended by us'],
    ['no tool for stops', [withAssistant({ model: {} })], 'it has no tool do_not_call. Create it, with POST'],
    ['no analysis', [withAssistant({ analysisPlan: {} })], 'does not extract outcomes'],
    [
      'another analysis',
      [{ ...withAssistant({ analysisPlan: {} }), structuredOutputs: [{ id: 'o1', schema: ANALYSIS_SCHEMA }] }],
      'outcomes',
    ],
    ['no callback secret', [{}, { callbackSecret: null }], 'There is no callback secret'],
    ['no credential for callbacks', [{}, { settings: {} }], 'Vapi does not sign callbacks.'],
  ])('the check of an agent on Vapi finds %s', async (_, asked, problem) => {
    const found = await check(...asked)
    expect(found.map((advice) => advice.problem)).toEqual([expect.stringContaining(problem)])
  })

  it('the check of an agent on Vapi gives the JSON to paste', async () => {
    const found = await check(withAssistant({ analysisPlan: {}, voicemailDetection: undefined }), { settings: {} })
    const [output, machines, credential] = found.flatMap(({ paste }) => (paste === undefined ? [] : [JSON.parse(paste)]))
    expect(output).toEqual({ name: 'Outcome of the call', type: 'ai', schema: ANALYSIS_SCHEMA, assistantIds: [VAPI_ASSISTANT] })
    expect(machines).toEqual({ voicemailDetection: { provider: 'vapi' } })
    expect(credential.authenticationPlan).toEqual({ ...STANDARD_CREDENTIAL, secretKey: '(the callback secret without whsec_)' })
  })

  it('the check of an agent says when Vapi does not answer', async () => {
    const { connection, close } = await vapiWorld()
    worlds.push({ close })
    const down = async () => ({ status: 503, text: '<html>' })
    const problems = (await checkVapi(down, connection, [FROM], '', [])).map((advice) => advice.problem)
    expect(problems).toEqual([
      'Vapi answered 503 when asked for the assistant. Check again later.',
      'Vapi answered 503 when asked for +12125550100. Check again later.',
    ])
  })
})
