import * as v from 'valibot'
import { invalid } from '#shared/domain/errors.ts'
import { signedFields } from '#shared/http/signed-fields.ts'
import { type Signed, signedCall } from '#shared/operations/signed-call.ts'
import type { Call } from '#shared/schema/call.ts'

/** Parameters of a path below a call. */
export const CallParams = v.object({ call_id: v.string() })

type AboutCall = v.GenericSchema<unknown, { readonly call_id: string }>

/**
 * What the agent of the path's call has signed of it. The body names the call too, so that what was signed of one call cannot be
 * passed off as another's.
 * @throws ServiceError `unsigned`, `parse`, or of validation
 */
export const signedRequest = async <S extends AboutCall>(
  schema: S,
  { params, ...request }: Signed & { readonly params: v.InferOutput<typeof CallParams> },
): Promise<{ readonly call: Call; readonly said: v.InferOutput<S> }> => {
  const call = await signedCall(params.call_id, request)
  const said = signedFields(schema, request.rawBody)
  if (said.call_id !== call.call_id) throw invalid({ call_id: ['This is signed for another call.'] })
  return { call, said }
}
