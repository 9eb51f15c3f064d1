import type { ToolUse } from '../tool-use.ts'
import { TOOL_TIMEOUT } from '../tools.ts'

/** Telnyx signs requests of webhook tools like all callbacks. The call sets preset fields, not the model. */
export const telnyxTools: ToolUse = {
  by: 'signed',
  define: ({ name, description, parameters, url }) => ({
    type: 'webhook',
    timeout_ms: TOOL_TIMEOUT,
    webhook: { name, description, url, method: 'POST', body_parameters: parameters, preset_body_fields: { call_id: '{{call_id}}' } },
  }),
}
