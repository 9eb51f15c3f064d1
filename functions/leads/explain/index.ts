import * as v from 'valibot'
import { invalid } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { explainLead } from '#shared/operations/explain.ts'
import { fieldErrors } from '#shared/schema/fields/field.ts'
import { getOwnLead } from '#shared/storage/leads.ts'
import { ExplainQuery } from './schema.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getOwnLead }, async ({ found, query }) => {
  const { success, output, issues } = v.safeParse(ExplainQuery, query)
  if (!success) throw invalid(fieldErrors(issues))
  return ok(await explainLead(found, output.at))
})
