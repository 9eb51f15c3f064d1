import * as v from 'valibot'
import type { Advice, CallerNumber, Check } from '../adapter.ts'
import { ANALYSIS_PROMPT, ANALYSIS_SCHEMA } from '../analysis.ts'
import { hasOutcomes, lookUpAt, onceEach } from '../look-up.ts'
import { missingTools } from '../missing-tools.ts'
import { ifPresent } from '../read-answer.ts'
import { telnyxRequest } from './request.ts'

const Application = v.object({
  data: v.object({
    active: ifPresent(v.boolean()),
    webhook_api_version: ifPresent(v.string()),
    outbound: ifPresent(v.object({ outbound_voice_profile_id: ifPresent(v.string()) })),
  }),
})
const Tool = v.object({ webhook: v.object({ name: v.string(), url: ifPresent(v.string()) }) })
const Assistant = v.object({
  insight_settings: ifPresent(v.object({ insight_group_id: ifPresent(v.string()) })),
  tools: ifPresent(v.array(v.fallback(v.nullable(Tool), null))),
})
type Assistant = v.InferOutput<typeof Assistant>
const Group = v.object({ data: v.object({ insights: v.optional(v.array(v.object({ json_schema: v.unknown() })), []) }) })
const Numbers = v.object({ data: v.array(v.object({ status: ifPresent(v.string()) })) })

const REFUSED = 'Telnyx refuses the API key. Create one in the portal, under API Keys.'
const NOT_PUBLIC_KEY: Advice = {
  problem: 'The secret for callbacks must be the public key of the account. Copy it from the portal, under Keys & Credentials.',
}
const NO_INSIGHT: Advice = {
  problem:
    'The assistant does not tell how a call ended. Create an insight with these instructions and this JSON schema, and select its group in the assistant.',
  paste: `${ANALYSIS_PROMPT}\n\n${JSON.stringify(ANALYSIS_SCHEMA, null, 2)}`,
}

/** Callbacks are set with each call. Only the key that verifies them can be wrong. */
export const checkTelnyx: Check = async (ask, connection, from, callbackUrl, tools) => {
  const lookUp = lookUpAt('Telnyx', ask, REFUSED)
  const reading = (path: string) => telnyxRequest(connection, path)

  const ofConnection = async (id = connection.settings['connection_id'] ?? ''): Promise<readonly Advice[]> => {
    const missing = `There is no Voice API application "${id}". Copy its id into connection_id from the portal, under Voice API.`
    const request = reading(`/call_control_applications/${encodeURIComponent(id)}`)
    const looked = await lookUp({ request, schema: Application, thing: 'the Voice API application', missing })
    if ('advice' in looked) return [looked.advice]
    const { active, webhook_api_version, outbound } = looked.found.data
    return [
      ...(active === false ? ['The Voice API application is not active. Activate it in the portal.'] : []),
      ...(webhook_api_version === '1' ? ['The Voice API application sends old callbacks. Set its webhook API version to 2.'] : []),
      ...(outbound?.outbound_voice_profile_id ? [] : ['The Voice API application cannot call. Give it an outbound voice profile.']),
    ].map((problem) => ({ problem }))
  }

  const ofAssistant = async (id = connection.assistant): Promise<readonly Advice[]> => {
    const missing = `There is no assistant "${id}". Copy its id from the portal, under AI Assistants.`
    const request = reading(`/ai/assistants/${encodeURIComponent(id)}`)
    const looked = await lookUp({ request, schema: Assistant, thing: 'the assistant', missing })
    if ('advice' in looked) return [looked.advice]
    return [...(await ofInsights(looked.found)), ...ofTools(looked.found)]
  }

  const ofTools = ({ tools: webhooks }: Assistant): readonly Advice[] => {
    const present = (webhooks ?? []).flatMap((tool) => tool?.webhook ?? [])
    return missingTools(tools, present, 'Add it to the assistant, as a webhook.')
  }

  const ofInsights = async ({ insight_settings }: Assistant): Promise<readonly Advice[]> => {
    const group = insight_settings?.insight_group_id
    if (!group) return [NO_INSIGHT]
    const insights = await lookUp({
      request: reading(`/ai/conversations/insight-groups/${encodeURIComponent(group)}`),
      schema: Group,
      thing: 'the insight group of the assistant',
      missing: `The insight group "${group}" of the assistant does not exist. Select another one.`,
    })
    if ('advice' in insights) return [insights.advice]
    return insights.found.data.insights.some(({ json_schema }) => hasOutcomes(json_schema)) ? [] : [NO_INSIGHT]
  }

  const ofNumber = async ({ number }: CallerNumber): Promise<readonly Advice[]> => {
    const missing = `${number} is not a number of this Telnyx account. Buy it, or verify it under Verified Numbers.`
    const request = reading(`/phone_numbers?${new URLSearchParams({ 'filter[phone_number]': number })}`)
    const looked = await lookUp({ request, schema: Numbers, thing: number, missing })
    if ('advice' in looked) return [looked.advice]
    const [owned] = looked.found.data
    if (owned) return owned.status === 'active' ? [] : [{ problem: `${number} is ${owned.status} at Telnyx. Use an active number.` }]
    const verified = reading(`/verified_numbers/${encodeURIComponent(number)}`)
    const other = await lookUp({ request: verified, schema: v.unknown(), thing: number, missing })
    return 'advice' in other ? [other.advice] : []
  }

  const isKey = callbackUrl === null || Buffer.from(connection.callbackSecret ?? '', 'base64').length === 32
  const found = await Promise.all([ofConnection(), ofAssistant(), ...from.map(ofNumber)])
  return onceEach([...found.flat(), ...(isKey ? [] : [NOT_PUBLIC_KEY])])
}
