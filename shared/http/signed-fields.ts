import * as v from 'valibot'
import { invalid } from '../platform/values/errors.ts'
import { fieldErrors } from './fields/field.ts'
import { parseJson } from './json.ts'

/**
 * The fields of a body. The caller has checked its signature before.
 * @throws ServiceError `parse`, or `validation` with every message of every failing field
 */
export const signedFields = <S extends v.GenericSchema>(schema: S, rawBody: string): v.InferOutput<S> => {
  const result = v.safeParse(schema, rawBody === '' ? {} : parseJson(rawBody))
  if (!result.success) throw invalid(fieldErrors(result.issues))
  return result.output
}
