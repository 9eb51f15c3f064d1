import { CREDENTIALS, REGION } from '../engines/engine.ts'
import type { Endpoints, FunctionSpec } from '../model.ts'

interface Surroundings {
  readonly endpoints: Endpoints
  readonly clockOffsetMs: number
  readonly logLevel: string
  /** Extra options for Node, for example to observe functions in a test. */
  readonly nodeOptions: string
  /** Where voice platforms reach the service. Empty: they cannot. */
  readonly platformUrl: string
}

/** The function with its environment on Lambda. The SDK points at the local engines. */
export const withLocalEnvironment = (
  spec: FunctionSpec,
  { endpoints, clockOffsetMs, logLevel, nodeOptions, platformUrl }: Surroundings,
): FunctionSpec => {
  return {
    ...spec,
    environment: {
      POWERTOOLS_LOG_LEVEL: logLevel,
      ...spec.environment,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      // Otherwise the SDK would read the developer's own profile.
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventbridge,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
      AWS_ENDPOINT_URL_KMS: endpoints.kms,
      AWS_LAMBDA_FUNCTION_NAME: spec.name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
      // No platform reaches the address on this machine that the template has.
      PLATFORM_BASE_URL: platformUrl,
      CLOCK_OFFSET_MS: String(clockOffsetMs),
      // Metrics are for CloudWatch. Without STAGE none are written; the log level DEBUG keeps them.
      ...(logLevel !== 'DEBUG' && { STAGE: '' }),
      NODE_OPTIONS: `${spec.environment['NODE_OPTIONS'] ?? ''} ${nodeOptions}`.trim(),
    },
  }
}
