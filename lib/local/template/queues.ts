import * as v from 'valibot'
import type { QueueSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'
import { numeric, text } from './site.ts'

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
export const readQueues = (resources: readonly Resource[]): readonly QueueSpec[] =>
  ofType(resources, 'AWS::SQS::Queue')
    .map((resource) => {
      const { RedrivePolicy, ...plain } = resource.read(queueSchema)
      const attributes: Record<string, string> = { ...plain }
      if (RedrivePolicy !== undefined) attributes['RedrivePolicy'] = JSON.stringify(RedrivePolicy)
      return { name: resource.name, arn: resource.attribute('Arn'), url: resource.ref, attributes }
    })
    .toSorted((left, right) => Number('RedrivePolicy' in left.attributes) - Number('RedrivePolicy' in right.attributes))
