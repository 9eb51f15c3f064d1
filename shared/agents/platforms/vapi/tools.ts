import type { ToolUse } from '../tool-use.ts'

/**
 * Vapi sends tool calls to the callback URL of the call, and accepts only answers with status 200. A result must be one line; JSON text is.
 */
export const vapiTools: ToolUse = {
  by: 'event',
  answer: (results) => ({
    results: results.map(({ call: { id, name }, answer }) => ({
      toolCallId: id ?? '',
      name,
      ...(answer.ok ? { result: JSON.stringify(answer) } : { error: answer.message }),
    })),
  }),
  define: ({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }),
}
