import * as v from 'valibot'
import { dateTimeField, withOffsetPlus } from '../../http/fields/date-time.ts'
import { Dictionary, fieldErrors, fields } from '../../http/fields/field.ts'
import { invalid } from '../../platform/values/errors.ts'
import type { Instant } from '../../platform/values/values.ts'

const given = ({ at }: Record<string, unknown>): Record<string, unknown> => (typeof at === 'string' ? { at: withOffsetPlus(at) } : {})

const AtQuery = v.pipe(Dictionary, v.transform(given), fields({ at: v.optional(dateTimeField()) }))

/** The instant that a query asks about; undefined for now. @throws ServiceError when `at` is not a datetime */
export const askedAt = (query: Readonly<Record<string, string>>): Instant | undefined => {
  const { success, output, issues } = v.safeParse(AtQuery, query)
  if (!success) throw invalid(fieldErrors(issues))
  return output.at
}
