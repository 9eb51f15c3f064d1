import type { Subscription } from '../webhook.ts'
import { compileFilter } from './filter/compile.ts'

/** Those whose filter the payload fits, judged as whoever receives it would. Without conditions to check, it is left unread. */
export const fitting = (subscriptions: readonly Subscription[], payload: string): readonly Subscription[] => {
  if (subscriptions.every(({ filter_condition }) => filter_condition === '')) return subscriptions
  const received: unknown = JSON.parse(payload)
  return subscriptions.filter(({ filter_condition }) => compileFilter(filter_condition).matches(received))
}
