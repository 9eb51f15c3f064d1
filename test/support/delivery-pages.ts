import { handler } from '#functions/webhooks/deliveries.ts'
import { request } from './world.ts'

/** A page of the delivery log. */
export interface LogPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly { readonly delivery_id: string }[]
}

/** Asks for a page of the deliveries of a subscription. */
export const askForDeliveries = (id: number, query: string) =>
  request(handler, { method: 'GET', path: `/api/webhooks/${id}/deliveries/?${query}`, parameters: { id: `${id}` } })
