import { hasInName, representLeadType } from '#shared/accounts/api/lead-type.ts'
import { leadTypesOf } from '#shared/accounts/lead-type-store.ts'
import { api } from '#shared/http/api.ts'
import { PAGE_PARAMETERS, pageOfAll } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, 'search'] }, async (request) => {
  const found = (await leadTypesOf(request.user.id)).filter(hasInName(request.query['search'] ?? ''))
  return ok(await pageOfAll(request, found, representLeadType))
})
