import { CREDENTIALS, REGION } from '#lib/local/engines/engine.ts'
import { type KeyEngine, startKeys } from '#lib/local/engines/keys.ts'

const HEADERS_KEY_ARN = 'arn:aws:kms:us-east-1:000000000000:key/headers'

/** Starts a KMS engine with the key for webhook headers, and points the environment of this process to it. */
export const startKeyEngine = async (): Promise<KeyEngine> => {
  const engine = await startKeys(undefined)
  await engine.createKeys([{ arn: HEADERS_KEY_ARN }])
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_ENDPOINT_URL_KMS: engine.url,
    HEADERS_KEY_ARN,
  })
  return engine
}
