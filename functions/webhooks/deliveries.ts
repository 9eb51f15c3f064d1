import { type ApiRequest, api } from '#shared/http/api.ts'
import { readCursor } from '#shared/http/cursor.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { cursorEnvelope, numberedPage, PAGE_PARAMETERS, sizeOfUnnumbered } from '#shared/http/paging.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { now } from '#shared/platform/clock.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { DELIVERIES_PARAMETERS, FAILED, isStatusAsked } from '#shared/webhooks/api/status-filter.ts'
import { deliveryLog, isFailedPlace, nameOfFailedList, pageOfFailed } from '#shared/webhooks/delivery-log.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'

type DeliveriesRequest = ApiRequest<unknown, unknown, unknown, Subscription>

const allDeliveries = async (request: DeliveriesRequest) =>
  numberedPage(request, await deliveryLog(request.found, now()), (delivery) => representDelivery(delivery, request.found))

const failedDeliveries = async (request: DeliveriesRequest, written: string | undefined) => {
  const size = sizeOfUnnumbered(request)
  const list = nameOfFailedList(request.found.id)
  const cursor = written === undefined ? undefined : readCursor(list, written, isFailedPlace)
  const { deliveries, ...page } = await pageOfFailed(request.found, now(), size, cursor)
  return cursorEnvelope({ request, list, ...page, results: deliveries.map((delivery) => representDelivery(delivery, request.found)) })
}

export const handler = api(
  { auth: 'token', query: [...PAGE_PARAMETERS, ...DELIVERIES_PARAMETERS], params: IdParams, find: getSubscription },
  async (request) => {
    const { cursor } = request.query
    // Only pages of this list have cursors.
    const isFailed = isStatusAsked(request.query, { listed: FAILED, all: 'deliveries' }) || cursor !== undefined
    return pageReply(isFailed ? await failedDeliveries(request, cursor) : await allDeliveries(request), 'deliveries')
  },
)
