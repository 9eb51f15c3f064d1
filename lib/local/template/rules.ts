import * as v from 'valibot'
import type { RuleSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'

/**
 * Properties of a target without effect here. A refusing target fails the publisher, which retries, so no retry policy or dead-letter queue
 * applies. There are no permissions either.
 */
const ignoredOfTarget = {
  Id: v.optional(v.unknown()),
  RetryPolicy: v.optional(v.unknown()),
  DeadLetterConfig: v.optional(v.unknown()),
  RoleArn: v.optional(v.unknown()),
}

const targetSchema = v.strictObject({
  ...ignoredOfTarget,
  Arn: v.string(),
  InputPath: v.optional(v.string()),
  SqsParameters: v.optional(v.object({ MessageGroupId: v.optional(v.string()) })),
  Input: v.optional(v.unknown()),
  InputTransformer: v.optional(v.unknown()),
})

const IGNORED_OF_RULE = ['Name', 'Description', 'RoleArn', 'Tags']
/** Properties of a schedule without effect here. A flexible window permits a late start; here schedules fire on time. */
const IGNORED_OF_SCHEDULE = ['Name', 'Description', 'GroupName', 'KmsKeyArn', 'FlexibleTimeWindow', 'ScheduleExpressionTimezone']

const ruleSchema = v.object({
  EventBusName: v.optional(v.string(), 'default'),
  EventPattern: v.optional(v.record(v.string(), v.unknown())),
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(targetSchema), []),
})

const scheduleSchema = v.object({ ScheduleExpression: v.string(), State: v.optional(v.string(), 'ENABLED'), Target: targetSchema })

const readTarget = (resource: Resource, target: v.InferOutput<typeof targetSchema>): RuleSpec['targets'][number] => {
  if (target.Input !== undefined || target.InputTransformer !== undefined)
    resource.fail('a target gets the event or a part of it, no other input')
  return { arn: target.Arn, inputPath: target.InputPath, messageGroupId: target.SqsParameters?.MessageGroupId }
}

const readRule = (resource: Resource): readonly RuleSpec[] => {
  const { EventBusName, EventPattern, ScheduleExpression, State, Targets } = resource.read(ruleSchema, IGNORED_OF_RULE)
  if (State === 'DISABLED') return []
  return [
    {
      name: resource.name,
      bus: ScheduleExpression === undefined ? EventBusName : undefined,
      pattern: EventPattern,
      schedule: ScheduleExpression,
      targets: Targets.map((target) => readTarget(resource, target)),
    },
  ]
}

const readSchedule = (resource: Resource): readonly RuleSpec[] => {
  const { ScheduleExpression, State, Target } = resource.read(scheduleSchema, IGNORED_OF_SCHEDULE)
  if (State === 'DISABLED') return []
  return [
    { name: resource.name, bus: undefined, pattern: undefined, schedule: ScheduleExpression, targets: [readTarget(resource, Target)] },
  ]
}

/** Enabled rules and schedules. */
export const readRules = (resources: readonly Resource[]): readonly RuleSpec[] => [
  ...ofType(resources, 'AWS::Events::Rule').flatMap(readRule),
  ...ofType(resources, 'AWS::Scheduler::Schedule').flatMap(readSchedule),
]
