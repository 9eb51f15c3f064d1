import type { ToolUse } from './tool-use.ts'

/** For platforms whose conversations are the customer's own code: each tool is an HTTP request that the code sends. */
export const ownCodeTools: ToolUse = {
  by: 'token',
  isOwnCode: true,
  define: ({ name, description, parameters: { properties, required }, url, authorization }) => ({
    name,
    description,
    request: { method: 'POST', url, headers: { authorization, 'content-type': 'application/json' } },
    body: {
      type: 'object',
      properties: {
        ...properties,
        call_id: { type: 'string', description: 'The call_id that the conversation was given.' },
        platform_call_id: {
          type: 'string',
          description: 'Optional: the id of the call on the platform. With the id of another call, only a stop counts.',
        },
      },
      required: [...required, 'call_id'],
    },
  }),
}
