import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { KeySpec } from '../model.ts'
import type { Engine } from './engine.ts'
import { engineRefusal, type JsonAnswer, type JsonRequest, startJsonServer } from './http-server.ts'
import { type KeptTexts, keepTexts } from './kept-texts.ts'

export interface KeyEngine extends Engine {
  /** Makes each key that does not exist. */
  createKeys(keys: readonly KeySpec[]): Promise<void>
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

const context = v.optional(v.record(v.string(), v.string()), {})
const operations = v.variant('target', [
  v.object({
    target: v.literal('TrentService.GenerateDataKey'),
    body: v.object({ KeyId: v.string(), KeySpec: v.literal('AES_256'), EncryptionContext: context }),
  }),
  v.object({
    target: v.literal('TrentService.Decrypt'),
    body: v.object({ KeyId: v.string(), CiphertextBlob: v.string(), EncryptionContext: context }),
  }),
])

/**
 * Serves only `GenerateDataKey` (256 bits) and `Decrypt` of the Key Management Service. Keys are made once, and kept in `file`, or in
 * memory without a file.
 */
export const startKeys = async (file: string | undefined): Promise<KeyEngine> => {
  const keys = await keepTexts(file, v.pipe(v.string(), v.base64()), 'keys')
  const server = await startJsonServer((request) => answerTo(request, keys))
  return {
    ...server,
    createKeys: (specs) => keys.addMissing(specs, () => randomBytes(KEY_BYTES).toString('base64')),
  }
}

const answerTo = (request: JsonRequest, keys: KeptTexts): JsonAnswer => {
  const asked = v.safeParse(operations, request)
  if (!asked.success) return engineRefusal('ValidationException')
  const { KeyId: arn, EncryptionContext: bound } = asked.output.body
  const text = keys.get(arn)
  if (text === undefined) return engineRefusal('NotFoundException')
  const key = Buffer.from(text, 'base64')
  if ('CiphertextBlob' in asked.output.body) {
    const plain = unwrap(key, Buffer.from(asked.output.body.CiphertextBlob, 'base64'), bound)
    return plain === undefined ? engineRefusal('InvalidCiphertextException') : granted(arn, { Plaintext: plain })
  }
  const plain = randomBytes(KEY_BYTES)
  return granted(arn, { Plaintext: plain, CiphertextBlob: wrap(key, plain, bound) })
}

const granted = (arn: string, parts: Readonly<Record<string, Buffer>>): JsonAnswer => {
  const encoded = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64')])
  return { status: 200, body: { KeyId: arn, ...Object.fromEntries(encoded) } }
}

type Context = Readonly<Record<string, string>>

/** The bytes of a context. They do not depend on the order of its keys. */
const bytesOf = (bound: Context): Buffer => Buffer.from(JSON.stringify(Object.entries(bound).sort(([a], [b]) => (a < b ? -1 : 1))))

const wrap = (key: Buffer, plain: Buffer, bound: Context): Buffer => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(bytesOf(bound))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const unwrap = (key: Buffer, blob: Buffer, bound: Context): Buffer | undefined => {
  if (blob.length !== IV_BYTES + KEY_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, blob.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(bytesOf(bound)).setAuthTag(blob.subarray(-TAG_BYTES))
  const plain = decipher.update(blob.subarray(IV_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}
