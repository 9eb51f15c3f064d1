import * as v from 'valibot'
import { getAgent } from '#shared/agents/agent-store.ts'
import { baseUrlOf, platformCallbackUrl } from '#shared/agents/rules/call-request.ts'
import { isFromAgent, translateCallback } from '#shared/agents/voice-agent.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { takeEvent } from '#shared/calling/platform-events/take-event.ts'
import { getErasedCall } from '#shared/erasure/erased-call-store.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
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
  const { callId } = translation
  const call = callId === null ? undefined : ((await getCall(callId)) ?? (await getErasedCall(callId)))
  if (call?.agent !== agent.id) return ignored
  return (await takeEvent(call, translation, rawBody)) ? ok({ status: 'accepted' }) : ignored
})
