import type { DELIVERY_STATUSES } from '../webhook.ts'

/** Meanings for the API document and the references, one sentence each. No function imports them. */
export const DELIVERY_STATUS_MEANINGS: Readonly<Record<(typeof DELIVERY_STATUSES)[number], string>> = {
  pending: 'The first attempt or a retry is still to come.',
  delivered: 'The destination answered 2xx.',
  failed: 'No further attempt follows: all ten failed, or another attempt would fail in the same way.',
  disabled: 'The service does not send it, because its subscription is disabled or deleted.',
}
