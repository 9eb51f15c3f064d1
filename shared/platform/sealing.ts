import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { realNow } from './clock.ts'
import { setting } from './environment.ts'

/**
 * Whose a sealed text is, such as `{ owner: '1', subscription: '5' }`. It is the encryption context: opening requires the same one. The
 * deployment's permissions limit its keys.
 */
export type Whose = Readonly<Record<string, string>>

/** Version of the format. */
const VERSION = '1'
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Milliseconds. Short, because a delivery or a call waits for it. */
const KMS_TIMEOUT = 3_000
/** Milliseconds. An opened data key is reused for this long. */
const KEY_AGE = 300_000
const MAX_KEYS = 1_000

const client = new KMSClient({ maxAttempts: 2 })

/** Binds the ciphertext to its owner too. */
const additionalData = (whose: Whose): Buffer => Buffer.from(Object.values(whose).join('/'))

/**
 * Encrypts a text with a data key of its own. The data key is stored beside it, encrypted for `whose` with the deployment's key.
 * @throws when the key service refuses, or does not answer within 3 seconds
 */
export const sealText = async (text: string, whose: Whose): Promise<string> => {
  const { Plaintext, CiphertextBlob } = await client.send(
    new GenerateDataKeyCommand({ KeyId: setting('HEADERS_KEY_ARN'), KeySpec: 'AES_256', EncryptionContext: { ...whose } }),
    { abortSignal: AbortSignal.timeout(KMS_TIMEOUT) },
  )
  if (!Plaintext || !CiphertextBlob) throw new Error('The key service returned no data key.')
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, Plaintext, iv).setAAD(additionalData(whose))
  const box = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return [VERSION, ...[CiphertextBlob, iv, box].map((part) => Buffer.from(part).toString('base64url'))].join('.')
}

const keys = new Map<string, { readonly key: Promise<Uint8Array>; readonly until: number }>()

const decryptKey = async (encrypted: Buffer, whose: Whose): Promise<Uint8Array> => {
  const { Plaintext } = await client.send(
    new DecryptCommand({ KeyId: setting('HEADERS_KEY_ARN'), CiphertextBlob: encrypted, EncryptionContext: { ...whose } }),
    { abortSignal: AbortSignal.timeout(KMS_TIMEOUT) },
  )
  if (!Plaintext) throw new Error('The key service did not decrypt the data key.')
  return Plaintext
}

/** Cached. Concurrent uses share one request; a failed request is not cached. */
const dataKey = (encrypted: string, whose: Whose): Promise<Uint8Array> => {
  const name = `${JSON.stringify(whose)}/${encrypted}`
  const known = keys.get(name)
  if (known && known.until > realNow()) return known.key
  if (keys.size >= MAX_KEYS) keys.clear()
  const key = decryptKey(Buffer.from(encrypted, 'base64url'), whose)
  keys.set(name, { key, until: realNow() + KEY_AGE })
  key.catch(() => keys.delete(name))
  return key
}

/** @throws when the text cannot be opened; then never go on without it */
export const openText = async (sealed: string, whose: Whose): Promise<string> => {
  const [version, encryptedKey = '', iv = '', box = ''] = sealed.split('.')
  if (version !== VERSION) throw new Error('The text is sealed in an unknown format.')
  const bytes = Buffer.from(box, 'base64url')
  const decipher = createDecipheriv(CIPHER, await dataKey(encryptedKey, whose), Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(whose)).setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString()
}
