import type { ToolUse } from '../tool-use.ts'

/**
 * Calls of tools come to the URL of the call, like all of its messages, and Vapi takes only answers with the status 200. A result must be
 * one line, which JSON is.
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
