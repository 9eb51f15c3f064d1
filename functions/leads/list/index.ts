import { invalid } from '#shared/domain/errors.ts'
import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { envelope, pageAmong, pageOf } from '#shared/http/paging.ts'
import type { Reply } from '#shared/http/reply.ts'
import { listLeads } from '#shared/storage/lead-pages.ts'
import { lookUpLeads } from './look-up.ts'

/** Bytes of an answer: Lambda hands over no more than 6 MB, and the gateway would say nothing but "server error". */
const MAX_BYTES = 5_500_000

/** @throws ServiceError under `page_size` when leads with much metadata make a page that cannot be sent */
const fitting = (body: unknown): Reply => {
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) <= MAX_BYTES) return { status: 200, text, headers: { 'Content-Type': 'application/json' } }
  throw invalid({ page_size: ['These leads are too large to be sent together. Use a smaller page_size.'] })
}

export const handler = api({ auth: 'token' }, async (request) => {
  const { user, query } = request
  const paging = pageOf(request)
  const list = (await lookUpLeads(user.id, query)) ?? (await listLeads(user.id))
  const page = pageAmong(list.count, paging)
  const leads = await list.page((page - 1) * paging.pageSize, paging.pageSize)
  return fitting(envelope({ request, ...paging, count: list.count, results: leads.map((lead) => representLead(lead)) }))
})
