import { compileFilter } from '#shared/domain/filters/compile.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { trialPayload } from '#shared/operations/trial-payload.ts'
import { CheckFilter } from '#shared/schema/requests/check-filter.ts'

export const handler = api({ auth: 'token', body: CheckFilter }, async ({ user, body: { filter_condition, payload, lead_id } }) => {
  const told = payload ?? (await trialPayload(user.id, lead_id ?? 0))
  const received: unknown = JSON.parse(JSON.stringify(told))
  return ok({ matches: compileFilter(filter_condition).matches(received) })
})
