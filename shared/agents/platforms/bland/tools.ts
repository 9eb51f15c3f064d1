import * as v from 'valibot'
import type { Advice, Ask, Connection } from '../adapter.ts'
import { missingTools } from '../missing-tools.ts'
import { ifPresent, readPlatformAnswer } from '../read-answer.ts'
import type { ToolUse } from '../tool-use.ts'
import { type OfferedTool, TOOL_TIMEOUT } from '../tools.ts'
import { blandRequest } from './requests.ts'

/** The variable with our id of the call. In Bland's own variable `call_id` is Bland's id. */
export const OUR_CALL_ID = 'outreach_call_id'

/** Custom tools are not signed. What Bland takes from an answer becomes variables, which the model reads. */
export const blandTools: ToolUse = {
  by: 'token',
  define: ({ name, description, parameters, url, authorization }) => ({
    name,
    description,
    url,
    method: 'POST',
    headers: { Authorization: authorization },
    body: {
      ...Object.fromEntries(Object.keys(parameters.properties).map((key) => [key, `{{input.${key}}}`])),
      call_id: `{{${OUR_CALL_ID}}}`,
      platform_call_id: '{{call_id}}',
    },
    input_schema: parameters,
    timeout: TOOL_TIMEOUT,
    response: { [`${name}_ok`]: '$.ok', [`${name}_message`]: '$.message', ...(name === 'find_slots' && { free_slots: '$.slots' }) },
  }),
}

const Tools = v.object({
  tools: v.array(v.object({ tool: ifPresent(v.object({ name: ifPresent(v.string()), url: ifPresent(v.string()) })) })),
})

/** Bland shows the tools of the account, but not which of them an assistant uses. */
export const blandToolAdvice = async (ask: Ask, connection: Connection, tools: readonly OfferedTool[]): Promise<readonly Advice[]> => {
  const { status, text } = await ask(blandRequest(connection, 'GET', '/v1/tools'))
  const listed = status === 200 ? readPlatformAnswer(Tools, text) : undefined
  if (!listed) return [{ problem: `Bland answered ${status} when asked for the custom tools. Check again later.` }]
  const present = listed.tools.flatMap(({ tool }) => tool ?? [])
  return missingTools(tools, present, 'Create it, with POST /v1/tools, and use it in the pathway or persona.')
}
