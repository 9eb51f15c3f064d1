import { randomBytes } from 'node:crypto'
import type { APIGatewayProxyResult, Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { Webhook } from 'standardwebhooks'
import { CREDENTIALS, REGION } from '#lib/local/engines/engine.ts'
import { type KeyEngine, startKeys } from '#lib/local/engines/keys.ts'
import { startSecrets } from '#lib/local/engines/secrets.ts'
import { setClock } from './clock.ts'
import { startEngine } from './engine.ts'
import { startQueueEngine } from './queue-engine.ts'
import { type ReceiverOptions, startReceiver } from './receiver.ts'
import { NOON, sampleLeadType } from './samples.ts'

export const OWNER = 1
export const KEY = 'a-key'
export const OTHER_KEY = 'a-key-of-somebody-else'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:phone-hash-000000'

const context = { awsRequestId: 'test', functionName: 'a-function' } as Context

const HEADERS_KEY_ARN = 'arn:aws:kms:us-east-1:000000000000:key/headers'

/** Starts a KMS engine with the key for webhook headers, and points the environment of this process to it. */
const startKeyEngine = async (): Promise<KeyEngine> => {
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

/**
 * The engines, an agent with answers from the test, and two users with one lead type each; the second user has two lines. Tests call the
 * functions' handlers, and carry the messages between them as AWS would.
 */
export const startWorld = async (
  agentAnswers: ReceiverOptions['respond'] = () => ({ body: '{"provider_call_id":"p-1"}' }),
  groupOfOther = '2',
) => {
  const [engine, queues, secrets, keys, agent] = await Promise.all([
    startEngine(),
    startQueueEngine(['CALL_QUEUE_URL', 'DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL', 'UPDATE_QUEUE_URL', 'INGESTION_QUEUE_URL']),
    startSecrets(undefined),
    startKeyEngine(),
    startReceiver({ respond: agentAnswers }),
  ])
  await secrets.createSecrets([{ arn: SECRET_ARN, generateLength: 32 }])
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    PHONE_HASH_SECRET_ARN: SECRET_ARN,
    PUBLIC_BASE_URL: 'http://127.0.0.1:1',
    PLATFORM_BASE_URL: 'http://127.0.0.1:1',
    PRIVATE_AGENT_HOSTS: '127.0.0.1',
    PRIVATE_WEBHOOK_HOSTS: '127.0.0.1',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  })
  setClock(NOON)
  const [{ saveUser }, { saveApiKey }, { saveLeadType }, { saveAgent }] = await Promise.all([
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/api-key-store.ts'),
    import('#shared/accounts/lead-type-store.ts'),
    import('#shared/agents/agent-store.ts'),
  ])
  const agentSecret = `whsec_${randomBytes(24).toString('base64')}`
  await saveAgent({ id: 'simulator', url: agent.url, secrets: [agentSecret] })
  for (const [id, key] of [
    [OWNER, KEY],
    [2, OTHER_KEY],
  ] as const) {
    await saveUser({
      id,
      name: `User ${id}`,
      is_staff: false,
      default_lead_type: 4,
      dnc_group: id === OWNER ? '1' : groupOfOther,
      lines: id === OWNER ? 1000 : 2,
      throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 },
      webhook_secrets: ['whsec_AAAA'],
    })
    await saveApiKey(key, { user: id, created_time: 0, revoked_time: null })
    await saveLeadType(sampleLeadType({ owner: id }))
  }
  return {
    engine,
    queues,
    agent,
    agentSecret,
    stop: async () => {
      await Promise.all([engine.stop(), queues.stop(), secrets.stop(), keys.stop(), agent.close()])
    },
  }
}

interface ApiCall {
  readonly method: string
  readonly path: string
  readonly parameters?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

type ApiHandler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>

/** Calls an API function as the gateway does. The path may end in a query. */
export const request = async (handler: ApiHandler, { method, path: target, parameters = {}, headers = {}, body }: ApiCall) => {
  const { pathname: path, searchParams } = new URL(target, 'http://localhost')
  const answer = await handler(
    {
      httpMethod: method,
      path,
      resource: path,
      headers: { Authorization: `Token ${KEY}`, 'Content-Type': 'application/json', ...headers },
      pathParameters: parameters,
      queryStringParameters: searchParams.size > 0 ? Object.fromEntries(searchParams) : null,
      body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
      isBase64Encoded: false,
      requestContext: { requestId: 'request-1', resourcePath: path },
    },
    context,
  )
  return { status: answer.statusCode, headers: answer.headers ?? {}, body: answer.body === '' ? undefined : JSON.parse(answer.body) }
}

/** So little time that a run takes no further messages from the queue while it waits, however slow the machine is. */
export const NO_TIME_FOR_FURTHER = { getRemainingTimeInMillis: () => 1000 }

/** Hands messages to a queue's consumer. @returns the indexes of the messages that come back */
export const consumeAll = async (
  handler: (event: SQSEvent, context?: typeof NO_TIME_FOR_FURTHER) => Promise<SQSBatchResponse>,
  bodies: readonly unknown[],
): Promise<number[]> => {
  const Records = bodies.map((body, index) => ({
    messageId: `${index}`,
    receiptHandle: 'gone',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }))
  const { batchItemFailures } = await handler({ Records } as SQSEvent, NO_TIME_FOR_FURTHER)
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier))
}

/** A signed report of the agent. */
export const agentReport = (secret: string, callId: string, type: string, data: unknown = {}, time = new Date(NOON)): ApiCall => {
  const body = JSON.stringify({ type, call_id: callId, time: time.toISOString(), provider_call_id: 'p-1', data })
  const at = new Date()
  return {
    method: 'POST',
    path: `/api/agents/calls/${callId}/events/`,
    parameters: { call_id: callId },
    headers: {
      'webhook-id': `${callId}-${type}`,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign(`${callId}-${type}`, at, body),
    },
    body,
  }
}
