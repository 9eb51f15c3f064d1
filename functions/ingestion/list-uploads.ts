import { api } from '#shared/http/api.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { shownUploads } from '#shared/uploads/uploads.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS }, async (request) => {
  const paging = pageOf(request)
  const { count, page } = await shownUploads(request.user.id)
  const skip = (pageAmong(count, paging) - 1) * paging.pageSize
  return ok(envelope({ request, ...paging, count, results: await page(skip, paging.pageSize) }))
})
