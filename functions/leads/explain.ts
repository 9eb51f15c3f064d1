import * as v from 'valibot'
import { explainLead } from '#shared/calling/explain.ts'
import { api } from '#shared/http/api.ts'
import { dateTimeField, withOffsetPlus } from '#shared/http/fields/date-time.ts'
import { Dictionary, fieldErrors, fields } from '#shared/http/fields/field.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'
import { invalid } from '#shared/platform/values/errors.ts'

const given = ({ at }: Record<string, unknown>): Record<string, unknown> => (typeof at === 'string' ? { at: withOffsetPlus(at) } : {})

const ExplainQuery = v.pipe(Dictionary, v.transform(given), fields({ at: v.optional(dateTimeField()) }))

export const handler = api({ auth: 'token', query: ['at'], params: IdParams, find: getOwnLead }, async ({ found, query }) => {
  const { success, output, issues } = v.safeParse(ExplainQuery, query)
  if (!success) throw invalid(fieldErrors(issues))
  return ok(await explainLead(found, output.at))
})
