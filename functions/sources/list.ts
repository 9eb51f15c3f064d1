import { api } from '#shared/http/api.ts'
import { PAGE_PARAMETERS, pageOfAll } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { representSource } from '#shared/ingestion/api/source.ts'
import { sourcesOf } from '#shared/ingestion/source-store.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS }, async (request) =>
  ok(await pageOfAll(request, await sourcesOf(request.user.id), representSource)),
)
