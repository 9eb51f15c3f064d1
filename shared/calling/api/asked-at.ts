import * as v from 'valibot'
import { booleanField } from '../../http/fields/choice.ts'
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

const asked = ({ disclosures }: Record<string, unknown>): Record<string, unknown> => (disclosures === undefined ? {} : { disclosures })

const DisclosuresQuery = v.pipe(Dictionary, v.transform(asked), fields({ disclosures: v.optional(booleanField(), false) }))

/** Whether a query asks what the agent must say. @throws ServiceError when `disclosures` is not a boolean */
export const asksForDisclosures = (query: Readonly<Record<string, string>>): boolean => {
  const { success, output, issues } = v.safeParse(DisclosuresQuery, query)
  if (!success) throw invalid(fieldErrors(issues))
  return output.disclosures
}
