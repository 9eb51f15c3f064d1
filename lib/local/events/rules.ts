import type { RuleSpec, ServiceTemplate } from '../model.ts'
import { localPlace } from '../template/arn.ts'
import type { BusEntry, TargetFor } from './bus-entry.ts'
import { compilePattern } from './pattern.ts'

export interface BusEvent {
  readonly version: '0'
  readonly id: string
  readonly 'detail-type': string
  readonly source: string
  readonly account: string
  readonly time: string
  readonly region: string
  readonly resources: readonly string[]
  readonly detail: Readonly<Record<string, unknown>>
}

/** Sends an event to a target, or the part of it that `inputPath` selects. */
export type SendEvent = (event: BusEvent) => Promise<void>

/** The time of an event, in whole seconds. `at` is in epoch milliseconds. */
export const eventTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

const follow = (path: string, event: unknown): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), event)

/** The message group of a target: a fixed name, or the event's value at a path. */
const groupIn = (event: BusEvent, group: string | undefined): string | undefined => {
  const named = group?.startsWith('$.') ? follow(group, event) : group
  return typeof named === 'string' ? named : undefined
}

export const targetsOfRule = (rule: RuleSpec, targetFor: TargetFor): readonly SendEvent[] =>
  rule.targets.map(({ arn, inputPath, messageGroupId }) => {
    const send = targetFor(arn)
    return (event) => send(inputPath === undefined ? event : follow(inputPath, event), groupIn(event, messageGroupId))
  })

/** A bus may be given by name or by ARN. */
const busNameOf = (bus: string): string => bus.split('/').at(-1) ?? bus

/**
 * The route from the bus to the targets of matching rules. It rejects when a target refuses the event, or there is no such bus.
 * @param clock the service's clock in epoch milliseconds, for entries without a time
 */
export const routeByRules = (template: Pick<ServiceTemplate, 'rules' | 'buses'>, targetFor: TargetFor, clock: () => number) => {
  const rules = template.rules.flatMap((rule) => {
    if (rule.pattern === undefined) return []
    return [{ bus: busNameOf(rule.bus ?? 'default'), matches: compilePattern(rule.pattern), targets: targetsOfRule(rule, targetFor) }]
  })
  const buses = new Set(['default', ...template.buses])

  return async (entry: BusEntry): Promise<void> => {
    const bus = busNameOf(entry.bus)
    if (!buses.has(bus)) throw new Error(`there is no event bus "${bus}"`)
    const { id, source, resources, detail } = entry
    const head = { version: '0', id, 'detail-type': entry.detailType, source } as const
    const event: BusEvent = { ...head, ...localPlace, time: eventTime(entry.time ?? clock()), resources, detail }
    const matching = rules.filter((rule) => rule.bus === bus && rule.matches(event))
    await Promise.all(matching.flatMap((rule) => rule.targets.map((send) => send(event))))
  }
}
