import { SECOND } from '../../../platform/values/durations.ts'
import type { ToolUse } from '../tool-use.ts'
import { type OfferedTool, TOOL_TIMEOUT } from '../tools.ts'

/** The call fills the two ids. The model fills the rest. */
const bodyOf = ({ parameters: { properties, required } }: OfferedTool) => ({
  type: 'object',
  properties: {
    ...properties,
    call_id: { type: 'string', dynamic_variable: 'call_id' },
    platform_call_id: { type: 'string', dynamic_variable: 'system__conversation_id' },
  },
  required: [...required, 'call_id', 'platform_call_id'],
})

/** Webhook tools are not signed. */
export const elevenLabsTools: ToolUse = {
  by: 'token',
  define: (tool) => ({
    tool_config: {
      type: 'webhook',
      name: tool.name,
      description: tool.description,
      response_timeout_secs: TOOL_TIMEOUT / SECOND,
      api_schema: {
        url: tool.url,
        method: 'POST',
        request_headers: { Authorization: tool.authorization },
        request_body_schema: bodyOf(tool),
      },
    },
  }),
}
