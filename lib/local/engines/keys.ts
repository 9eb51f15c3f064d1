import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { KeySpec } from '../model.ts'
import { LOOPBACK } from './access.ts'
import type { Engine } from './engine.ts'
import { closeServer } from './http-server.ts'
import { listen } from './ports.ts'
import { replaceFile } from './replace-file.ts'
import { StartFailure, systemErrorCode } from './start-failure.ts'

export interface KeyEngine extends Engine {
  /** Makes each key unless it is there. */
  createKeys(keys: readonly KeySpec[]): Promise<void>
}

type Keys = ReadonlyMap<string, Buffer>

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

const savedKeys = v.record(v.string(), v.pipe(v.string(), v.base64()))
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
 * `GenerateDataKey` of 256 bits and `Decrypt` of the Key Management Service, and nothing else of it. Keys are made once and kept in
 * `file`, or in memory without one.
 */
export const startKeys = async (file: string | undefined): Promise<KeyEngine> => {
  const keys = file === undefined ? new Map<string, Buffer>() : await readSaved(file)
  const server = createServer(async (incoming, response) => {
    const answer = await answerTo(incoming, keys)
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer.body))
  })
  const port = await listen(server, 0)
  return {
    url: `http://${LOOPBACK}:${port}`,
    async createKeys(specs) {
      const missing = specs.filter(({ arn }) => !keys.has(arn))
      for (const { arn } of missing) keys.set(arn, randomBytes(KEY_BYTES))
      const saved = Object.fromEntries([...keys].map(([arn, key]) => [arn, key.toString('base64')]))
      if (file !== undefined && missing.length > 0) await replaceFile(file, JSON.stringify(saved))
    },
    stop: () => closeServer(server),
  }
}

const answerTo = async (incoming: IncomingMessage, keys: Keys) => {
  const body = v.safeParse(v.pipe(v.string(), v.parseJson()), await text(incoming))
  const asked = v.safeParse(operations, { target: incoming.headers['x-amz-target'], body: body.output })
  if (!asked.success) return refusal('ValidationException')
  const { KeyId: arn, EncryptionContext: bound } = asked.output.body
  const key = keys.get(arn)
  if (key === undefined) return refusal('NotFoundException')
  if ('CiphertextBlob' in asked.output.body) {
    const plain = unwrap(key, Buffer.from(asked.output.body.CiphertextBlob, 'base64'), bound)
    return plain === undefined ? refusal('InvalidCiphertextException') : granted(arn, { Plaintext: plain })
  }
  const plain = randomBytes(KEY_BYTES)
  return granted(arn, { Plaintext: plain, CiphertextBlob: wrap(key, plain, bound) })
}

const granted = (arn: string, parts: Readonly<Record<string, Buffer>>) => {
  const encoded = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64')])
  return { status: 200, body: { KeyId: arn, ...Object.fromEntries(encoded) } }
}

const refusal = (type: string) => {
  return { status: 400, body: { __type: type, message: type } }
}

type Context = Readonly<Record<string, string>>

/** The same whatever the order of its keys. */
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

const readSaved = async (file: string): Promise<Map<string, Buffer>> => {
  try {
    const saved = v.parse(savedKeys, JSON.parse(await readFile(file, 'utf8')))
    return new Map(Object.entries(saved).map(([arn, key]) => [arn, Buffer.from(key, 'base64')]))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return new Map()
    throw new StartFailure(`The keys in ${file} cannot be read: put a copy of the file back, or name another directory with --data.`)
  }
}
