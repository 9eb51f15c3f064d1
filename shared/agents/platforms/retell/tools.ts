import type { ToolUse } from '../tool-use.ts'
import { TOOL_TIMEOUT } from '../tools.ts'

/** Custom functions are signed like events, and come to the URL that each of them names. They are given the one of events. */
export const retellTools: ToolUse = {
  by: 'event',
  // Retell sends one call of a function at a time. Another status than 2xx would hide the message from the model.
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
