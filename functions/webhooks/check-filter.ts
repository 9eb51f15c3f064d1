import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { CheckFilter } from '#shared/webhooks/api/filter.ts'
import { compileFilter } from '#shared/webhooks/rules/filter/filter.ts'
import { unknownFilterFields } from '#shared/webhooks/rules/filter/unknown-fields.ts'
import { trialPayload } from '#shared/webhooks/trial-payload.ts'

export const handler = api({ auth: 'token', body: CheckFilter }, async ({ user, body: { filter_condition, payload, lead_id } }) => {
  const sample = payload ?? (await trialPayload(user.id, lead_id ?? 0))
  const received: unknown = JSON.parse(JSON.stringify(sample))
  const matches = compileFilter(filter_condition).matches(received)
  return withWarnings(ok({ matches }), unknownFilterFields(filter_condition))
})
