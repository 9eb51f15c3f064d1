import * as v from 'valibot'
import { getAgent } from '#shared/agents/agent-store.ts'
import { baseUrlOf, platformCallbackUrl } from '#shared/agents/rules/call-request.ts'
import { isFromAgent, translateCallback } from '#shared/agents/voice-agent.ts'
import { requestCancel } from '#shared/backlog/dispatch.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { cancelIfStopped } from '#shared/calling/cancel.ts'
import { applyLateTranslation, applyTranslation } from '#shared/calling/take-report.ts'
import { getErasedCall } from '#shared/erasure/erased-call-store.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { logger } from '#shared/platform/logger.ts'
import { ServiceError, unsigned } from '#shared/platform/values/errors.ts'

const Params = v.object({ agent: v.string() })

/** No agent has a longer key, and the table refuses very long ones. */
const LONGEST_KEY = 50

/** Not an error: a platform may repeat an event that is refused, and it stops sending after many refusals. */
const ignored = ok({ status: 'ignored' })

/** The event of a voice platform, in our terms. Its signature is checked first. */
export const handler = api({ auth: 'none', params: Params, query: ['call'] }, async ({ params, url, query, rawBody, headers }) => {
  const agent = params.agent.length > LONGEST_KEY ? undefined : await getAgent(params.agent)
  const callback = { url: platformCallbackUrl(baseUrlOf(url), params.agent, query['call']), rawBody, headers, at: now() }
  if (!agent?.platform || !(await isFromAgent(agent, callback))) throw unsigned()
  const translation = translateCallback(agent, callback)
  if (!translation) throw new ServiceError('parse', 'The body is not an event that the platform documents.')
  const { callId, platformCallId } = translation
  const call = callId === null ? undefined : ((await getCall(callId)) ?? (await getErasedCall(callId)))
  if (call?.agent !== agent.id) return ignored
  if ('erased_time' in call) {
    await applyLateTranslation(call, translation)
    return ok({ status: 'accepted' })
  }
  if (platformCallId !== null && call.provider_call_id !== null && call.provider_call_id !== platformCallId) {
    logger.error('A platform reports a second call for one attempt.', {
      call: call.call_id,
      first: call.provider_call_id,
      second: platformCallId,
    })
    return ignored
  }
  const updated = await applyTranslation(call, translation, rawBody)
  // A platform is not told about stops in our answer, as an agent of our own protocol is.
  if (updated && !(await cancelIfStopped(updated))) await requestCancel({ owner: call.owner, callId: call.call_id })
  return ok({ status: 'accepted' })
})
