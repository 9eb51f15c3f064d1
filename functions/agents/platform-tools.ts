import * as v from 'valibot'
import { ToolRequest } from '#shared/agents/api/tool-request.ts'
import { isToolRequest } from '#shared/agents/platform-requests.ts'
import { baseUrlOf, platformToolUrl } from '#shared/agents/rules/call-request.ts'
import { agentOnPlatform, takeFromPlatform } from '#shared/agents/take-from-platform.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { notFound, unsigned } from '#shared/platform/values/errors.ts'
import { patiently } from './patiently.ts'
import { signedFields } from './signed-request.ts'

const Params = v.object({ agent: v.string(), tool: v.string() })

/**
 * A tool that an assistant calls during a call, with its arguments as the body. A tool that could not do its work answers 200 as well, with
 * `ok: false`: most platforms hide the body of an error from the language model.
 */
export const handler = api(
  { auth: 'none', params: Params },
  patiently(async ({ params: { agent: key, tool }, url, rawBody, headers }) => {
    const agent = await agentOnPlatform(key)
    const at = now()
    const request = { url: platformToolUrl(baseUrlOf(url), key, tool), rawBody, headers, at }
    if (!agent || !(await isToolRequest(agent, request))) throw unsigned()
    const { call_id, platform_call_id, args } = signedFields(ToolRequest, rawBody)
    const asks = [{ id: null, name: tool, args, time: new Date(at).toISOString() }]
    const translation = { callId: call_id, platformCallId: null, reports: [], asks }
    const { status, results } = await takeFromPlatform(agent, translation, { claimed: platform_call_id, text: rawBody })
    // The same answer for a call of another agent, for a call that ended long ago, and for an unknown call.
    if (status === 'ignored') throw notFound()
    return ok(results[0]?.answer)
  }),
)
