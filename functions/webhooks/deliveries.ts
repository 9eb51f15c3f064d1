import { type ApiRequest, api } from '#shared/http/api.ts'
import { readCursor } from '#shared/http/cursor.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { checkPage, cursorEnvelope, PAGE_PARAMETERS, pageOf } from '#shared/http/paging.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { now } from '#shared/platform/clock.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { DELIVERIES_PARAMETERS, FAILED, isStatusAsked } from '#shared/webhooks/api/status-filter.ts'
import { isPlaceOfDelivery, pageOfFailed, pageOfLog } from '#shared/webhooks/delivery-log.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'

const deliveries = async (request: ApiRequest<unknown, unknown, unknown, Subscription>) => {
  const { found, query } = request
  const isFailed = isStatusAsked(query, { listed: FAILED, all: 'deliveries' })
  const list = `${isFailed ? 'failed ' : ''}deliveries of ${found.id}`
  const cursor = query['cursor'] === undefined ? undefined : readCursor(list, query['cursor'], isPlaceOfDelivery)
  const paging = pageOf(request)
  const asked = { size: paging.pageSize, place: cursor ?? paging.page }
  const { deliveries: shown, ...page } = await (isFailed ? pageOfFailed : pageOfLog)(found, now(), asked)
  if (!cursor) checkPage(page.count, paging)
  return cursorEnvelope({ request, list, ...page, results: shown.map((delivery) => representDelivery(delivery, found)) })
}

export const handler = api(
  { auth: 'token', query: [...PAGE_PARAMETERS, ...DELIVERIES_PARAMETERS], params: IdParams, find: getSubscription },
  async (request) => pageReply(await deliveries(request), 'deliveries'),
)
