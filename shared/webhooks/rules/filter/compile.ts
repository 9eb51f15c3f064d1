import { predicate } from './evaluator.ts'
import { parseFilter } from './parse.ts'

export interface Filter {
  /** Whether a payload fits, given as parsed JSON. What the payload lacks is null: it never throws. */
  readonly matches: (payload: unknown) => boolean
}

/** Conditions kept compiled. The longest takes some 100 KB. */
const MAX_KEPT = 500

const ALWAYS: Filter = { matches: () => true }

const kept = new Map<string, Filter>()

const compile = (text: string): Filter => ({ matches: predicate(parseFilter(text)) })

/** What was asked for last stands last; what was not asked for the longest makes room. */
const keep = (text: string, filter: Filter): Filter => {
  kept.delete(text)
  const [oldest] = kept.size < MAX_KEPT ? [] : kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(text, filter)
  return filter
}

/** The same text is compiled once, and again when many others came since. Blank always matches. @throws FilterError */
export const compileFilter = (text: string): Filter => (text.trim() === '' ? ALWAYS : keep(text, kept.get(text) ?? compile(text)))
