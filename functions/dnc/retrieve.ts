import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { fieldErrors } from '#shared/http/fields/field.ts'
import { ok } from '#shared/http/reply.ts'
import { invalid } from '#shared/platform/values/errors.ts'
import { LookUpOnList } from '#shared/stops/api/dnc.ts'
import { lookUpOnList } from '#shared/stops/dnc-list.ts'

export const handler = api({ auth: 'token', query: ['phone_number'] }, async ({ user, query }) => {
  const asked = v.safeParse(LookUpOnList, query)
  if (!asked.success) throw invalid(fieldErrors(asked.issues))
  return ok(await lookUpOnList(user.id, asked.output.phone_number))
})
