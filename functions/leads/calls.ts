import { representCall } from '#shared/calling/api/call.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import { api } from '#shared/http/api.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { PAGE_PARAMETERS, pageOfAll } from '#shared/http/paging.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS, params: IdParams, find: getOwnLead }, async (request) =>
  pageReply(await pageOfAll(request, await callsOf(request.found.id), representCall), 'calls'),
)
