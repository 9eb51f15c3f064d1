import { Stack } from 'aws-cdk-lib'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { allow } from './provision.ts'

/**
 * Tells a queue of the objects that come into a bucket under a prefix. Said in the bucket itself: the CDK's own way is a function of its own
 * that does it after the deployment.
 */
export const notifyOf = (bucket: Bucket, prefix: string, queue: Queue): void => {
  const fromBucket = allow(['sqs:SendMessage'], queue.queueArn)
  fromBucket.addPrincipals(new ServicePrincipal('s3.amazonaws.com'))
  // By account: the bucket is made after the policy, and cannot be named in it.
  fromBucket.addCondition('StringEquals', { 'aws:SourceAccount': Stack.of(bucket).account })
  const { policyDependable } = queue.addToResourcePolicy(fromBucket)
  if (policyDependable) bucket.node.addDependency(policyDependable)
  const { defaultChild } = bucket.node
  if (!(defaultChild instanceof CfnBucket)) throw new Error('A bucket without a resource tells nobody of its objects.')
  defaultChild.notificationConfiguration = {
    queueConfigurations: [
      { event: 's3:ObjectCreated:*', queue: queue.queueArn, filter: { s3Key: { rules: [{ name: 'prefix', value: prefix }] } } },
    ],
  }
}
