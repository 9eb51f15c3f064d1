import * as v from 'valibot'
import type { Endpoints } from '#lib/local/model.ts'
import { localPlace } from '#lib/local/template/arn.ts'
import { readAssembly } from '#lib/local/template/assembly.ts'
import { readServiceTemplate } from '#lib/local/template/read.ts'
import { createResolver } from '#lib/local/template/resolve.ts'
import { ofType, type Resource, resourcesOf } from '#lib/local/template/resource.ts'

/** One action on one resource that a function's role allows. */
export interface Grant {
  readonly action: string
  /** An ARN with this machine's account and region. It may end with `*`. */
  readonly resource: string
  /** Only items in these partitions: the part of their keys before the first `#`. */
  readonly partitions?: readonly string[]
  /** Only with exactly these keys in the encryption context. */
  readonly context?: string
  /** Whether Lambda itself needs this permission: to write the function's log, or to poll its sources. */
  readonly byLambda: boolean
}

export interface FunctionGrants {
  /** Folder under `functions/`. */
  readonly name: string
  readonly grants: readonly Grant[]
}

const texts = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
)
const LeadingKeys = v.strictObject({ 'ForAllValues:StringLike': v.strictObject({ 'dynamodb:LeadingKeys': texts }) })
const ContextKeys = v.strictObject({
  'ForAllValues:StringEquals': v.strictObject({ 'kms:EncryptionContextKeys': texts }),
  Null: v.record(v.string(), v.unknown()),
})
const Statement = v.strictObject({
  Action: texts,
  Effect: v.literal('Allow'),
  Resource: texts,
  Condition: v.optional(v.union([LeadingKeys, ContextKeys])),
})
const Role = v.object({ Policies: v.array(v.object({ PolicyDocument: v.object({ Statement: v.array(Statement) }) })) })
const LambdaFunction = v.object({ Description: v.string(), Role: v.string() })

const limitOf = (condition: v.InferOutput<typeof Statement>['Condition']): Pick<Grant, 'partitions' | 'context'> => {
  if (condition === undefined) return {}
  if ('Null' in condition) return { context: condition['ForAllValues:StringEquals']['kms:EncryptionContextKeys'].toSorted().join(' ') }
  return { partitions: condition['ForAllValues:StringLike']['dynamodb:LeadingKeys'].map((key) => key.replace(/#\*$/, '')) }
}

/** Permissions that Lambda needs in a function's role, as AWS documents: to write its log and to poll its sources. */
const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents']
const QUEUE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']
const STREAM = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']

const endpoints: Endpoints = { dynamodb: '', sqs: '', s3: '', eventbridge: '', secretsManager: '', kms: '', api: '' }

/** The permissions of each function in a synthesised app. */
export const grantsIn = (assembly: string): readonly FunctionGrants[] => {
  const { stacks } = readAssembly(assembly)
  const resources = resourcesOf(stacks, createResolver(stacks, localPlace, endpoints))
  const { eventSources } = readServiceTemplate(assembly, endpoints)
  const roles = new Map(ofType(resources, 'AWS::IAM::Role').map((role) => [role.attribute('Arn'), role]))

  const needsLambda = (lambda: Resource, action: string, resource: string): boolean => {
    const sources = eventSources.filter(({ functionName }) => functionName === lambda.name)
    if (LOG.includes(action)) return resource.includes(`log-group:/aws/lambda/${lambda.name}`)
    if (action === 'dynamodb:ListStreams') return sources.some(({ sourceArn }) => sourceArn.includes('/stream/'))
    const isSource = sources.some(({ sourceArn }) => sourceArn === resource)
    const isForFailures = action === 'sqs:SendMessage' && sources.some(({ onFailureArn }) => onFailureArn === resource)
    return isForFailures || (isSource && [...QUEUE, ...STREAM].includes(action))
  }

  return ofType(resources, 'AWS::Lambda::Function').map((lambda) => {
    const { Description, Role: arn } = lambda.read(LambdaFunction)
    const { Policies = [] } = roles.get(arn)?.read(Role) ?? {}
    const grants = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(({ Action, Resource: on, Condition }) =>
      Action.flatMap((action) =>
        on.map((resource) => ({ action, resource, ...limitOf(Condition), byLambda: needsLambda(lambda, action, resource) })),
      ),
    )
    return { name: Description, grants }
  })
}
