import { api } from '#shared/http/api.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { envelope, PAGE_PARAMETERS, pageAmong, pageOf } from '#shared/http/paging.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { now } from '#shared/platform/clock.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { deliveryLog } from '#shared/webhooks/delivery-log.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'

export const handler = api({ auth: 'token', query: PAGE_PARAMETERS, params: IdParams, find: getSubscription }, async (request) => {
  const paging = pageOf(request)
  const log = await deliveryLog(request.found, now())
  const skip = (pageAmong(log.count, paging) - 1) * paging.pageSize
  const deliveries = await log.page(skip, paging.pageSize)
  const results = deliveries.map((delivery) => representDelivery(delivery, request.found))
  return pageReply(envelope({ request, ...paging, count: log.count, results }), 'deliveries')
})
