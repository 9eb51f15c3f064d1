import * as v from 'valibot'
import type { Advice, CallerNumber, Check } from '../adapter.ts'
import { ANALYSIS_SCHEMA } from '../analysis.ts'
import { hasOutcomes, lookUpAt, onceEach } from '../look-up.ts'
import { missingTools } from '../missing-tools.ts'
import { ifPresent } from '../read-answer.ts'
import { elevenLabsRequest } from './request.ts'

const Webhooks = v.object({ post_call_webhook_id: ifPresent(v.string()), events: ifPresent(v.array(v.string())) })
const Overrides = v.object({
  conversation_config_override: ifPresent(
    v.object({ conversation: ifPresent(v.object({ max_duration_seconds: ifPresent(v.boolean()) })) }),
  ),
})
const Tool = v.object({ name: ifPresent(v.string()), api_schema: ifPresent(v.object({ url: ifPresent(v.string()) })) })
const Saved = v.object({ tools: v.array(v.object({ id: v.string(), tool_config: Tool })) })
const Prompt = v.object({ tools: ifPresent(v.array(v.fallback(v.nullable(Tool), null))), tool_ids: ifPresent(v.array(v.string())) })
const Agent = v.object({
  conversation_config: ifPresent(v.object({ agent: ifPresent(v.object({ prompt: ifPresent(Prompt) })) })),
  platform_settings: ifPresent(
    v.object({
      data_collection: ifPresent(v.record(v.string(), v.unknown())),
      overrides: ifPresent(Overrides),
      workspace_overrides: ifPresent(v.object({ webhooks: ifPresent(Webhooks) })),
    }),
  ),
})
type Agent = v.InferOutput<typeof Agent>
const Settings = v.object({ webhooks: ifPresent(Webhooks) })
const Endpoints = v.object({
  webhooks: v.array(
    v.object({
      webhook_id: v.string(),
      webhook_url: v.string(),
      is_disabled: ifPresent(v.boolean()),
      is_auto_disabled: ifPresent(v.boolean()),
      auth_type: ifPresent(v.string()),
    }),
  ),
})
const PhoneNumber = v.object({ phone_number: v.string(), provider: ifPresent(v.string()), supports_outbound: ifPresent(v.boolean()) })

const REFUSED = 'ElevenLabs refuses the API key, or it lacks a permission. Create one that may use agents and read webhooks.'
const EVENTS = ['transcript', 'call_initiation_failure']

export const checkElevenLabs: Check = async (ask, connection, from, callbackUrl, tools) => {
  const lookUp = lookUpAt('ElevenLabs', ask, REFUSED)
  const reading = (path: string) => elevenLabsRequest(connection, path)

  const ofAnalysis = ({ platform_settings: settings }: Agent): readonly Advice[] => {
    const problem = 'The agent does not tell how a call ended. Add these items to the data collection of its analysis.'
    if (hasOutcomes(settings?.data_collection?.['outcome'])) return []
    return [{ problem, paste: JSON.stringify(ANALYSIS_SCHEMA.properties, null, 2) }]
  }

  const ofDuration = ({ platform_settings: settings }: Agent): readonly Advice[] => {
    const isAllowed = settings?.overrides?.conversation_config_override?.conversation?.max_duration_seconds === true
    if (connection.settings['limit_duration'] !== 'true' || isAllowed) return []
    return [{ problem: 'Calls would fail: the agent does not permit limit_duration. Permit the override of its maximum duration.' }]
  }

  const ofCallbacks = async (agent: Agent): Promise<readonly Advice[]> => {
    if (callbackUrl === null) return []
    const missing = 'No webhook is told about calls. Create one with this URL, and select it as the post-call webhook of the agent.'
    const settings = await lookUp({ request: reading('/convai/settings'), schema: Settings, thing: 'the settings', missing })
    if ('advice' in settings) return [settings.advice]
    const own = agent.platform_settings?.workspace_overrides?.webhooks
    const chosen = own?.post_call_webhook_id ? own : settings.found.webhooks
    if (!chosen?.post_call_webhook_id) return [{ problem: missing, paste: callbackUrl }]
    const lacking = EVENTS.filter((event) => !chosen.events?.includes(event))
    const events = { problem: `The post-call webhook is not told everything. Select also: ${lacking.join(', ')}.` }
    const listed = await lookUp({ request: reading('/workspace/webhooks'), schema: Endpoints, thing: 'the webhooks', missing })
    if ('advice' in listed) return [listed.advice]
    const endpoint = listed.found.webhooks.find(({ webhook_id }) => webhook_id === chosen.post_call_webhook_id)
    if (endpoint?.webhook_url !== callbackUrl)
      return [{ problem: `The post-call webhook has another URL. Set it to this one.`, paste: callbackUrl }]
    const isDisabled = endpoint.is_disabled || endpoint.is_auto_disabled
    return [
      ...(lacking.length > 0 ? [events] : []),
      ...(isDisabled ? [{ problem: 'The post-call webhook is disabled. Enable it again.' }] : []),
      ...(endpoint.auth_type === 'hmac' ? [] : [{ problem: 'The post-call webhook is not signed. Select HMAC as its authentication.' }]),
    ]
  }

  const ofTools = async ({ conversation_config: config }: Agent): Promise<readonly Advice[]> => {
    const { tools: own, tool_ids: ids } = config?.agent?.prompt ?? {}
    const advise = (known: readonly (v.InferOutput<typeof Tool> | null)[]) => {
      const present = known.flatMap((tool) => (tool ? { name: tool.name, url: tool.api_schema?.url ?? null } : []))
      return missingTools(tools, present, 'Create it, with POST /v1/convai/tools, and add it to the agent.')
    }
    const missing = advise(own ?? [])
    if (missing.length === 0 || !ids || ids.length === 0) return missing
    const request = reading('/convai/tools?page_size=100')
    const saved = await lookUp({ request, schema: Saved, thing: 'its tools', missing: REFUSED })
    if ('advice' in saved) return [saved.advice]
    const used = saved.found.tools.filter(({ id }) => ids.includes(id))
    return advise([...(own ?? []), ...used.map(({ tool_config }) => tool_config)])
  }

  const ofAgent = async (id = connection.assistant): Promise<readonly Advice[]> => {
    const missing = `There is no agent "${id}". Copy its id from the page of the agent.`
    const agent = await lookUp({ request: reading(`/convai/agents/${encodeURIComponent(id)}`), schema: Agent, thing: 'the agent', missing })
    if ('advice' in agent) return [agent.advice]
    return [...ofAnalysis(agent.found), ...ofDuration(agent.found), ...(await ofCallbacks(agent.found)), ...(await ofTools(agent.found))]
  }

  const ofNumber = async ({ number, id }: CallerNumber): Promise<readonly Advice[]> => {
    const missing = `ElevenLabs has no phone number with the id "${id}". Import ${number} there, and copy the id that it gets.`
    if (id === null) return [{ problem: `The id of ${number} is missing. Copy it from Phone Numbers at ElevenLabs.` }]
    const request = reading(`/convai/phone-numbers/${encodeURIComponent(id)}`)
    const looked = await lookUp({ request, schema: PhoneNumber, thing: number, missing })
    if ('advice' in looked) return [looked.advice]
    const { phone_number, provider, supports_outbound } = looked.found
    const telephony = provider === 'sip_trunk' ? 'sip-trunk' : provider
    return [
      ...(phone_number === number ? [] : [`The id "${id}" belongs to ${phone_number}, and not to ${number}. Correct one of them.`]),
      ...(supports_outbound === false ? [`${number} cannot call at ElevenLabs. Enable outbound calls for it.`] : []),
      ...(telephony === null || telephony === (connection.settings['telephony'] ?? 'twilio')
        ? []
        : [`${number} is connected by ${telephony}. Set telephony to "${telephony}".`]),
    ].map((problem) => ({ problem }))
  }

  const secret =
    connection.callbackSecret || callbackUrl === null
      ? []
      : [{ problem: 'The secret for callbacks is missing. Copy the one of the post-call webhook.' }]
  const found = await Promise.all([ofAgent(), ...from.map(ofNumber)])
  return onceEach([...found.flat(), ...secret])
}
