import * as v from 'valibot'
import { fieldErrors } from '../../http/fields/field.ts'
import { type FieldErrors, invalid } from '../../platform/values/errors.ts'
import type { Mapped } from './compile.ts'
import { toProvider } from './to-provider.ts'

/** The mapping's own error wins: a field that a transform refused must not also be reported as missing. */
const together = (mapped: FieldErrors, found: FieldErrors): FieldErrors =>
  Object.fromEntries([...Object.entries(found), ...Object.entries(mapped)])

/**
 * Parses the mapped values as a request for a lead.
 * @param schema of the request
 * @param leadType type of a lead that is created; null: the owner's default type
 * @throws ServiceError with validation errors under the provider's field names
 */
export const leadFrom = <S extends v.GenericSchema>(schema: S, mapped: Mapped, leadType: number | null): v.InferOutput<S> => {
  const { values, origins, errors } = mapped
  const result = v.safeParse(schema, { ...values, lead_type: leadType })
  if (result.success && Object.keys(errors).length === 0) return result.output
  throw invalid(together(errors, toProvider(fieldErrors(result.issues ?? []), origins)))
}
