import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import * as v from 'valibot'
import { realNow } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import type { Subscription } from './webhook.ts'

/** The subscription that owns the headers. Opening them requires the same one. */
type Sealed = Pick<Subscription, 'owner' | 'id'>
type Headers = Readonly<Record<string, string>>

/** Version of the format. */
const VERSION = '1'
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Milliseconds. Short, because a delivery waits for it and then for its destination. */
const KMS_TIMEOUT = 3_000
/** Milliseconds. A busy subscription reuses its opened data key for this long. */
const KEY_AGE = 300_000
const MAX_KEYS = 1_000

const client = new KMSClient({ maxAttempts: 2 })

const contextOf = ({ owner, id }: Sealed) => ({ owner: `${owner}`, subscription: `${id}` })
/** Binds the ciphertext to the owner and subscription too. */
const additionalData = ({ owner, id }: Sealed): Buffer => Buffer.from(`${owner}/${id}`)

/** Pairs instead of an object, so that a header name such as `__proto__` is only data. */
const Pairs = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()])))

/**
 * Encrypts headers with a data key of their own. The data key is stored beside them, encrypted for this owner and subscription with the
 * deployment's key.
 * @returns null when there are none
 * @throws when the key service refuses, or does not answer within 3 seconds
 */
export const sealHeaders = async (headers: Headers, whose: Sealed): Promise<string | null> => {
  if (Object.keys(headers).length === 0) return null
  const { Plaintext, CiphertextBlob } = await client.send(
    new GenerateDataKeyCommand({ KeyId: setting('HEADERS_KEY_ARN'), KeySpec: 'AES_256', EncryptionContext: contextOf(whose) }),
    { abortSignal: AbortSignal.timeout(KMS_TIMEOUT) },
  )
  if (!Plaintext || !CiphertextBlob) throw new Error('The key service returned no data key.')
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, Plaintext, iv).setAAD(additionalData(whose))
  const box = Buffer.concat([cipher.update(JSON.stringify(Object.entries(headers))), cipher.final(), cipher.getAuthTag()])
  return [VERSION, ...[CiphertextBlob, iv, box].map((part) => Buffer.from(part).toString('base64url'))].join('.')
}

const keys = new Map<string, { readonly key: Promise<Uint8Array>; readonly until: number }>()

const decryptKey = async (encrypted: Buffer, whose: Sealed): Promise<Uint8Array> => {
  const { Plaintext } = await client.send(
    new DecryptCommand({ KeyId: setting('HEADERS_KEY_ARN'), CiphertextBlob: encrypted, EncryptionContext: contextOf(whose) }),
    { abortSignal: AbortSignal.timeout(KMS_TIMEOUT) },
  )
  if (!Plaintext) throw new Error('The key service did not decrypt the data key.')
  return Plaintext
}

/** Cached. Concurrent deliveries share one request; a failed request is not cached. */
const dataKey = (encrypted: string, whose: Sealed): Promise<Uint8Array> => {
  const name = `${whose.owner}/${whose.id}/${encrypted}`
  const known = keys.get(name)
  if (known && known.until > realNow()) return known.key
  if (keys.size >= MAX_KEYS) keys.clear()
  const key = decryptKey(Buffer.from(encrypted, 'base64url'), whose)
  keys.set(name, { key, until: realNow() + KEY_AGE })
  key.catch(() => keys.delete(name))
  return key
}

/** The opened headers of a subscription; empty when it has none. @throws when they cannot be opened; then never send without them */
export const openHeaders = async ({ headers, ...whose }: Sealed & Pick<Subscription, 'headers'>): Promise<Headers> => {
  if (headers === null) return {}
  const [version, encryptedKey = '', iv = '', box = ''] = headers.split('.')
  if (version !== VERSION) throw new Error('The headers are sealed in an unknown format.')
  const bytes = Buffer.from(box, 'base64url')
  const decipher = createDecipheriv(CIPHER, await dataKey(encryptedKey, whose), Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(whose)).setAuthTag(bytes.subarray(-TAG_BYTES))
  const opened = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
  return Object.fromEntries(v.parse(Pairs, opened.toString()))
}
