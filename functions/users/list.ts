import { checkStaff } from '#shared/accounts/staff.ts'
import { listUsers } from '#shared/accounts/user-list.ts'
import { api } from '#shared/http/api.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, 'search'] }, async (request) => {
  await checkStaff(request.user)
  const paging = pageOf(request)
  const { count, page } = await listUsers(request.query['search'] ?? '')
  const skip = (pageAmong(count, paging) - 1) * paging.pageSize
  return ok(envelope({ request, ...paging, count, results: await page(skip, paging.pageSize) }))
})
