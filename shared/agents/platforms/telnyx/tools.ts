import type { ToolUse } from '../tool-use.ts'

/** Milliseconds. A calendar may take eight seconds. */
const TIMEOUT = 20_000

/** Webhook tools carry the signature of all callbacks. Preset fields are set by the call and not by the model. */
export const telnyxTools: ToolUse = {
  by: 'signed',
  define: ({ name, description, parameters, url }) => ({
    type: 'webhook',
    timeout_ms: TIMEOUT,
    webhook: { name, description, url, method: 'POST', body_parameters: parameters, preset_body_fields: { call_id: '{{call_id}}' } },
  }),
}
