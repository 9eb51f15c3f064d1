import * as v from 'valibot'
import { isFromAgent } from '#shared/agents/platform-requests.ts'
import { baseUrlOf, platformCallbackUrl } from '#shared/agents/rules/call-request.ts'
import { agentOnPlatform, takeFromPlatform } from '#shared/agents/take-from-platform.ts'
import { answerToTools, translateCallback } from '#shared/agents/voice-agent.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { ServiceError, unsigned } from '#shared/platform/values/errors.ts'
import { patiently } from './patiently.ts'

const Params = v.object({ agent: v.string() })

/**
 * The event of a voice platform, in our terms. Its signature is checked first. An event about no call of ours is no error: a platform may
 * repeat an event that is refused, and it stops sending after many refusals.
 */
export const handler = api(
  { auth: 'none', params: Params, query: ['call'] },
  patiently(async ({ params, url, query, rawBody, headers }) => {
    const agent = await agentOnPlatform(params.agent)
    const callback = { url: platformCallbackUrl(baseUrlOf(url), params.agent, query['call']), rawBody, headers, at: now() }
    if (!agent || !(await isFromAgent(agent, callback))) throw unsigned()
    const translation = translateCallback(agent, callback)
    if (!translation) throw new ServiceError('parse', 'The body is not an event that the platform documents.')
    const { status, results } = await takeFromPlatform(agent, translation, { text: rawBody })
    return ok(results.length === 0 ? { status } : answerToTools(agent, results))
  }),
)
