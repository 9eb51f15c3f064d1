import { Stack } from 'aws-cdk-lib'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { allow } from './provision.ts'

/**
 * Notifies a queue about new objects under a prefix. Set in the bucket itself: the CDK's own way would add a function that sets it after
 * the deployment.
 */
export const notifyOf = (bucket: Bucket, prefix: string, queue: Queue): void => {
  const fromBucket = allow(['sqs:SendMessage'], queue.queueArn)
  fromBucket.addPrincipals(new ServicePrincipal('s3.amazonaws.com'))
  // By account: the bucket is created after the policy, so the policy cannot name it.
  fromBucket.addCondition('StringEquals', { 'aws:SourceAccount': Stack.of(bucket).account })
  const { policyDependable } = queue.addToResourcePolicy(fromBucket)
  if (policyDependable) bucket.node.addDependency(policyDependable)
  const { defaultChild } = bucket.node
  if (!(defaultChild instanceof CfnBucket)) throw new Error('The bucket has no CfnBucket resource, so its notifications cannot be set.')
  defaultChild.notificationConfiguration = {
    queueConfigurations: [
      { event: 's3:ObjectCreated:*', queue: queue.queueArn, filter: { s3Key: { rules: [{ name: 'prefix', value: prefix }] } } },
    ],
  }
}
