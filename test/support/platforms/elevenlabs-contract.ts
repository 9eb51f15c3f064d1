import type { Reply } from './emulator.ts'

/** The set-up of a workspace at ElevenLabs. */
export interface ElevenLabsWorkspace {
  readonly agentId: string
  /** Its phone numbers by id. */
  readonly numbers: Readonly<
    Record<string, { readonly phone_number: string; readonly provider: string; readonly supports_outbound?: boolean }>
  >
  /** Data that the agent's analysis collects. */
  readonly dataCollection?: object
  /** Tools of the agent, by their ids in the workspace. */
  readonly tools?: Readonly<Record<string, object>>
  readonly permitsDuration?: boolean
  /** The workspace's post-call webhook; null: none. */
  readonly webhook?: { readonly url: string; readonly secret: string; readonly events?: readonly string[]; readonly over?: object } | null
  /** Whether the agent selects the webhook, and not the workspace. */
  readonly ofAgent?: boolean
}

export const elevenLabsProblem = (status: number, code: string, message: string): Reply => ({
  status,
  body: { detail: { status: code, message } },
})

const DIAL = [
  'agent_id',
  'agent_phone_number_id',
  'to_number',
  'conversation_initiation_client_data',
  'call_recording_enabled',
  'telephony_call_config',
]
const CLIENT_DATA = [
  ...['conversation_config_override', 'custom_llm_extra_body', 'user_id', 'source_info', 'branch_id', 'environment'],
  ...['starting_workflow_node_id', 'procedure_ids', 'dynamic_variables'],
]

const invalid = (field: string, msg: string): Reply => ({
  status: 422,
  body: { detail: [{ loc: ['body', field], msg, type: 'value_error' }] },
})

/** The answer to a request for a call that ElevenLabs refuses. */
export const elevenLabsRefusal = (
  { agentId, numbers }: ElevenLabsWorkspace,
  telephony: string,
  body: Record<string, unknown>,
): Reply | undefined => {
  const client = (body['conversation_initiation_client_data'] ?? {}) as Record<string, unknown>
  const unknown = [
    ...Object.keys(body).filter((name) => !DIAL.includes(name)),
    ...Object.keys(client).filter((name) => !CLIENT_DATA.includes(name)),
  ]
  if (unknown[0]) return invalid(unknown[0], 'Extra inputs are not permitted')
  const missing = ['agent_id', 'agent_phone_number_id', 'to_number'].find((name) => typeof body[name] !== 'string')
  if (missing) return invalid(missing, 'Field required')
  if (body['agent_id'] !== agentId) return elevenLabsProblem(404, 'agent_not_found', 'Agent not found')
  const number = numbers[String(body['agent_phone_number_id'])]
  if (!number) return elevenLabsProblem(404, 'phone_number_not_found', 'Phone number not found')
  if (number.provider !== telephony.replace('-', '_'))
    return elevenLabsProblem(400, 'invalid_phone_number_id', 'The phone_number_id is of another provider')
  const variables = Object.keys((client['dynamic_variables'] ?? {}) as object)
  if (variables.some((name) => name.startsWith('system__'))) return invalid('dynamic_variables', 'Names must not start with system__')
  if (!/^\+[1-9]\d{6,14}$/.test(String(body['to_number']))) {
    const message = `Unable to create record: The phone number you are attempting to call, ${body['to_number']}, is not valid.`
    return { status: 200, body: { success: false, message, conversation_id: null, callSid: null } }
  }
  return undefined
}

/** Reads what belongs to the workspace and not to a conversation. */
export const readElevenLabs = (workspace: ElevenLabsWorkspace, path: string): Reply | undefined => {
  const { agentId, numbers, dataCollection = {}, permitsDuration = false, webhook = null, ofAgent = false, tools = {} } = workspace
  const found = (body: object): Reply => ({ status: 200, body })
  const webhooks = webhook && { post_call_webhook_id: 'webhook-1', events: webhook.events ?? ['transcript', 'call_initiation_failure'] }
  if (path === `/convai/agents/${agentId}`) {
    const overrides = { conversation_config_override: { conversation: { max_duration_seconds: permitsDuration } } }
    const platform_settings = { data_collection: dataCollection, overrides, workspace_overrides: ofAgent ? { webhooks } : {} }
    return found({
      agent_id: agentId,
      name: 'Ann',
      conversation_config: { agent: { prompt: { tool_ids: Object.keys(tools) } } },
      platform_settings,
    })
  }
  if (path.startsWith('/convai/tools')) {
    const saved = Object.entries(tools).map(([id, tool]) => ({ id, access_info: {}, ...tool }))
    return found({ tools: [{ id: 'other', tool_config: { type: 'client', name: 'open_page' } }, ...saved], has_more: false })
  }
  if (path === '/convai/settings') return found({ webhooks: ofAgent ? {} : (webhooks ?? {}) })
  if (path === '/workspace/webhooks') {
    const about = { name: 'Calls', webhook_id: 'webhook-1', is_disabled: false, is_auto_disabled: false, auth_type: 'hmac' }
    return found({ webhooks: webhook ? [{ ...about, webhook_url: webhook.url, ...webhook.over }] : [] })
  }
  const id = Object.keys(numbers).find((name) => path === `/convai/phone-numbers/${name}`)
  return id === undefined ? undefined : found({ phone_number_id: id, label: 'Ours', ...numbers[id] })
}
