import type { Reply } from './emulator.ts'

export const telnyxProblem = (status: number, code: string, title: string, detail: string, pointer?: string): Reply => ({
  status,
  body: { errors: [{ code, title, detail, ...(pointer && { source: { pointer } }) }] },
})

export const TELNYX_NOT_FOUND = telnyxProblem(404, '10005', 'Resource not found', 'The requested resource or URL could not be found.')

/** The set-up of an account at Telnyx. */
export interface TelnyxAccount {
  readonly connectionId: string
  readonly assistantId: string
  /** Numbers of the account with their status. */
  readonly numbers: Readonly<Record<string, string>>
  readonly verifiedNumbers?: readonly string[]
  /** Overrides of the Voice API application. */
  readonly application?: object
  /** JSON schemas of the assistant's insights. Null: it has no insight group. */
  readonly insightSchemas?: readonly unknown[] | null
  /** Tools of the assistant. */
  readonly tools?: readonly object[]
}

/** The documented parameters of a dial that the emulator knows. */
const DIAL = [
  ...['connection_id', 'to', 'from', 'command_id', 'client_state', 'webhook_url', 'webhook_url_method', 'timeout_secs', 'time_limit_secs'],
  ...['retry_on_timeout', 'answering_machine_detection', 'answering_machine_detection_config', 'assistant', 'from_display_name', 'record'],
]

/** The answer to a dial that Telnyx refuses. */
export const telnyxRefusal = (account: TelnyxAccount, body: Record<string, unknown>): Reply | undefined => {
  const invalid = (pointer: string, detail: string, code = '10015') => telnyxProblem(422, code, 'Bad Request', detail, pointer)
  const unknown = Object.keys(body).find((name) => !DIAL.includes(name))
  if (unknown) return invalid(`/${unknown}`, 'Unknown parameter')
  const missing = ['connection_id', 'to', 'from'].find((name) => typeof body[name] !== 'string')
  if (missing) return telnyxProblem(422, '10004', 'Missing required parameter', `The '${missing}' parameter is required`, `/${missing}`)
  const { connection_id, to, from, assistant } = body
  if (connection_id !== account.connectionId) return invalid('/connection_id', 'Invalid value for connection_id (Call Control App ID)')
  const assistantGiven = (assistant as { id?: unknown } | undefined)?.id
  if (assistant !== undefined && assistantGiven !== account.assistantId) return invalid('/assistant/id', 'The assistant does not exist')
  if (!/^\+[1-9]\d{6,14}$/.test(String(to))) return invalid('/to', 'The number must be in +E.164 format', '10016')
  const mayCall = account.numbers[String(from)] === 'active' || account.verifiedNumbers?.includes(String(from))
  return mayCall ? undefined : telnyxProblem(403, '10010', 'Authorization failed', 'Unverified origination number D51')
}

/** Reads what belongs to the account and not to a call. */
export const readTelnyxAccount = (account: TelnyxAccount, path: string, query: URLSearchParams): Reply | undefined => {
  const { connectionId, assistantId, numbers, verifiedNumbers = [], application = {}, insightSchemas = [], tools = [] } = account
  const found = (body: object): Reply => ({ status: 200, body })
  if (path === `/call_control_applications/${connectionId}`) {
    const outbound = { outbound_voice_profile_id: 'profile-1' }
    return found({ data: { id: connectionId, active: true, webhook_api_version: '2', outbound, ...application } })
  }
  if (path === `/ai/assistants/${assistantId}`) {
    return found({ id: assistantId, name: 'Ann', tools, insight_settings: insightSchemas ? { insight_group_id: 'group-1' } : {} })
  }
  if (path === '/ai/conversations/insight-groups/group-1' && insightSchemas) {
    const insights = insightSchemas.map((json_schema, index) => ({ id: `insight-${index}`, instructions: 'Decide.', json_schema }))
    return found({ data: { id: 'group-1', name: 'Ours', insights } })
  }
  if (path === '/phone_numbers') {
    const owned = Object.entries(numbers).filter(([number]) => number === (query.get('filter[phone_number]') ?? number))
    return found({ data: owned.map(([phone_number, status]) => ({ phone_number, status })), meta: { total_pages: 1 } })
  }
  const verified = verifiedNumbers.find((number) => path === `/verified_numbers/${encodeURIComponent(number)}`)
  return verified === undefined ? undefined : found({ data: { phone_number: verified, record_type: 'verified_number' } })
}
