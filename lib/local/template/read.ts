import * as v from 'valibot'
import { variableOf } from '../../operator-outputs.ts'
import type { Endpoints, KeySpec, QueueSpec, SecretSpec, ServiceTemplate } from '../model.ts'
import { type AwsPlace, localPlace } from './arn.ts'
import { readAssembly, type Stack } from './assembly.ts'
import { readBuckets } from './buckets.ts'
import { readEventSources } from './event-sources.ts'
import { readFunctions } from './functions.ts'
import { createResolver, type Resolver } from './resolve.ts'
import { ofType, type Resource, resourcesOf } from './resource.ts'
import { readRestApi } from './rest-api.ts'
import { readRules } from './rules.ts'
import { numeric, parseAt, text } from './site.ts'
import { readTables } from './tables.ts'

const keySchema = v.object({ KeySpec: v.optional(v.literal('SYMMETRIC_DEFAULT')), KeyUsage: v.optional(v.literal('ENCRYPT_DECRYPT')) })

/** Keys of the Key Management Service. The local engine makes the key material; no template holds it. */
const readKeys = (resources: readonly Resource[]): readonly KeySpec[] =>
  ofType(resources, 'AWS::KMS::Key').map((resource) => {
    resource.read(keySchema)
    return { arn: resource.attribute('Arn') }
  })

const secretSchema = v.object({
  GenerateSecretString: v.optional(v.object({ PasswordLength: v.optional(numeric, 32), SecretStringTemplate: v.optional(v.string()) })),
})

/** Secrets whose whole value is generated. The local engine makes the values; no template holds them. */
const readSecrets = (resources: readonly Resource[]): readonly SecretSpec[] =>
  ofType(resources, 'AWS::SecretsManager::Secret').map((resource) => {
    const generate = resource.read(secretSchema).GenerateSecretString
    if (generate === undefined || generate.SecretStringTemplate !== undefined)
      return resource.fail('only secrets generated as one string are supported')
    return { arn: resource.ref, generateLength: generate.PasswordLength }
  })

const queueSchema = v.object({
  ContentBasedDeduplication: v.exactOptional(text),
  DelaySeconds: v.exactOptional(text),
  FifoQueue: v.exactOptional(text),
  MaximumMessageSize: v.exactOptional(text),
  MessageRetentionPeriod: v.exactOptional(text),
  ReceiveMessageWaitTimeSeconds: v.exactOptional(text),
  VisibilityTimeout: v.exactOptional(text),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: numeric })),
})

/** Queues without a redrive policy come first: a dead-letter queue must exist before the queue that names it. */
const readQueues = (resources: readonly Resource[]): readonly QueueSpec[] =>
  ofType(resources, 'AWS::SQS::Queue')
    .map((resource) => {
      const { RedrivePolicy, ...plain } = resource.read(queueSchema)
      const attributes: Record<string, string> = { ...plain }
      if (RedrivePolicy !== undefined) attributes['RedrivePolicy'] = JSON.stringify(RedrivePolicy)
      return { name: resource.name, arn: resource.attribute('Arn'), url: resource.ref, attributes }
    })
    .toSorted((left, right) => Number('RedrivePolicy' in left.attributes) - Number('RedrivePolicy' in right.attributes))

/** The stack outputs for the operator's tool, by the names of the functions' variables. */
const readOperator = (stacks: readonly Stack[], { resolve }: Resolver): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stacks.flatMap((stack) =>
      Object.entries(stack.template.Outputs).flatMap(([logicalId, { Value }]) => {
        const variable = variableOf(logicalId)
        const at = { stack, logicalId }
        return variable === undefined ? [] : [[variable, parseAt(text, resolve(Value, at), at, 'Value')] as const]
      }),
    ),
  )

/**
 * Reads the synthesised app in `assemblyDir` (CDK's `cdk.out`), with references resolved to the local engines. Physical names are the
 * logical ids, so they are the same at every start.
 * @throws Error when the app is not synthesised, or a template holds something unsupported. The error names the resource and its stack.
 */
export const readServiceTemplate = (assemblyDir: string, endpoints: Endpoints, place: AwsPlace = localPlace): ServiceTemplate => {
  const { stacks, assetFolders } = readAssembly(assemblyDir)
  const resolver = createResolver(stacks, place, endpoints)
  const resources = resourcesOf(stacks, resolver)
  ofType(resources, 'AWS::CloudFormation::Stack')[0]?.fail('nested stacks are not read')
  return {
    functions: readFunctions(resources, assetFolders),
    tables: readTables(resources),
    queues: readQueues(resources),
    buckets: readBuckets(resources),
    buses: ofType(resources, 'AWS::Events::EventBus').map(({ name }) => name),
    rules: readRules(resources),
    eventSources: readEventSources(resources),
    secrets: readSecrets(resources),
    keys: readKeys(resources),
    api: readRestApi(resources),
    operator: readOperator(stacks, resolver),
  }
}
