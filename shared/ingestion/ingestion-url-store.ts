import * as v from 'valibot'
import { ingestionUrlKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { deleteItem, getItem, putItem } from '../platform/table/table.ts'
import { IngestionUrl } from './ingestion.ts'

/** The current URL, strongly consistent and not from the cache. `id` must be in lower case. */
export const readIngestionUrl = (id: string): Promise<IngestionUrl | undefined> => getItem(IngestionUrl, ingestionUrlKey(id))

/** `id` must be in lower case. Undefined when there is none. Cached for 10 seconds. */
export const getIngestionUrl = cached(readIngestionUrl)

/** @throws ValiError when the input is not a valid ingestion URL */
export const saveIngestionUrl = async (input: v.InferInput<typeof IngestionUrl>): Promise<void> => {
  const url = v.parse(IngestionUrl, input)
  await putItem({ ...ingestionUrlKey(url.id), ...url })
}

/** @returns whether there was one */
export const deleteIngestionUrl = (id: string): Promise<boolean> => deleteItem(ingestionUrlKey(id))
