import * as v from 'valibot'
import { invalid } from '../domain/errors.ts'
import { fieldErrors } from '../schema/fields/field.ts'
import { wellFormed } from '../schema/told-text.ts'
import { parseJson } from './json.ts'

/**
 * The fields of a body whose signature was checked before it was looked at. Half characters, which the table cannot hold, do not
 * keep the rest from being taken up.
 * @throws ServiceError `parse`, or of validation with every message of every failing field
 */
export const signedFields = <S extends v.GenericSchema>(schema: S, rawBody: string): v.InferOutput<S> => {
  const result = v.safeParse(schema, rawBody === '' ? {} : wellFormed(parseJson(rawBody)))
  if (!result.success) throw invalid(fieldErrors(result.issues))
  return result.output
}
