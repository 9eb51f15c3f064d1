import { RETRY_KEYS } from '#shared/platform/keys.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { type DueDelivery, overdueDeliveryPages } from '#shared/webhooks/delivery-store.ts'
import { allPages } from './all-pages.ts'

/** Deliveries that are due before `until`. */
export const dueDeliveries = async (until: Instant): Promise<DueDelivery[]> =>
  (await Promise.all(RETRY_KEYS.map((key) => allPages(overdueDeliveryPages(key, until))))).flat()
