import { describe, expect, it } from '@jest/globals'
import type { Vapi } from '@vapi-ai/server-sdk'
import type Retell from 'retell-sdk'
import type { InferenceEmbeddingWebhookToolParams } from 'telnyx/resources/ai/assistants'
import { isToolAuthorization, toolAuthorization } from '#shared/agents/platform-requests.ts'
import { adapterOf, PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'
import { blandTools } from '#shared/agents/platforms/bland/tools.ts'
import { elevenLabsTools } from '#shared/agents/platforms/elevenlabs/tools.ts'
import { ownCodeTools } from '#shared/agents/platforms/own-code.ts'
import { retellTools } from '#shared/agents/platforms/retell/tools.ts'
import { telnyxTools } from '#shared/agents/platforms/telnyx/tools.ts'
import { reportOfTool, TOOL_NAMES } from '#shared/agents/platforms/tools.ts'
import { vapiTools } from '#shared/agents/platforms/vapi/tools.ts'
import type { BlandTool } from '#test/support/platforms/bland-emulator.ts'
import { elevenLabsTool } from '#test/support/platforms/elevenlabs-tool.ts'
import { offeredTools, TOOL_TOKEN, TOOLS_URL } from '#test/support/platforms/offered-tools.ts'

const [STOP] = offeredTools('do_not_call') as [ReturnType<typeof offeredTools>[number]]
const { name, description, parameters, url } = STOP
const properties = Object.fromEntries(
  Object.entries(parameters.properties).map(([key, { enum: choices, ...property }]) => [
    key,
    { ...property, ...(choices && { enum: [...choices] }) },
  ]),
)
const mutable = { type: 'object' as const, properties, required: [...parameters.required] }

describe('the definition of a tool', () => {
  it('a tool for Vapi is a function tool without a URL: calls come to the URL of the call', () => {
    const expected = { type: 'function', function: { name, description, parameters: mutable } } satisfies {
      type: 'function'
    } & Vapi.CreateFunctionToolDto
    expect(vapiTools.define(STOP)).toEqual(expected)
  })

  it('a tool for Retell is a custom function', () => {
    const expected: Retell.LlmCreateParams.CustomTool = {
      ...{ type: 'custom', name, description, url, method: 'POST', parameters: mutable },
      ...{ timeout_ms: 20_000, speak_after_execution: true },
    }
    expect(retellTools.define(STOP)).toEqual(expected)
  })

  it('a tool for Telnyx is a webhook tool, whose call the model cannot choose', () => {
    const preset_body_fields = { call_id: '{{call_id}}' }
    const expected: InferenceEmbeddingWebhookToolParams = {
      type: 'webhook',
      timeout_ms: 20_000,
      webhook: { name, description, url, method: 'POST', body_parameters: mutable, preset_body_fields },
    }
    expect(telnyxTools.define(STOP)).toEqual(expected)
  })

  it('a tool for ElevenLabs is what its client takes, with our token and two variables hidden from the model', () => {
    const tool = elevenLabsTool(elevenLabsTools.define(STOP))
    expect(tool).toMatchObject({ type: 'webhook', name, description, responseTimeoutSecs: 20 })
    expect(tool.apiSchema).toMatchObject({ url, method: 'POST', requestHeaders: { Authorization: TOOL_TOKEN } })
    expect(tool.apiSchema.requestBodySchema).toMatchObject({
      properties: { call_id: { dynamicVariable: 'call_id' }, platform_call_id: { dynamicVariable: 'system__conversation_id' } },
      required: ['call_id', 'platform_call_id'],
    })
  })

  it('a tool for Bland is a custom tool, whose own call_id is not ours', () => {
    const expected: BlandTool = {
      ...{ name, description, url, method: 'POST', headers: { Authorization: TOOL_TOKEN }, input_schema: parameters, timeout: 20_000 },
      body: { channel: '{{input.channel}}', words: '{{input.words}}', call_id: '{{outreach_call_id}}', platform_call_id: '{{call_id}}' },
      response: { do_not_call_ok: '$.ok', do_not_call_message: '$.message' },
    }
    expect(blandTools.define(STOP)).toEqual(expected)
  })

  it('a tool for the code of customers is a request', () => {
    expect(ownCodeTools.define(STOP)).toMatchObject({
      request: { method: 'POST', url: `${TOOLS_URL}do_not_call/`, headers: { authorization: TOOL_TOKEN } },
      body: { required: ['call_id'], properties: { channel: { enum: ['call', 'sms', 'both'] } } },
    })
  })

  it.each(PLATFORM_NAMES)('every tool has a definition on %s', (platform) => {
    for (const tool of offeredTools(...TOOL_NAMES))
      expect(JSON.stringify(adapterOf(platform)?.tools?.define(tool))).toContain(tool.description.slice(0, 20))
  })

  it('only platforms that do not analyse conversations get the outcome in the definition of a tool', () => {
    const own = PLATFORM_NAMES.filter((platform) => adapterOf(platform)?.tools?.isOwnCode)
    expect(own).toEqual(['connect', 'twilio'])
  })
})

describe('the report of a tool', () => {
  it.each([
    [{ channel: 'call' }, 'call'],
    [{ channel: 'sms' }, 'sms'],
    [{ channel: 'both' }, null],
    [{ channel: 'email' }, null],
    [{ channel: ['sms'] }, null],
    [{}, null],
  ])('the report of the tool do_not_call stops calls and texts unless the channel is one of them: %j', (args, channel) => {
    expect(reportOfTool('do_not_call', args)).toEqual({ type: 'dnc.requested', data: { channel } })
  })

  it.each([
    ['Take me off.', { words: 'Take me off.' }],
    ['{{input.words}}', {}],
    ['', {}],
    [7, {}],
  ])('the report of the tool do_not_call has the words of the person, and no placeholder: %j', (words, kept) => {
    expect(reportOfTool('do_not_call', { words })).toEqual({ type: 'dnc.requested', data: { channel: null, ...kept } })
  })

  it('the report of the tool report_outcome is that of an analysis', () => {
    expect(reportOfTool('report_outcome', { outcome: 'not_interested', summary: 'Not now.', message_left: 'x' })).toEqual({
      type: 'call.completed',
      data: { outcome: 'not_interested', summary: 'Not now.' },
    })
  })
})

describe('the answer of Vapi', () => {
  it('the answer of a tool to Vapi gives results in one line each, and errors as errors', () => {
    const call = { id: 't1', name: 'note', args: {}, time: '' }
    const answer = { ok: true, message: 'Two\nlines.' }
    const results: Vapi.ToolCallResult[] = [
      { toolCallId: 't1', name: 'note', result: JSON.stringify(answer) },
      { toolCallId: 't1', name: 'note', error: 'No.' },
    ]
    expect(
      vapiTools.answer?.([
        { call, answer },
        { call, answer: { ok: false, message: 'No.' } },
      ]),
    ).toEqual({ results })
    expect(results[0]?.result).not.toContain('\n')
  })
})

describe('the token of an agent', () => {
  const header = toolAuthorization('voice', 'key-1')

  it('the tool token of an agent differs from that of another agent or key, and does not show the key', () => {
    expect(header).toMatch(/^Bearer lot_[\w-]{43}$/)
    expect(toolAuthorization('voice', 'key-1')).toBe(header)
    expect(new Set([header, toolAuthorization('other', 'key-1'), toolAuthorization('voice', 'key-2')]).size).toBe(3)
    expect(Buffer.from(header.slice('Bearer lot_'.length), 'base64url').toString('latin1')).not.toContain('key-1')
  })

  it('the tool token of an agent is accepted as it is, and nothing else is', () => {
    expect(isToolAuthorization('voice', 'key-1', header)).toBe(true)
    for (const other of [undefined, '', 'Bearer ', header.toLowerCase(), `${header} `, toolAuthorization('other', 'key-1')])
      expect(isToolAuthorization('voice', 'key-1', other)).toBe(false)
    expect(isToolAuthorization('voice', '', toolAuthorization('voice', ''))).toBe(false)
  })
})
