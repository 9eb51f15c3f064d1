/**
 * Everything that the local run reads from the synthesised CloudFormation templates. No value is written by hand: all come from `cdk.out`,
 * with references resolved to the local engines.
 */

/** A Lambda function. `environment` is resolved. `bundle` is the absolute folder of its asset. `handler` is as in `index.handler`. */
export interface FunctionSpec {
  readonly name: string
  readonly arn: string
  readonly bundle: string
  readonly handler: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutSeconds: number
  readonly memoryMb: number
}

export interface TableSpec {
  readonly name: string
  /** The properties of the table that `CreateTable` understands: key schema, attributes, indexes, stream. */
  readonly createTable: Readonly<Record<string, unknown>>
  readonly streamArn: string
}

export interface QueueSpec {
  readonly name: string
  readonly arn: string
  readonly url: string
  /** Attributes for `CreateQueue`, as strings, with `RedrivePolicy`. Its target is resolved. */
  readonly attributes: Readonly<Record<string, string>>
}

export interface BucketSpec {
  readonly name: string
  /** What pages of the service may do in a browser, as HTTP methods. */
  readonly pageMethods: readonly string[]
  readonly notifications: readonly {
    readonly events: readonly string[]
    readonly targetArn: string
    readonly prefix: string
    readonly suffix: string
  }[]
}

export interface RuleSpec {
  readonly name: string
  /** Name of the bus; schedules have none. */
  readonly bus: string | undefined
  readonly pattern: Readonly<Record<string, unknown>> | undefined
  /** `rate(1 minute)` and the like. */
  readonly schedule: string | undefined
  readonly targets: readonly { readonly arn: string; readonly inputPath: string | undefined; readonly messageGroupId: string | undefined }[]
}

export interface EventSourceSpec {
  readonly functionName: string
  /** ARN of a queue, or of a table's stream. */
  readonly sourceArn: string
  readonly batchSize: number
  readonly windowSeconds: number
  readonly reportBatchItemFailures: boolean
  readonly maxConcurrency: number | undefined
  /** Streams only; -1 means no limit. */
  readonly maxRetries: number
  readonly bisectOnError: boolean
  readonly filterPatterns: readonly Readonly<Record<string, unknown>>[]
  readonly onFailureArn: string | undefined
}

export interface RouteSpec {
  readonly method: string
  /** `/api/leads/{id}`, as API Gateway resources are written; `{proxy+}` is the catch-all. */
  readonly path: string
  readonly functionName: string
}

export interface ApiSpec {
  readonly routes: readonly RouteSpec[]
  readonly binaryMediaTypes: readonly string[]
  /** By response type (`DEFAULT_4XX`, `REQUEST_TOO_LARGE`, …): status override, body template, headers. */
  readonly gatewayResponses: Readonly<
    Record<
      string,
      { readonly statusCode: number | undefined; readonly template: string; readonly headers: Readonly<Record<string, string>> }
    >
  >
}

export interface SecretSpec {
  readonly arn: string
  readonly generateLength: number
}

/** A symmetric key that only encrypts. */
export interface KeySpec {
  readonly arn: string
}

export interface ServiceTemplate {
  readonly functions: readonly FunctionSpec[]
  readonly tables: readonly TableSpec[]
  readonly queues: readonly QueueSpec[]
  readonly buckets: readonly BucketSpec[]
  readonly buses: readonly string[]
  readonly rules: readonly RuleSpec[]
  readonly eventSources: readonly EventSourceSpec[]
  readonly secrets: readonly SecretSpec[]
  readonly keys: readonly KeySpec[]
  readonly api: ApiSpec
  /** The stack outputs for the operator's tool, by the names of the functions' variables. */
  readonly operator: Readonly<Record<string, string>>
}

/** Addresses of the local engines, which stand for the services of AWS. */
export interface Endpoints {
  readonly dynamodb: string
  readonly sqs: string
  readonly s3: string
  readonly eventbridge: string
  readonly secretsManager: string
  readonly kms: string
  /** The service's own base URL, without a trailing slash. */
  readonly api: string
}

export type InvokeResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly errorType: 'Crashed' | 'TimedOut' | 'HandlerError'; readonly message: string }

/** Runs one function once, as Lambda would: one event at a time per sandbox, more sandboxes under load. */
export type Invoke = (functionName: string, event: unknown) => Promise<InvokeResult>
