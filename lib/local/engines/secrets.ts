import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { SecretSpec } from '../model.ts'
import { LOOPBACK } from './access.ts'
import type { Engine } from './engine.ts'
import { closeServer } from './http-server.ts'
import { listen } from './ports.ts'
import { replaceFile } from './replace-file.ts'
import { StartFailure, systemErrorCode } from './start-failure.ts'

export interface SecretEngine extends Engine {
  /** Gives each secret a value unless it has one. */
  createSecrets(secrets: readonly SecretSpec[]): Promise<void>
}

const savedSecrets = v.record(v.string(), v.string())
const request = v.pipe(v.string(), v.parseJson(), v.object({ SecretId: v.string() }))

/** `GetSecretValue` of Secrets Manager, and nothing else of it. Values are made once and kept in `file`, or in memory without one. */
export const startSecrets = async (file: string | undefined): Promise<SecretEngine> => {
  const values = file === undefined ? new Map<string, string>() : await readSaved(file)
  const server = createServer(async (incoming, response) => {
    const answer = await answerTo(incoming, values)
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer.body))
  })
  const port = await listen(server, 0)
  return {
    url: `http://${LOOPBACK}:${port}`,
    async createSecrets(secrets) {
      const missing = secrets.filter((secret) => !values.has(secret.arn))
      for (const secret of missing) values.set(secret.arn, generate(secret.generateLength))
      if (file !== undefined && missing.length > 0) await replaceFile(file, JSON.stringify(Object.fromEntries(values)))
    },
    stop: () => closeServer(server),
  }
}

const answerTo = async (incoming: IncomingMessage, values: ReadonlyMap<string, string>) => {
  const body = v.safeParse(request, await text(incoming))
  if (incoming.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue' || !body.success) return refusal('InvalidRequestException')
  const arn = body.output.SecretId
  const value = values.get(arn)
  if (value === undefined) return refusal('ResourceNotFoundException')
  return { status: 200, body: { ARN: arn, Name: arn.split(':').at(-1), SecretString: value, VersionStages: ['AWSCURRENT'] } }
}

const refusal = (type: string) => {
  return { status: 400, body: { __type: type, message: type } }
}

const generate = (length: number): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

const readSaved = async (file: string): Promise<Map<string, string>> => {
  try {
    return new Map(Object.entries(v.parse(savedSecrets, JSON.parse(await readFile(file, 'utf8')))))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return new Map()
    throw new StartFailure(`The secrets in ${file} cannot be read: put a copy of the file back, or name another directory with --data.`)
  }
}
