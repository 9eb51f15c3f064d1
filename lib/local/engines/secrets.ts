import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import type { SecretSpec } from '../model.ts'
import type { Engine } from './engine.ts'
import { engineRefusal, type JsonAnswer, type JsonRequest, startJsonServer } from './http-server.ts'
import { type KeptTexts, keepTexts } from './kept-texts.ts'

export interface SecretEngine extends Engine {
  /** Makes a value for each secret that has none. */
  createSecrets(secrets: readonly SecretSpec[]): Promise<void>
}

const operation = v.object({ target: v.literal('secretsmanager.GetSecretValue'), body: v.object({ SecretId: v.string() }) })

/** Serves only `GetSecretValue` of Secrets Manager. Values are made once, and kept in `file`, or in memory without a file. */
export const startSecrets = async (file: string | undefined): Promise<SecretEngine> => {
  const values = await keepTexts(file, v.string(), 'secrets')
  const server = await startJsonServer((request) => answerTo(request, values))
  return {
    ...server,
    createSecrets: (secrets) => values.addMissing(secrets, ({ generateLength }) => generate(generateLength)),
  }
}

const answerTo = (request: JsonRequest, values: KeptTexts): JsonAnswer => {
  const asked = v.safeParse(operation, request)
  if (!asked.success) return engineRefusal('InvalidRequestException')
  const arn = asked.output.body.SecretId
  const value = values.get(arn)
  if (value === undefined) return engineRefusal('ResourceNotFoundException')
  return { status: 200, body: { ARN: arn, Name: arn.split(':').at(-1), SecretString: value, VersionStages: ['AWSCURRENT'] } }
}

const generate = (length: number): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
