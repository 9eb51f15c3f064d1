import type { ToolUse } from '../tool-use.ts'
import { TOOL_TIMEOUT } from '../tools.ts'

/** Webhook tools carry the signature of all callbacks. Preset fields are set by the call and not by the model. */
export const telnyxTools: ToolUse = {
  by: 'signed',
  define: ({ name, description, parameters, url }) => ({
    type: 'webhook',
    timeout_ms: TOOL_TIMEOUT,
    webhook: { name, description, url, method: 'POST', body_parameters: parameters, preset_body_fields: { call_id: '{{call_id}}' } },
  }),
}
