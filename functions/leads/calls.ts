import { representCall } from '#shared/calling/api/call.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import { api } from '#shared/http/api.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS, params: IdParams, find: getOwnLead }, async (request) => {
  const paging = pageOf(request)
  const calls = await callsOf(request.found.id)
  const start = (pageAmong(calls.length, paging) - 1) * paging.pageSize
  const results = calls.slice(start, start + paging.pageSize).map((call) => representCall(call))
  return pageReply(envelope({ request, ...paging, count: calls.length, results }), 'calls')
})
