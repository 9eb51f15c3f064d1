import type { ToolUse } from '../tool-use.ts'
import { TOOL_TIMEOUT } from '../tools.ts'

/**
 * Retell signs requests of custom functions like events, and sends each to the URL in its definition. All of them get the URL of events.
 */
export const retellTools: ToolUse = {
  by: 'event',
  // Retell calls one function at a time. With a status other than 2xx, the model would not see the message.
  answer: (results) => results[0]?.answer,
  define: ({ name, description, parameters, url }) => ({
    type: 'custom',
    name,
    description,
    url,
    method: 'POST',
    parameters,
    timeout_ms: TOOL_TIMEOUT,
    speak_after_execution: true,
  }),
}
