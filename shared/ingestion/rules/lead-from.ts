import * as v from 'valibot'
import { fieldErrors } from '../../http/fields/field.ts'
import { type FieldErrors, invalid } from '../../platform/values/errors.ts'
import type { Mapped } from './compile.ts'
import { toProvider } from './to-provider.ts'

/** A field that a transform refused is not missing besides. */
const together = (mapped: FieldErrors, found: FieldErrors): FieldErrors =>
  Object.fromEntries([...Object.entries(found), ...Object.entries(mapped)])

/**
 * What a mapping made, as a request to make a lead.
 * @param schema of the request
 * @param leadType of a lead that is made; null: its owner's default one
 * @throws ServiceError of validation, by the provider's names
 */
export const leadFrom = <S extends v.GenericSchema>(schema: S, mapped: Mapped, leadType: number | null): v.InferOutput<S> => {
  const { values, origins, errors } = mapped
  const result = v.safeParse(schema, { ...values, lead_type: leadType })
  if (result.success && Object.keys(errors).length === 0) return result.output
  throw invalid(together(errors, toProvider(fieldErrors(result.issues ?? []), origins)))
}
