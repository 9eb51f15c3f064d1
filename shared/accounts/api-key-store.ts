import { createHash, randomInt } from 'node:crypto'
import * as v from 'valibot'
import { API_KEY_PREFIX, apiKeyKey, ownedApiKeyKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { getItem, ifConditionHolds, queryAll, updateItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'
import type { Instant } from '../platform/values/values.ts'
import { ApiKey } from './configuration.ts'

/** Lets secret scanners recognize a key. */
const PREFIX = 'lok_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

const SHAPE = new RegExp(`^${PREFIX}(?<random>[${DIGITS}]{${RANDOM_LENGTH}})(?<checksum>[${DIGITS}]{${CHECKSUM_LENGTH}})$`)

/** CRC-32 of an ASCII text, as in zip files and PNG images. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const inBase62 = (value: number): string => (value < 62 ? '' : inBase62(Math.floor(value / 62))) + DIGITS.charAt(value % 62)

/** Six base-62 digits hold any 32 bits. GitHub's tokens use the same format. */
const checksumOf = (random: string): string => inBase62(crc32(random)).padStart(CHECKSUM_LENGTH, '0')

/** A key of 190 random bits. `draw(below)` returns a uniform integer from 0 to `below` - 1. */
export const apiKeyFrom = (draw: (below: number) => number): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS.charAt(draw(DIGITS.length))).join('')
  return `${PREFIX}${random}${checksumOf(random)}`
}

/** Whether a key may exist. A key with the prefix must have a valid checksum. Older keys have no prefix and no checksum. */
export const isWellFormedKey = (text: string): boolean => {
  if (!text.startsWith(PREFIX)) return true
  const { random = '', checksum } = SHAPE.exec(text)?.groups ?? {}
  return checksum === checksumOf(random)
}

/** A new API key: prefix, randomness and a checksum. */
export const newApiKey = (): string => apiKeyFrom((below) => randomInt(below))

/** Seconds. A revoked key may work this much longer in a function that has just read it. */
const CACHE_SECONDS = 10

const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex')

const findApiKey = cached(CACHE_SECONDS, (hash: string): Promise<ApiKey | undefined> => getItem(ApiKey, apiKeyKey(hash)))

export interface Requester {
  readonly id: number
}

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
