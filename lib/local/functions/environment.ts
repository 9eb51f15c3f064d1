import { CREDENTIALS, REGION } from '../engines/access.ts'
import type { Endpoints, FunctionSpec } from '../model.ts'

interface Surroundings {
  readonly endpoints: Endpoints
  readonly clockOffsetMs: number
  readonly logLevel: string
  /** What Node is told besides, by those who observe functions. */
  readonly nodeOptions: string
}

/** The function with the environment that Lambda would give it, the SDK pointed at this machine's engines. */
export const withLocalEnvironment = (
  spec: FunctionSpec,
  { endpoints, clockOffsetMs, logLevel, nodeOptions }: Surroundings,
): FunctionSpec => {
  return {
    ...spec,
    environment: {
      POWERTOOLS_LOG_LEVEL: logLevel,
      ...spec.environment,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      // The SDK would otherwise read the profile of whoever runs this.
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
      CLOCK_OFFSET_MS: String(clockOffsetMs),
      // What is measured is for CloudWatch: here it is shown with everything else, or not at all.
      ...(logLevel !== 'DEBUG' && { STAGE: '' }),
      NODE_OPTIONS: `${spec.environment['NODE_OPTIONS'] ?? ''} ${nodeOptions}`.trim(),
    },
  }
}
