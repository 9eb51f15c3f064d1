import * as v from 'valibot'
import { sourceKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { deleteItem, getItem, putItem, queryAll } from '../platform/table/table.ts'
import { Source } from './ingestion.ts'

const load = cached((key: `${number}#${string}`): Promise<Source | undefined> => {
  const [owner, name = ''] = key.split('#')
  return getItem(Source, sourceKey(Number(owner), name))
})

/** Undefined when the owner has no such source. Cached for 10 seconds. */
export const getSource = (owner: number, name: string): Promise<Source | undefined> => load(`${owner}#${name}`)

/** All sources of an owner, by name. Strongly consistent. */
export const sourcesOf = (owner: number): Promise<Source[]> =>
  queryAll(Source, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': sourceKey(owner, '').pk, ':prefix': sourceKey(owner, '').sk },
    ConsistentRead: true,
  })

/** @throws ValiError when the input is not a valid source */
export const saveSource = async (input: v.InferInput<typeof Source>): Promise<void> => {
  const source = v.parse(Source, input)
  await putItem({ ...sourceKey(source.owner, source.name), ...source })
}

/** @returns whether there was one */
export const deleteSource = (owner: number, name: string): Promise<boolean> => deleteItem(sourceKey(owner, name))
