import { isSignedBy } from '../adapters/voice-agent.ts'
import { unsigned } from '../domain/errors.ts'
import type { Call } from '../schema/call.ts'
import { getAgent } from '../storage/agents.ts'
import { getCall } from '../storage/calls.ts'

/** A request as it came: its bytes as text, its headers by names in lower case. */
export interface Signed {
  readonly rawBody: string
  readonly headers: Readonly<Record<string, string>>
}

/** @throws ServiceError `unsigned` when the agent did not sign the request, not long ago; or when there is no agent */
export const checkSignature = async (agentId: string, { rawBody, headers }: Signed): Promise<void> => {
  const agent = await getAgent(agentId)
  if (!agent || !isSignedBy(agent, rawBody, headers)) throw unsigned()
}

/** The call, if its own agent signed the request. @throws ServiceError `unsigned`, also when there is no such call */
export const signedCall = async (callId: string, request: Signed): Promise<Call> => {
  const call = await getCall(callId)
  if (!call) throw unsigned()
  await checkSignature(call.agent, request)
  return call
}
