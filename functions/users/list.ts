import { checkStaff } from '#shared/accounts/requester.ts'
import { listUsers } from '#shared/accounts/user-list.ts'
import { api } from '#shared/http/api.ts'
import { numberedPage, PAGE_PARAMETERS } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, 'search'] }, async (request) => {
  await checkStaff(request.user)
  return ok(await numberedPage(request, await listUsers(request.query['search'] ?? '')))
})
