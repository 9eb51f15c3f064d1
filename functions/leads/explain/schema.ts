import * as v from 'valibot'
import { dateTimeField } from '#shared/http/fields/date-time.ts'
import { Dictionary, fields } from '#shared/http/fields/field.ts'

/** A plus sign that was not escaped arrives as a space. Only the one before an offset is restored, not the one before a time. */
const withPlus = (text: string): string => text.trim().replace(/(:\d\d(?:[.,]\d+)?) (?=\d\d(?::?\d\d)?$)/, '$1+')

const given = ({ at }: Record<string, unknown>): Record<string, unknown> => (typeof at === 'string' ? { at: withPlus(at) } : {})

export const ExplainQuery = v.pipe(Dictionary, v.transform(given), fields({ at: v.optional(dateTimeField()) }))
