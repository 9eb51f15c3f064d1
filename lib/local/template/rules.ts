import * as v from 'valibot'
import type { RuleSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'

const targetSchema = v.object({
  Arn: v.string(),
  InputPath: v.optional(v.string()),
  SqsParameters: v.optional(v.object({ MessageGroupId: v.optional(v.string()) })),
  Input: v.optional(v.unknown()),
  InputTransformer: v.optional(v.unknown()),
})

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
  const { EventBusName, EventPattern, ScheduleExpression, State, Targets } = resource.read(ruleSchema)
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
  const { ScheduleExpression, State, Target } = resource.read(scheduleSchema)
  if (State === 'DISABLED') return []
  return [
    { name: resource.name, bus: undefined, pattern: undefined, schedule: ScheduleExpression, targets: [readTarget(resource, Target)] },
  ]
}

/** Rules and schedules that are switched on. */
export const readRules = (resources: readonly Resource[]): readonly RuleSpec[] => [
  ...ofType(resources, 'AWS::Events::Rule').flatMap(readRule),
  ...ofType(resources, 'AWS::Scheduler::Schedule').flatMap(readSchedule),
]
