import { api } from '#shared/http/api.ts'
import { numberedPage, PAGE_PARAMETERS } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { shownUploads } from '#shared/uploads/uploads.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS }, async (request) =>
  ok(await numberedPage(request, await shownUploads(request.user.id))),
)
