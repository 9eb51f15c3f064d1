import { setLatest } from '../../../platform/values/latest.ts'
import type { Subscription } from '../../webhook.ts'
import { predicate } from './evaluator.ts'
import { parseFilter } from './parse.ts'

interface Filter {
  /** Whether a payload (parsed JSON) matches. Missing values are null. Never throws. */
  readonly matches: (payload: unknown) => boolean
}

/** Most compiled conditions in the cache. The longest needs some 140 KB, so all need less than 64 MiB. */
const MAX_KEPT = 400

const ALWAYS: Filter = { matches: () => true }

const kept = new Map<string, Filter>()

const compile = (text: string): Filter => ({ matches: predicate(parseFilter(text)) })

/** The cache evicts the least recently used condition. */
const keep = (text: string, filter: Filter): Filter => {
  setLatest(kept, text, filter, MAX_KEPT)
  return filter
}

/** Compiles a condition, with a cache. A blank one always matches. @throws FilterError */
export const compileFilter = (text: string): Filter => (text.trim() === '' ? ALWAYS : keep(text, kept.get(text) ?? compile(text)))

/** Subscriptions whose filter matches the payload as sent. The payload is parsed only if a filter needs it. */
export const fitting = <S extends Pick<Subscription, 'filter_condition'>>(subscriptions: readonly S[], payload: string): readonly S[] => {
  if (subscriptions.every(({ filter_condition }) => filter_condition === '')) return subscriptions
  const received: unknown = JSON.parse(payload)
  return subscriptions.filter(({ filter_condition }) => compileFilter(filter_condition).matches(received))
}
