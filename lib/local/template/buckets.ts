import * as v from 'valibot'
import type { BucketSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'

type Notification = BucketSpec['notifications'][number]

const rules = v.array(v.object({ Name: v.pipe(v.string(), v.toLowerCase(), v.picklist(['prefix', 'suffix'])), Value: v.string() }))
const unsupported = { TopicConfigurations: v.optional(v.array(v.unknown()), []), EventBridgeConfiguration: v.optional(v.unknown()) }

/** Filter in a property of the bucket itself. */
const bucketFilter = v.optional(v.object({ S3Key: v.object({ Rules: rules }) }))
const bucketSchema = v.object({
  CorsConfiguration: v.optional(v.object({ CorsRules: v.array(v.object({ AllowedMethods: v.array(v.string()) })) })),
  NotificationConfiguration: v.optional(
    v.object({
      LambdaConfigurations: v.optional(v.array(v.object({ Event: v.string(), Function: v.string(), Filter: bucketFilter })), []),
      QueueConfigurations: v.optional(v.array(v.object({ Event: v.string(), Queue: v.string(), Filter: bucketFilter })), []),
      ...unsupported,
    }),
  ),
})

/** Filter in CDK's custom resource, which adds notifications to a bucket after their targets exist. It uses the names of the S3 API. */
const customFilter = v.optional(v.object({ Key: v.object({ FilterRules: rules }) }))
const events = v.array(v.string())
const customSchema = v.object({
  BucketName: v.string(),
  NotificationConfiguration: v.object({
    LambdaFunctionConfigurations: v.optional(
      v.array(v.object({ Events: events, LambdaFunctionArn: v.string(), Filter: customFilter })),
      [],
    ),
    QueueConfigurations: v.optional(v.array(v.object({ Events: events, QueueArn: v.string(), Filter: customFilter })), []),
    ...unsupported,
  }),
})

const notification = (eventNames: readonly string[], targetArn: string, filter: v.InferOutput<typeof rules> | undefined): Notification => ({
  events: eventNames,
  targetArn,
  prefix: filter?.find(({ Name }) => Name === 'prefix')?.Value ?? '',
  suffix: filter?.find(({ Name }) => Name === 'suffix')?.Value ?? '',
})

const refuseOtherTargets = (
  resource: Resource,
  configuration: { TopicConfigurations: unknown[]; EventBridgeConfiguration?: unknown },
): void => {
  if (configuration.TopicConfigurations.length > 0 || configuration.EventBridgeConfiguration !== undefined) {
    resource.fail('bucket notifications go to functions and queues only')
  }
}

const ownNotifications = (resource: Resource): readonly Notification[] => {
  const configuration = resource.read(bucketSchema).NotificationConfiguration
  if (configuration === undefined) return []
  refuseOtherTargets(resource, configuration)
  return [
    ...configuration.LambdaConfigurations.map(({ Event, Function: target, Filter }) => notification([Event], target, Filter?.S3Key.Rules)),
    ...configuration.QueueConfigurations.map(({ Event, Queue, Filter }) => notification([Event], Queue, Filter?.S3Key.Rules)),
  ]
}

const customNotifications = (resource: Resource): { readonly bucket: string; readonly notifications: readonly Notification[] } => {
  const { BucketName, NotificationConfiguration: configuration } = resource.read(customSchema)
  refuseOtherTargets(resource, configuration)
  const notifications = [
    ...configuration.LambdaFunctionConfigurations.map((entry) =>
      notification(entry.Events, entry.LambdaFunctionArn, entry.Filter?.Key.FilterRules),
    ),
    ...configuration.QueueConfigurations.map((entry) => notification(entry.Events, entry.QueueArn, entry.Filter?.Key.FilterRules)),
  ]
  return { bucket: BucketName, notifications }
}

export const readBuckets = (resources: readonly Resource[]): readonly BucketSpec[] => {
  const custom = ofType(resources, 'Custom::S3BucketNotifications').map(customNotifications)
  return ofType(resources, 'AWS::S3::Bucket').map((resource) => ({
    name: resource.name,
    pageMethods: resource.read(bucketSchema).CorsConfiguration?.CorsRules.flatMap(({ AllowedMethods }) => AllowedMethods) ?? [],
    notifications: [
      ...ownNotifications(resource),
      ...custom.filter(({ bucket }) => bucket === resource.name).flatMap(({ notifications }) => notifications),
    ],
  }))
}
