import * as v from 'valibot'
import { type Signed, signedCall, signedCallEver } from '#shared/agents/signed-call.ts'
import type { Call } from '#shared/calling/call.ts'
import type { ErasedCall } from '#shared/erasure/erased-call-store.ts'
import { fieldErrors } from '#shared/http/fields/field.ts'
import { parseJson } from '#shared/http/json.ts'
import { invalid } from '#shared/platform/values/errors.ts'

/**
 * The fields of a body. The caller has checked its signature before.
 * @throws ServiceError `parse`, or `validation` with every message of every failing field
 */
export const signedFields = <S extends v.GenericSchema>(schema: S, rawBody: string): v.InferOutput<S> => {
  const result = v.safeParse(schema, rawBody === '' ? {} : parseJson(rawBody))
  if (!result.success) throw invalid(fieldErrors(result.issues))
  return result.output
}

/** Path parameters of the routes below a call. */
export const CallParams = v.object({ call_id: v.string() })

type AboutCall = v.GenericSchema<unknown, { readonly call_id: string }>

type Request = Signed & { readonly params: v.InferOutput<typeof CallParams> }

interface Said<S extends AboutCall, C> {
  readonly call: C
  readonly said: v.InferOutput<S>
}

/** The body names the call too, so that a body signed for one call cannot be used for another. */
const saidOf = <S extends AboutCall, C extends { readonly call_id: string }>(schema: S, call: C, { rawBody }: Signed): Said<S, C> => {
  const said = signedFields(schema, rawBody)
  if (said.call_id !== call.call_id) throw invalid({ call_id: ['The body names another call than the path.'] })
  return { call, said }
}

/** The call of the path, and a body that its agent signed. @throws ServiceError `unsigned`, `parse`, or of validation */
export const signedRequest = async <S extends AboutCall>(schema: S, { params, ...request }: Request): Promise<Said<S, Call>> =>
  saidOf(schema, await signedCall(params.call_id, request), request)

/** As `signedRequest`, but also accepts a call whose person has been erased since. */
export const signedReport = async <S extends AboutCall>(schema: S, { params, ...request }: Request): Promise<Said<S, Call | ErasedCall>> =>
  saidOf(schema, await signedCallEver(params.call_id, request), request)
