import type { Call } from '../calling/call.ts'
import { getCall } from '../calling/call-store.ts'
import { type ErasedCall, getCallEver } from '../erasure/erased-call-store.ts'
import { unsigned } from '../platform/values/errors.ts'
import { getAgent } from './agent-store.ts'
import { isSignedWith } from './platforms/open/adapter.ts'

/** A request as it came: its body as text, its headers by lower-case name. */
export interface Signed {
  readonly rawBody: string
  readonly headers: Readonly<Record<string, string>>
}

/** @throws ServiceError `unsigned` when there is no agent, its signature is missing or wrong, or the timestamp is too old */
export const checkSignature = async (agentId: string, { rawBody, headers }: Signed): Promise<void> => {
  const agent = await getAgent(agentId)
  if (!agent || !isSignedWith(agent.secrets, rawBody, headers)) throw unsigned()
}

const ofTheirAgent = async <C extends { readonly agent: string }>(call: C | undefined, request: Signed): Promise<C> => {
  if (!call) throw unsigned()
  await checkSignature(call.agent, request)
  return call
}

/** The call, if its own agent signed the request. @throws ServiceError `unsigned`, also when there is no such call */
export const signedCall = async (callId: string, request: Signed): Promise<Call> => ofTheirAgent(await getCall(callId), request)

/** Like `signedCall`, but returns the remaining record of a call whose person has been erased. */
export const signedCallEver = async (callId: string, request: Signed): Promise<Call | ErasedCall> =>
  ofTheirAgent(await getCallEver(callId), request)
