import * as v from 'valibot'
import { explainCallingTimes } from '#shared/calling/explain/explain.ts'
import { api } from '#shared/http/api.ts'
import { Dictionary, fieldErrors, fields } from '#shared/http/fields/field.ts'
import { integerField } from '#shared/http/fields/number.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'
import { invalid } from '#shared/platform/values/errors.ts'

const DEFAULT_DAYS = 14
const MOST_DAYS = 31

const DaysQuery = v.pipe(Dictionary, fields({ days: v.optional(integerField({ min: 1, max: MOST_DAYS }), DEFAULT_DAYS) }))

export const handler = api({ auth: 'token', query: ['days'], params: IdParams, find: getOwnLead }, async ({ found, query: { days } }) => {
  const { success, output, issues } = v.safeParse(DaysQuery, days === undefined ? {} : { days })
  if (!success) throw invalid(fieldErrors(issues))
  return ok(await explainCallingTimes(found, output.days))
})
