import { api } from '#shared/http/api.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { LOOK_UP_PARAMETERS, lookUpLeads } from '#shared/leads/find-leads.ts'
import { listLeads } from '#shared/positions/lead-pages.ts'

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, ...LOOK_UP_PARAMETERS] }, async (request) => {
  const { user, query } = request
  const paging = pageOf(request)
  const list = (await lookUpLeads(user.id, query)) ?? (await listLeads(user.id))
  const page = pageAmong(list.count, paging)
  const leads = await list.page((page - 1) * paging.pageSize, paging.pageSize)
  return pageReply(envelope({ request, ...paging, count: list.count, results: leads.map((lead) => representLead(lead)) }), 'leads')
})
