import { createHash } from 'node:crypto'
import { ApiKey } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { apiKeyKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

/** A revoked key may work for this long in a function that has just seen it. */
const CACHE_SECONDS = 10

const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex')

const findApiKey = cached(CACHE_SECONDS, (hash: string): Promise<ApiKey | undefined> => getItem(ApiKey, apiKeyKey(hash)))

export interface Caller {
  readonly id: number
  readonly is_staff: boolean
}

/** Whose key this is; undefined when it is nobody's, or revoked. */
export const findUserByKey = async (key: string): Promise<Caller | undefined> => {
  const found = await findApiKey(sha256(key))
  return found && found.revoked_time === null ? { id: found.user, is_staff: found.is_staff } : undefined
}

/** Keeps a key as its hash: the key itself cannot be shown again. */
export const saveApiKey = (key: string, apiKey: ApiKey): Promise<void> => putItem({ ...apiKeyKey(sha256(key)), ...apiKey })
