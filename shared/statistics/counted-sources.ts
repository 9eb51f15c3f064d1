import * as v from 'valibot'
import { countedSourcesKey } from '../platform/keys.ts'
import { getItem, onCondition, updateItem } from '../platform/table/table.ts'
import { MOST_SOURCES, OTHER_SOURCES } from './rules/source-name.ts'

/** A set that has no members is no attribute. */
export const CountedSources = v.object({ sources: v.optional(v.set(v.string()), new Set()) })

const storedSources = async (owner: number): Promise<ReadonlySet<string>> =>
  (await getItem(CountedSources, countedSourcesKey(owner)))?.sources ?? new Set()

/** Adds a source, unless the list is full. @returns the sources then */
const addSource = async (owner: number, source: string): Promise<ReadonlySet<string>> => {
  const added = await onCondition(
    updateItem(countedSourcesKey(owner), {
      UpdateExpression: 'ADD sources :added',
      ConditionExpression: 'attribute_not_exists(sources) OR size(sources) < :most OR contains(sources, :source)',
      ExpressionAttributeValues: { ':added': new Set([source]), ':source': source, ':most': MOST_SOURCES },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return added.isMet ? v.parse(CountedSources, added.result).sources : storedSources(owner)
}

/** Whether a source has numbers of its own, or may get them. All further sources count together. */
export const isCountedByName = async (owner: number, source: string): Promise<boolean> => {
  const known = await storedSources(owner)
  return source === OTHER_SOURCES || known.size < MOST_SOURCES || known.has(source)
}

/** Owners whose sources are remembered. */
const MOST_OWNERS = 1000
/** Sources that were read before. A source is never removed, so what was read stays true. */
const remembered = new Map<number, ReadonlySet<string>>()

/**
 * The lead sources of an owner that are counted by name, after these have been added as far as there is room. A source is in the list before
 * anything is counted under its name. Once the list is full, it never changes. So a source is counted under the same name for ever.
 */
export const sourcesWith = async (owner: number, sources: Iterable<string>): Promise<ReadonlySet<string>> => {
  let known = remembered.get(owner) ?? new Set<string>()
  const isMissing = (source: string): boolean => source !== '' && known.size < MOST_SOURCES && !known.has(source)
  const missing = [...sources].filter(isMissing)
  if (missing.length === 0) return known
  known = await storedSources(owner)
  for (const source of missing) if (isMissing(source)) known = await addSource(owner, source)
  if (remembered.size >= MOST_OWNERS) remembered.clear()
  remembered.set(owner, known)
  return known
}
