import * as v from 'valibot'
import { invalid } from '#shared/domain/errors.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { lookUpOnList } from '#shared/operations/dnc-list.ts'
import { fieldErrors } from '#shared/schema/fields/field.ts'
import { LookUpOnList } from '#shared/schema/requests/dnc.ts'

export const handler = api({ auth: 'token' }, async ({ user, query }) => {
  const asked = v.safeParse(LookUpOnList, query)
  if (!asked.success) throw invalid(fieldErrors(asked.issues))
  return ok(await lookUpOnList(user.id, asked.output.phone_number))
})
