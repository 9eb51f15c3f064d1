import type { Subscription } from '../webhook.ts'
import { compileFilter } from './filter/compile.ts'

/** Subscriptions whose filter matches the payload as sent. The payload is parsed only if a filter needs it. */
export const fitting = (subscriptions: readonly Subscription[], payload: string): readonly Subscription[] => {
  if (subscriptions.every(({ filter_condition }) => filter_condition === '')) return subscriptions
  const received: unknown = JSON.parse(payload)
  return subscriptions.filter(({ filter_condition }) => compileFilter(filter_condition).matches(received))
}
