import type { Instant } from '#shared/platform/values/values.ts'
import { type DueDelivery, overdueDeliveryPages } from '#shared/webhooks/delivery-store.ts'
import { allPages } from './all-pages.ts'

/** Deliveries of a shard that are due before `until`, the longest overdue first. */
export const dueDeliveries = (shard: number, until: Instant): Promise<DueDelivery[]> => allPages(overdueDeliveryPages(shard, until))
