import * as v from 'valibot'
import { NAMES, nameKey } from '../platform/keys.ts'
import { deleteItem, getItem, ifConditionHolds, partitionItems, putItem, queryAll } from '../platform/table/table.ts'

/**
 * The operator's names for things. The first apply of a configuration file assigns an id to each name. The name keeps that id from then on.
 */

export const NAMED = ['USER', 'LEADTYPE', 'AGENT', 'DNCGROUP', 'URL'] as const
export type Named = (typeof NAMED)[number]

export interface Name {
  readonly kind: Named
  /** The name, below that of its user where it has one: `['acme', 'solar']`. */
  readonly keys: readonly string[]
  readonly id: number | string
}

const Item = v.pipe(
  v.object({ sk: v.string(), id: v.union([v.number(), v.string()]) }),
  v.transform(({ sk, id }) => {
    const [kind, ...keys] = sk.split('#')
    return { kind, keys, id }
  }),
  v.object({ kind: v.picklist(NAMED), keys: v.array(v.string()), id: v.union([v.number(), v.string()]) }),
)

/** All names that the operator's files have given to things. Strongly consistent. */
export const allNames = (): Promise<Name[]> => partitionItems(Item, NAMES)

/** As `allNames`, for one kind of things. */
export const namesOfKind = (kind: Named): Promise<Name[]> =>
  queryAll(Item, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :kind)',
    ExpressionAttributeValues: { ':pk': NAMES, ':kind': nameKey(kind, ['']).sk },
    ConsistentRead: true,
  })

/** The ids of all users that the operator has named. Strongly consistent. */
export const namedUsers = async (): Promise<number[]> => (await namesOfKind('USER')).map(({ id }) => Number(id))

/** The id of a name; undefined when it has none. Strongly consistent. */
export const findNamed = async (kind: Named, keys: readonly string[]): Promise<Name['id'] | undefined> =>
  (await getItem(Item, nameKey(kind, keys)))?.id

/** @returns whether the name has this id now; false when it already has another one */
export const giveName = ({ kind, keys, id }: Name): Promise<boolean> =>
  ifConditionHolds(
    putItem(
      { ...nameKey(kind, keys), id },
      { ConditionExpression: 'attribute_not_exists(pk) OR id = :id', ExpressionAttributeValues: { ':id': id } },
    ),
  )

/** @returns whether the name existed */
export const takeName = ({ kind, keys }: Pick<Name, 'kind' | 'keys'>): Promise<boolean> => deleteItem(nameKey(kind, keys))
