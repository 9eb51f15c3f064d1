import { createHash, randomInt } from 'node:crypto'
import * as v from 'valibot'
import { API_KEY_PREFIX, apiKeyKey, ownedApiKeyKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { getItem, ifConditionHolds, queryAll, updateItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'
import type { Instant } from '../platform/values/values.ts'
import { ApiKey } from './configuration.ts'
import type { Requester } from './requester.ts'
import { apiKeyFrom, isWellFormedKey } from './rules/api-key.ts'

/** A new API key: prefix, randomness and a checksum. */
export const newApiKey = (): string => apiKeyFrom((below) => randomInt(below))

const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex')

/** A function that has just read a revoked key accepts it until its cache ends. */
const findApiKey = cached((hash: string): Promise<ApiKey | undefined> => getItem(ApiKey, apiKeyKey(hash)))

/** The user of a key; undefined when it is unknown or revoked. A mistyped key costs no read. */
export const findUserByKey = async (key: string): Promise<Requester | undefined> => {
  if (!isWellFormedKey(key)) return undefined
  const found = await findApiKey(sha256(key))
  return found && found.revoked_time === null ? { id: found.user } : undefined
}

/** Stores only the hash of a key, so the key cannot be shown again. @returns the hash */
export const saveApiKey = async (key: string, apiKey: v.InferInput<typeof ApiKey>): Promise<string> => {
  const hash = sha256(key)
  const put = { ...apiKeyKey(hash), ...v.parse(ApiKey, apiKey) }
  const { committed } = await transact([{ put }, { put: { ...ownedApiKeyKey(apiKey.user, hash) } }])
  if (!committed) throw new Error(`An API key of user ${apiKey.user} is being saved by another writer.`)
  return hash
}

export interface KeptApiKey extends ApiKey {
  readonly hash: string
}

const Owned = v.pipe(
  v.object({ sk: v.string() }),
  v.transform(({ sk }) => sk.slice(API_KEY_PREFIX.length)),
)

/** A user's keys, the oldest first, including revoked ones. Strongly consistent. @param beginning prefix of their hashes */
export const apiKeysOf = async (user: number, beginning = ''): Promise<KeptApiKey[]> => {
  const { pk, sk } = ownedApiKeyKey(user, beginning)
  const hashes = await queryAll(Owned, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    ConsistentRead: true,
  })
  const found = await Promise.all(hashes.map(async (hash) => ({ hash, key: await getItem(ApiKey, apiKeyKey(hash)) })))
  return found.flatMap(({ hash, key }) => (key ? [{ ...key, hash }] : [])).sort((a, b) => a.created_time - b.created_time)
}

/** @returns whether the key was active until now */
export const revokeApiKey = (hash: string, at: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(apiKeyKey(hash), {
      UpdateExpression: 'SET revoked_time = :at',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revoked_time)',
      ExpressionAttributeValues: { ':at': at },
    }),
  )
