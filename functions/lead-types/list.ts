import { hasInName, representLeadType } from '#shared/accounts/api/lead-type.ts'
import { leadTypesOf } from '#shared/accounts/lead-type-store.ts'
import { api } from '#shared/http/api.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, 'search'] }, async (request) => {
  const { user, query } = request
  const paging = pageOf(request)
  const found = (await leadTypesOf(user.id)).filter(hasInName(query['search'] ?? ''))
  const start = (pageAmong(found.length, paging) - 1) * paging.pageSize
  const results = found.slice(start, start + paging.pageSize).map(representLeadType)
  return ok(envelope({ request, ...paging, count: found.length, results }))
})
