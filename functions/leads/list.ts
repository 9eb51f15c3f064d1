import { namedLeadType } from '#shared/accounts/lead-type.ts'
import { type ApiRequest, api } from '#shared/http/api.ts'
import { readCursor } from '#shared/http/cursor.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { checkPage, cursorEnvelope, numberedPage, PAGE_PARAMETERS, pageOf, sizeOfUnnumbered } from '#shared/http/paging.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { checkCombination, isByChange, LIST_PARAMETERS, type ListAsked, listAsked } from '#shared/leads/api/list-request.ts'
import { isLimited } from '#shared/leads/rules/lead-filter.ts'
import { LOOK_UP_PARAMETERS, lookUpLeads } from '#shared/lists/find-leads.ts'
import { isPlaceOfChange, nameOfChangeList, pageByChange } from '#shared/lists/list-by-change.ts'
import { isPlaceOfValue, pageByValue } from '#shared/lists/list-by-value.ts'
import { type LeadList, listCreated, listLeads } from '#shared/positions/lead-pages.ts'

type Asking = ApiRequest<{ readonly id: number }, unknown, unknown>

const numbered = (request: Asking, list: LeadList) => numberedPage(request, list, (lead) => representLead(lead))

const byChange = async (request: Asking, asked: ListAsked) => {
  const size = sizeOfUnnumbered(request)
  const list = nameOfChangeList(request.user.id, asked)
  const cursor = asked.cursor === undefined ? undefined : readCursor(list, asked.cursor, isPlaceOfChange)
  const { leads, ...page } = await pageByChange(request.user.id, asked, size, cursor)
  return cursorEnvelope({ request, list, ...page, results: leads.map((lead) => representLead(lead)) })
}

const byValue = async (request: Asking, shared: Parameters<typeof pageByValue>[0], asked: ListAsked) => {
  const list = shared.value
  const cursor = asked.cursor === undefined ? undefined : readCursor(list, asked.cursor, isPlaceOfValue)
  const paging = pageOf(request)
  const { leads, ...page } = await pageByValue(shared, paging.pageSize, cursor ?? paging.page)
  if (!cursor) checkPage(page.count, paging)
  return cursorEnvelope({ request, list, ...page, results: leads.map((lead) => representLead(lead)) })
}

export const handler = api({ auth: 'token', query: [...PAGE_PARAMETERS, ...LOOK_UP_PARAMETERS, ...LIST_PARAMETERS] }, async (request) => {
  const { user, query, queryLists } = request
  const asked = listAsked(queryLists)
  if (asked.leadType !== undefined) await namedLeadType(user.id, asked.leadType)
  const lookedUp = await lookUpLeads(user.id, query, asked)
  if (lookedUp) return pageReply('value' in lookedUp ? await byValue(request, lookedUp, asked) : await numbered(request, lookedUp), 'leads')
  checkCombination(asked)
  if (isByChange(asked)) return pageReply(await byChange(request, asked), 'leads')
  const list = isLimited(asked.created) ? await listCreated(user.id, asked.created) : await listLeads(user.id)
  return pageReply(await numbered(request, list), 'leads')
})
